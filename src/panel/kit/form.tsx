import { Fragment, type PropsWithChildren } from "hono/jsx";
import { type Edit, seenField, versionField } from "../forms/edit.ts";
import type { FormState } from "../forms/state.ts";
import { type Needed, useAllowed } from "./allowed.tsx";
import { ConflictNotice } from "./conflict-notice.tsx";
import { ErrorSummary } from "./error-summary.tsx";
import { ReadOnlyForm } from "./read-only.tsx";
import { rendered } from "./rendered.ts";

/**
 * A POST form with an error summary. One with a file names the address to `upload` it in parts, which needs scripts; a
 * `plain` form is always sent by the browser. Its fields render before the summary that links to them. Viewers without the
 * `needs` permission see its fields but cannot send it.
 */
export const Form = async ({
  form,
  upload,
  plain = false,
  multipart = upload !== undefined,
  needs,
  children,
}: PropsWithChildren<{ form: FormState; upload?: string; plain?: boolean; multipart?: boolean; needs?: Needed }>) => {
  if (needs && !useAllowed(needs)) return <ReadOnlyForm>{children}</ReadOnlyForm>;
  const fields = await rendered(Fragment({ children }));
  return (
    <form
      method="post"
      action={form.action}
      enctype={multipart ? "multipart/form-data" : undefined}
      data-upload={upload}
      class="form"
      data-plain={plain ? "" : undefined}
      data-unsaved={form.message === null ? undefined : ""}
    >
      {form.edit && <Version {...form.edit} />}
      {form.message !== null && <ErrorSummary {...form} />}
      {form.edit?.conflict && <ConflictNotice form={form} conflict={form.edit.conflict} />}
      {fields}
    </form>
  );
};

/** The edited version, sent with the form. */
const Version = ({ etag, seen }: Edit) => (
  <>
    <input type="hidden" name={versionField} value={etag} />
    {Object.keys(seen).length > 0 && <input type="hidden" name={seenField} value={JSON.stringify(seen)} />}
  </>
);
