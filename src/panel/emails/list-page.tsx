import { emailStates } from "../../platform/db/schema.ts";
import type { OutboxRow } from "../../platform/email/outbox.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { formFor } from "../forms/state.ts";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { When } from "../kit/dates.tsx";
import { choiceFilter, ownLabels } from "../kit/filters.tsx";
import { Form } from "../kit/form.tsx";
import { ListPage, type ListProps } from "../kit/listing.tsx";
import { Flash, PageHeader } from "../kit/page-parts.tsx";
import { Badge, EmailAddress, Reference } from "../kit/values.tsx";
import type { Names } from "../references.ts";
import { templateLabel } from "./words.ts";

type EmailsPageProps = ListProps<OutboxRow> & { names: Names; missing: string | null; off: string[]; now: number };

export const emailFilters = { state: choiceFilter("State", ownLabels(emailStates)) } satisfies FormInputs;

export const EmailsPage = ({ names, missing, off, now, ...list }: EmailsPageProps) => (
  <>
    <PageHeader title="E-mails">
      <LinkButton href="/admin/emails/templates">Preview templates</LinkButton>
    </PageHeader>
    {missing !== null && (
      <Flash
        tone="warning"
        text={`E-mails are on hold because ${missing} is not set. They are sent once it is; e-mails about orders are not created until then.`}
      />
    )}
    {off.length > 0 && (
      <p class="notice">
        Switched off: {off.map(templateLabel).join(", ")}. <a href="/admin/emails/templates">Switch on</a>
      </p>
    )}
    <ListPage
      {...list}
      label="E-mails"
      columns={[
        { title: "Written", phone: "second", cell: ({ createdAt }) => <When at={createdAt} brief /> },
        { title: "E-mail", phone: "first", cell: (row) => <Email {...row} names={names} /> },
        { title: "To", cell: ({ recipient }) => (recipient === null ? "nobody" : <EmailAddress text={recipient} />) },
        { title: "State", cell: (row) => <State {...row} /> },
        { title: "Send again", phone: "first", cell: (row) => <SendAgain {...row} now={now} /> },
      ]}
      none={{ title: "No e-mails yet", narrowed: "No matching e-mails" }}
    >
      E-mails sent by the shop appear here, with the reason if one fails.
    </ListPage>
  </>
);

/** Subject of an e-mail, such as an order or an account, by name if known. */
const Email = ({ names, ...row }: OutboxRow & { names: Names }) => (
  <>
    {templateLabel(row.template)}
    {emailReferences(row).map((to) => (
      <>
        : <Reference to={to} names={names} />
      </>
    ))}
  </>
);

/** Its order, or its account. */
export function emailReferences({ orderId, userId }: OutboxRow): string[] {
  if (orderId !== null) return [`order:${orderId}`];
  return userId === null ? [] : [`user:${userId}`];
}

const State = ({ state, reason, attempts, dueAt, sentAt }: OutboxRow) => (
  <>
    <Badge status={state} /> {sentAt !== null && <When at={sentAt} brief />}
    {reason !== null && <div class="muted">{reason}</div>}
    {state === "waiting" && attempts > 0 && (
      <div class="muted">
        Tried {attempts} {attempts === 1 ? "time" : "times"}, next <When at={dueAt} />
      </div>
    )}
  </>
);

/** An e-mail with an expired link cannot be sent again. */
const SendAgain = ({ id, state, expiresAt, now }: OutboxRow & { now: number }) => {
  if (state === "waiting" || state === "sending") return null;
  if (expiresAt !== null && expiresAt <= now) return <span class="muted">its link has expired</span>;
  return (
    <Form form={formFor(null, `/admin/emails/${id}/send`)}>
      <Button tone="quiet">Send again</Button>
    </Form>
  );
};
