import type { Context } from "hono";
import { requireAccount } from "../../accounts/users/admin.ts";
import type { AccountRow } from "../../accounts/users/schemas.ts";
import type { Invitation, IssuedInvitation } from "../../accounts/users/staff/schemas.ts";
import { listInvitations, listStaff } from "../../accounts/users/staff/staff.ts";
import { isStaff, roleWords } from "../../platform/auth/roles.ts";
import { type Role, roles } from "../../platform/db/schema.ts";
import { canSend } from "../../platform/email/mailer.ts";
import { etagOf } from "../../platform/http/version.ts";
import { kindsOf } from "../forms/conversion.ts";
import { type Failed, type FormInputs, type FormState, formFor } from "../forms/inputs.ts";
import { text } from "../forms/kinds.ts";
import { When } from "../kit/dates.tsx";
import { Choice, Field, Group } from "../kit/fields.tsx";
import { Button, ConfirmButton, Form, LinkButton } from "../kit/form.tsx";
import { AuditLink, Card, EmptyState, FormCard, NewPage, PageHeader, ShownOnce } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, CopyField, DescriptionList, EmailAddress } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";

export const STAFF = "/admin/staff";
const INVITATIONS = `${STAFF}/invitations`;

/** Staff and invitations are on one page each: few shops have more. */
const ALL = { page: 1, per_page: 100 };

export async function staffPage(c: Context<PanelEnv>, failed: Failed | null) {
  const [{ rows: staff }, { rows: invitations }] = await Promise.all([
    listStaff(c.var.db, ALL),
    listInvitations(c.var.db, ALL),
  ]);
  const now = Date.now();
  return page(
    c,
    "Staff",
    <>
      <PageHeader>
        <LinkButton href={`${STAFF}/invite`} tone="primary">
          Invite staff
        </LinkButton>
      </PageHeader>
      <Table
        label="Staff"
        phone="lines"
        rows={staff}
        columns={[
          { title: "Name", cell: ({ id, name }) => <a href={`${STAFF}/${id}`}>{name}</a> },
          { title: "Role", phone: "first", cell: ({ role }) => roleWords[role].label },
          { title: "E-mail", cell: ({ email }) => <EmailAddress text={email} /> },
          { title: "Second factor", phone: "none", cell: ({ hasTwoFactor }) => (hasTwoFactor ? "On" : "Off") },
          { title: "State", cell: ({ disabledAt }) => <Badge status={staffState(disabledAt)} /> },
          {
            title: "Last seen",
            phone: "titled",
            cell: ({ lastSeenAt }) => <When at={lastSeenAt} none="Never" />,
          },
        ]}
      />
      <Card title="Invitations">
        <Table
          label="Invitations"
          phone="lines"
          rows={invitations}
          columns={[
            { title: "E-mail", cell: ({ email }) => <EmailAddress text={email} /> },
            { title: "Role", phone: "first", cell: ({ role }) => roleWords[role].label },
            { title: "State", cell: ({ expiresAt }) => <Badge status={expiresAt <= now ? "expired" : "waiting"} /> },
            { title: "Link expires", phone: "titled", cell: ({ expiresAt }) => <When at={expiresAt} /> },
            { title: "Actions", cell: (invitation) => <Actions {...invitation} failed={failed} /> },
          ]}
          none={<EmptyState title="No open invitations">People you invite appear here until they accept.</EmptyState>}
        />
      </Card>
      <Card title="Roles">
        {staffRoles.map((role) => (
          <p>
            <strong>{roleWords[role].label}</strong> <span class="muted">{roleWords[role].about}</span>
          </p>
        ))}
      </Card>
    </>,
  );
}

const staffState = (disabledAt: number | null) => (disabledAt === null ? "active" : "deactivated");

const Actions = ({ id, email, failed }: Invitation & { failed: Failed | null }) => (
  <div class="actions">
    <Form form={formFor(failed, `${INVITATIONS}/${id}/resend`)}>
      <Button tone="quiet">Resend</Button>
    </Form>
    <ConfirmButton
      form={formFor(failed, `${INVITATIONS}/${id}/revoke`)}
      label="Revoke"
      title={`Revoke the invitation of ${email}?`}
      text="Its link stops working now."
    />
  </div>
);

const staffRoles = roles.filter(isStaff);

const inviteInputs = {
  email: { as: "email", label: "E-mail", required: true, maxlength: 254, autocomplete: "off" },
  role: {
    as: "choices",
    label: "Role",
    options: staffRoles.map((role) => [role, roleWords[role].label]),
    required: true,
    read: text,
  },
} satisfies FormInputs;
export const inviteKinds = kindsOf(inviteInputs);

