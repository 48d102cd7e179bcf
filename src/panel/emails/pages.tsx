import type { Context } from "hono";
import { emailStates } from "../../platform/db/schema.ts";
import { EmailsQuery, listEmails, type OutboxRow } from "../../platform/email/emails.ts";
import { mailerOf } from "../../platform/email/mailer.ts";
import type { RenderedEmail } from "../../platform/email/render.tsx";
import { isOrderEmail, isSwitchable, readSwitchedOff } from "../../platform/email/switches.ts";
import { type FormInputs, formFor } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { When } from "../kit/dates.tsx";
import { choiceFilter, ownLabels } from "../kit/filters.tsx";
import { Button, Form, LinkButton } from "../kit/form.tsx";
import { Flash, PageHeader } from "../kit/page-parts.tsx";
import { Badge, EmailAddress, Reference } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import type { PanelEnv } from "../page.tsx";
import { type Names, readNames, templateLabel } from "../references.ts";

const emailFilters = { state: choiceFilter("State", ownLabels(emailStates)) } satisfies FormInputs;

export async function emailsPage(c: Context<PanelEnv>) {
  const now = Date.now();
  const { query, form } = readFilters(c, EmailsQuery, emailFilters);
  const found = await listEmails(c.var.db, query);
  const [names, off] = await Promise.all([
    readNames(c.var.db, found.rows.flatMap(emailReferences)),
    readSwitchedOff(c.var.db),
  ]);
  const mailer = mailerOf(c.env, c.var.settings.email);
  return listPage(c, {
    noun: "e-mails",
    actions: (
      <>
        <LinkButton href={DESIGN}>Design and sender</LinkButton>
        <LinkButton href={TEMPLATES_PATH}>Texts</LinkButton>
      </>
    ),
    above: (
      <>
        {"missing" in mailer && (
          <Flash
            tone="warning"
            text={`E-mails are on hold until whoever installed the shop sets ${mailer.missing}. Waiting ones are sent then, but there are none about orders placed until then.`}
          />
        )}
        {off.length > 0 && (
          <p class="notice">
            Switched off: {off.map(templateLabel).join(", ")}. <a href="/admin/emails/templates">Switch on</a>
          </p>
        )}
      </>
    ),
    found,
    form,
    columns: [
      { title: "Written", phone: "second", cell: ({ createdAt }) => <When at={createdAt} brief /> },
      { title: "E-mail", phone: "first", cell: (row) => <Email {...row} names={names} /> },
      { title: "To", cell: ({ recipient }) => (recipient === null ? "nobody" : <EmailAddress text={recipient} />) },
      { title: "State", cell: (row) => <State {...row} /> },
      { title: "Send again", phone: "first", cell: (row) => <SendAgain {...row} now={now} /> },
    ],
    purpose: "E-mails sent by the shop appear here, with the reason if one fails.",
  });
}

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
function emailReferences({ orderId, userId }: OutboxRow): string[] {
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

export const DESIGN = "/admin/emails/design";
export const TEMPLATES_PATH = "/admin/emails/templates";

type Template = Pick<RenderedEmail, "subject" | "text"> & { name: string };

/** Templates by recipient. */
const audiences: { title: string; has: (name: string) => boolean }[] = [
  { title: "To customers, about orders", has: isOrderEmail },
  { title: "To staff", has: (name) => isSwitchable(name) && !isOrderEmail(name) },
  { title: "Always sent", has: (name) => !isSwitchable(name) },
];

/** All e-mails as cards, each with its first words. */
export const TemplatesPage = ({ templates, off }: { templates: Template[]; off: string[] }) => (
  <>
    <PageHeader />
    <p class="muted">
      Choose an e-mail to change its words and see it. You can switch off those about orders and to staff.
    </p>
    {audiences.map(({ title, has }) => (
      <section>
        <h2>{title}</h2>
        <ul class="previews">
          {templates
            .filter(({ name }) => has(name))
            .map((template) => (
              <TemplateCard {...template} isOff={off.includes(template.name)} />
            ))}
        </ul>
      </section>
    ))}
  </>
);

const TemplateCard = ({ name, subject, text, isOff }: Template & { isOff: boolean }) => (
  <li class="card" id={name}>
    <p class="muted">
      {templateLabel(name)} {isOff && <Badge status="switched off" />}
    </p>
    <h3>
      <a href={`${TEMPLATES_PATH}/${name}`}>{subject}</a>
    </h3>
    <p class="beginning muted">{bodyOf(text)}</p>
    {isSwitchable(name) && <Switch name={name} isOff={isOff} />}
  </li>
);

/** The text after its salutation. */
const bodyOf = (text: string): string => text.split("\n\n").slice(1).join(" ").replaceAll(/-{2,}/g, "");

export const Switch = ({ name, isOff }: { name: string; isOff: boolean }) => (
  <Form form={formFor(null, `${TEMPLATES_PATH}/${name}/${isOff ? "on" : "off"}`)}>
    <Button tone="quiet">{isOff ? "Switch on" : "Switch off"}</Button>
  </Form>
);
