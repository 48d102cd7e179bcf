import type { PropsWithChildren } from "hono/jsx";
import type { FormState } from "../forms/state.ts";
import { Allowed, type Needed } from "./allowed.tsx";
import { LinkButton } from "./buttons.tsx";
import { ConfirmButton } from "./confirm-button.tsx";
import { PageHeader } from "./page-header.tsx";

type Props = {
  title: string;
  back: { path: string; name: string };
  /** Where the audit log has what was done to the row; null where nothing leads there. */
  audit: { subject: string; id: number } | null;
  deletion: { form: FormState; needs: Needed; title: string; text: string };
};

/** The head of a row's page: its audit log, and the button that deletes it. The children stand ahead of them. */
export const RowHeader = ({ title, back, audit, deletion, children }: PropsWithChildren<Props>) => (
  <PageHeader title={title} back={back}>
    {children}
    {audit && (
      <Allowed to="administrators">
        <LinkButton href={`/admin/audit-log?subject=${audit.subject}&subject_id=${audit.id}`}>Audit log</LinkButton>
      </Allowed>
    )}
    <Allowed to={deletion.needs}>
      <ConfirmButton form={deletion.form} label="Delete" title={deletion.title} text={deletion.text} />
    </Allowed>
  </PageHeader>
);