/** A choice of roles, each with its permissions. */
const RoleChoice = ({ form, offered }: { form: FormState<"role">; offered: readonly Role[] }) => (
  <Group form={form} name="role">
    {offered.map((role) => (
      <Choice form={form} name="role" value={role} type="radio">
        <strong>{roleWords[role].label}</strong> <span class="muted">{roleWords[role].about}</span>
      </Choice>
    ))}
  </Group>
);

/** Asks for the address and role of a new member of staff. The link has to be passed on if the shop sends no e-mails. */
export function invitePage(c: Context<PanelEnv>, failed: Failed | null) {
  const sends = canSend(c.env, c.var.settings.email);
  const form = formFor(failed, INVITATIONS, { inputs: inviteInputs, values: { role: "viewer" } });
  return page(
    c,
    "Invite staff",
    <NewPage form={form} button={sends ? "Send invitation" : "Create invitation"}>
      <input type="hidden" name="once" value={crypto.randomUUID()} />
      <Field form={form} name="email" />
      <RoleChoice form={form} offered={staffRoles} />
      <p class="muted">
        {sends
          ? "They get a link that works for 72 hours, and choose their own password."
          : "This shop cannot send e-mails yet, so you get a link to pass on. It works for 72 hours."}
      </p>
    </NewPage>,
  );
}

export const InvitationLinkPage = ({ email, url, expiresAt }: IssuedInvitation) => (
  <ShownOnce
    warning={
      <>
        This shop cannot send e-mails yet. Hand this link to <strong>{email}</strong> in person or by a private message.
        It is shown only once, and anyone who has it can join your staff until <When at={expiresAt} />.
      </>
    }
    next={STAFF}
  >
    <CopyField id="invitation-link" label="Link" value={url ?? ""} />
  </ShownOnce>
);

const allRoles = [...staffRoles, "customer"] as const;

const roleInput = {
  role: {
    as: "choices",
    label: "Role",
    options: allRoles.map((role) => [role, roleWords[role].label]),
    required: true,
    read: text,
  },
} satisfies FormInputs;
export const roleKinds = kindsOf(roleInput);

const deactivationInputs = {
  revoke_api_keys: { as: "flag", label: "Also revoke the API keys that they created" },
} satisfies FormInputs;

/** A member of staff: role, state and security. */
export async function memberPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const account = await requireAccount(c.var.db, { id, scope: "everybody" });
  if (!isStaff(account.role)) return c.redirect(`/admin/customers/${id}`, 303);
  const { name, email, role, lastSeenAt, twoFactorSince, createdAt, disabledAt } = account;
  const form = formFor(failed, `${STAFF}/${id}`, {
    inputs: roleInput,
    values: { role },
    etag: etagOf(account.updatedAt),
  });
  return page(
    c,
    name,
    <>
      <PageHeader statuses={<Badge status={staffState(disabledAt)} />}>
        <AuditLink subject="user" id={id} />
        <LinkButton href={`/admin/customers/${id}/sessions`}>Sessions</LinkButton>
        <LinkButton href={`/admin/customers/${id}`}>Account and orders</LinkButton>
      </PageHeader>
      <div class="editor">
        <div>
          <FormCard form={form} button="Save role">
            <RoleChoice form={form} offered={allRoles} />
          </FormCard>
        </div>
        <div>
          <section class="card">
            <DescriptionList
              facts={{
                "E-mail": <EmailAddress text={email} />,
                "Last seen": <When at={lastSeenAt} none="Never" />,
                "Second factor": twoFactorSince === null ? "Off" : <When at={twoFactorSince} />,
                Since: <When at={createdAt} />,
                Deactivated: disabledAt === null ? undefined : <When at={disabledAt} />,
              }}
            />
            <div class="actions">
              {disabledAt === null ? (
                <Deactivation account={account} isOwn={c.var.caller.id === id} failed={failed} />
              ) : (
                <Form form={formFor(failed, `${STAFF}/${id}/reactivate`)}>
                  <Button>Reactivate</Button>
                </Form>
              )}
            </div>
          </section>
        </div>
      </div>
    </>,
  );
}

type DeactivationProps = { account: AccountRow; isOwn: boolean; failed: Failed | null };

const Deactivation = ({ account: { id, name }, isOwn, failed }: DeactivationProps) => {
  const form = formFor(failed, `${STAFF}/${id}/deactivate`, { inputs: deactivationInputs });
  return (
    <ConfirmButton
      form={form}
      label="Deactivate"
      title={isOwn ? "Deactivate your own account?" : `Deactivate ${name}?`}
      text="All sessions end now, and nobody can sign in to the account until an administrator reactivates it. Its invitations to others end too."
    >
      <Field form={form} name="revoke_api_keys" />
    </ConfirmButton>
  );
};
