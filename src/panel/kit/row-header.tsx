import type { PropsWithChildren } from "hono/jsx";
import type { FormState } from "../forms/state.ts";
import { Allowed, type Needed } from "./allowed.tsx";
import { LinkButton } from "./buttons.tsx";
import { ConfirmButton } from "./confirm-button.tsx";
import { PageHeader } from "./page-header.tsx";

type Props = {
  title: string;
  back: { path: string; name: string };
  /** The row's subject in the audit log. Null if there is no link. */
  audit: { subject: string; id: number } | null;
  deletion: { form: FormState; needs: Needed; title: string; text: string };
};

/** The head of a row's page: a link to the audit log and the delete button. The children come before them. */
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
