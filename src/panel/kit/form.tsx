import type { PropsWithChildren } from "hono/jsx";
import type { FieldErrors } from "../../errors.ts";
import type { FormState } from "../forms/state.ts";

/**
 * A form that posts, with a summary of why it was refused. One with a file says at which address to `upload` it in parts,
 * which takes script; a `plain` one is always sent by the browser itself.
 */
export const Form = ({
  form,
  upload,
  plain = false,
  children,
}: PropsWithChildren<{ form: FormState; upload?: string; plain?: boolean }>) => (
  <form
    method="post"
    action={form.action}
    enctype={upload === undefined ? undefined : "multipart/form-data"}
    data-upload={upload}
    class="form"
    data-plain={plain ? "" : undefined}
  >
    <FormErrors {...form} />
    {children}
  </form>
);

/** Why a form was refused: as a whole, then field by field, also those that the page does not show. */
export const FormErrors = ({ message, errors }: { message: string | null; errors: FieldErrors }) => {
  const lines = Object.entries(errors).flatMap(([field, words]) => words.map((word) => `${inWords(field)} ${word}`));
  if (message === null && lines.length === 0) return null;
  return (
    <div class="notice error" role="alert">
      {message && <p>{message}</p>}
      {lines.length > 0 && (
        <ul>
          {lines.map((line) => (
            <li>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
};

/** A refusal whose form the page does not have any more, because what was asked for can no longer be done. */
export const Refusal = ({ failed, offered }: { failed: FormState | null; offered: string[] }) =>
  failed && !offered.includes(failed.action) ? <FormErrors {...failed} /> : null;

/** `shipping_address.city` as people say it; `body` is the whole. */
const inWords = (field: string): string => (field === "body" ? "What was sent" : field.replaceAll(/[._]/g, " "));

/** The version of what is edited: the form is refused when somebody else saved it in between. */
export const Version = ({ etag }: { etag: string }) => <input type="hidden" name="if_match" value={etag} />;
