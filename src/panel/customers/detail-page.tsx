import type { Context } from "hono";
import { requireAccount } from "../../accounts/users/admin.ts";
import { userFields } from "../../accounts/users/fields.ts";
import type { AccountRow } from "../../accounts/users/schemas.ts";
import { adminListOrders } from "../../checkout/orders/admin.ts";
import type { OrderRow } from "../../checkout/orders/schemas.ts";
import { lockOf } from "../../domain/wallet-lock.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { isStaff, roleWords } from "../../platform/auth/roles.ts";
import { etagOf } from "../../platform/http/version.ts";
import { valuesOf } from "../forms/conversion.ts";
import { type Failed, formFor } from "../forms/inputs.ts";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { Columns, Field, Fields, Folded } from "../kit/fields.tsx";
import { Button, ConfirmButton, Form, LinkButton } from "../kit/form.tsx";
import { AuditLink, Card, EmptyState, MoreMenu, PageHeader, TagLinks } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, DescriptionList, EmailAddress, MoneyAmount } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { transactionColumns } from "../transactions/routes.tsx";
import { AddressList, LifetimeValue, Packages, PersonalDataSection } from "./detail-sections.tsx";
import { accountInputs, creditInputs, noteInputs } from "./inputs.ts";
import { accountStatus } from "./list-page.tsx";
import { type CustomerStanding, readStanding } from "./standing-queries.ts";

type CustomerProps = { account: AccountRow; failed: Failed | null };

/** Orders shown on a customer's page. */
const NEWEST = { page: 1, per_page: 10 };

export async function customerPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const { caller, db } = c.var;
  const [account, { rows: orders }, standing] = await Promise.all([
    requireAccount(db, { id, scope: accountScopeOf(caller) }),
    adminListOrders(db, { ...NEWEST, user_id: id }, caller),
    readStanding(db, id),
  ]);
  const lock = lockOf(account, Date.now());
  return page(
    c,
    account.name,
    <>
      <PageHeader title={account.name} statuses={<Badge status={accountStatus(account.disabledAt)} />}>
        <MoreMenu>
          <AuditLink subject="user" id={account.id} />
          <LinkButton href={`/admin/customers/${account.id}/sessions`}>Sessions</LinkButton>
        </MoreMenu>
        <LinkButton needs="packages:write" href={`/admin/packages/new?user_id=${account.id}`}>
          Grant download
        </LinkButton>
        <LinkButton needs="orders:write" href={`/admin/orders/new?user_id=${account.id}`} tone="primary">
          Create order
        </LinkButton>
      </PageHeader>
      <div class="record">
        <div>
          <LifetimeValue account={account} />
          <Card title={<a href={`/admin/orders?user_id=${account.id}`}>Orders</a>}>
            <Orders orders={orders} />
          </Card>
          <Card title="Latest transactions">
            <Transactions transactions={standing.transactions} />
          </Card>
          <Packages packages={standing.packages} userId={account.id} now={Date.now()} />
        </div>
        <aside>
          <Card title="Contact">
            <DescriptionList
              facts={{
                "E-mail": <EmailAddress text={account.email} />,
                "Proposed e-mail":
                  account.proposedEmail === null ? undefined : <EmailAddress text={account.proposedEmail} />,
                Phone: account.phone ?? undefined,
                Company: account.company ?? undefined,
                Tags: account.tags.length === 0 ? undefined : <TagLinks list="/admin/customers" tags={account.tags} />,
                Role: isStaff(account.role) ? <StaffLink account={account} /> : undefined,
                Marketing: account.acceptsMarketing ? "Accepted" : "Not accepted",
                Since: <When at={account.createdAt} />,
                Disabled: account.disabledAt === null ? undefined : <When at={account.disabledAt} />,
                Wallet: <MoneyAmount minor={account.walletBalance} />,
                "Wallet locked until": lock === null ? undefined : <When at={lock} />,
              }}
            />
            {!account.hasPassword && account.disabledAt === null && (
              <Form form={formFor(failed, `/admin/customers/${account.id}/invite`)} needs="users:write">
                <p class="muted">This customer has no password yet.</p>
                <Button tone="quiet">Send a link to choose a password</Button>
              </Form>
            )}
            <Allowed to="payments:write">
              <div class="actions">
                <Wallet account={account} failed={failed} />
              </div>
            </Allowed>
          </Card>
          <AddressList addresses={standing.addresses} />
          <Notes notes={standing.notes} account={account} failed={failed} />
          <TwoFactor account={account} since={account.twoFactorSince} isOwn={caller.id === id} failed={failed} />
          <PersonalDataSection account={account} failed={failed} />
        </aside>
        <Edit account={account} failed={failed} />
      </div>
    </>,
  );
}

const StaffLink = ({ account: { id, role } }: Pick<CustomerProps, "account">) => (
  <Allowed to="administrators" otherwise={roleWords[role].label}>
    <a href={`/admin/staff/${id}`}>{roleWords[role].label}</a>
  </Allowed>
);

/** `once` identifies the form, so that sending it twice credits the wallet once. */
const Wallet = ({ account, failed }: CustomerProps) => {
  const form = formFor(failed, `/admin/customers/${account.id}/credit`, { inputs: creditInputs });
  return (
    <ConfirmButton
      form={form}
      label="Credit wallet"
      movesMoney
      title={`Credit the wallet of ${account.name}`}
      text="Use a negative amount to debit the wallet."
      tone="primary"
    >
      <input type="hidden" name="once" value={crypto.randomUUID()} />
      <Fields form={form} names={["amount", "reason"]} />
    </ConfirmButton>
  );
};

const Orders = ({ orders }: { orders: OrderRow[] }) => (
  <Table
    label="Orders"
    phone="lines"
    rows={orders}
    columns={[
      { title: "Number", cell: ({ id, number }) => <a href={`/admin/orders/${id}`}>{number}</a> },
      { title: "Placed", cell: ({ createdAt }) => <When at={createdAt} /> },
      { title: "Status", cell: ({ status }) => <Badge status={status} /> },
      {
        title: "Total",
        numeric: true,
        cell: ({ total, currency }) => <MoneyAmount minor={total} currency={currency} />,
      },
    ]}
    none={<EmptyState title="No orders yet">This customer's orders appear here.</EmptyState>}
  />
);

const Transactions = ({ transactions }: Pick<CustomerStanding, "transactions">) => (
  <Table
    label="Transactions"
    phone="lines"
    rows={transactions}
    columns={transactionColumns}
    none={<EmptyState title="No transactions yet">Charges, refunds and credits appear here.</EmptyState>}
  />
);

const Edit = ({ account, failed }: CustomerProps) => {
  const form = formFor(failed, `/admin/customers/${account.id}`, {
    inputs: accountInputs,
    values: valuesOf(userFields, { ...account, disabled: account.disabledAt !== null }),
    etag: etagOf(account.updatedAt),
  });
  return (
    <div>
      <Form form={form} needs="users:write" save="Save account">
        <Card title="Account">
          <Columns form={form} names={["name", "email", "phone", "company", "tags", "tax_exempt_reason"]} />
          <Field form={form} name="accepts_marketing" />
        </Card>
        <Folded
          form={form}
          title="Access"
          names={["email_change_reason", "password", "disabled"]}
          isOpen={account.disabledAt !== null}
        >
          <Allowed to="administrators">
            <Columns form={form} names={["password", "email_change_reason"]} />
          </Allowed>
          <Field form={form} name="disabled" />
        </Folded>
        <Folded
          form={form}
          title="More settings"
          names={["external_id", "metadata"]}
          isOpen={account.externalId !== null || Object.keys(account.metadata).length > 0}
        >
          <Fields form={form} names={["external_id", "metadata"]} />
        </Folded>
      </Form>
    </div>
  );
};

type NotesProps = Pick<CustomerStanding, "notes"> & CustomerProps;

/** The newest internal notes, and a form to add one. */
const Notes = ({ notes, account, failed }: NotesProps) => {
  const form = formFor(failed, `/admin/customers/${account.id}/notes`, { inputs: noteInputs });
  return (
    <Card title="Notes">
      {notes.map(({ text, createdAt, authorName }) => (
        <p class="note">
          {text}{" "}
          <small class="muted">
            {authorName}, <When at={createdAt} />
          </small>
        </p>
      ))}
      <Form form={form} needs="users:write">
        <input type="hidden" name="once" value={crypto.randomUUID()} />
        <Field form={form} name="text" />
        <Button tone="quiet">Add note</Button>
      </Form>
    </Card>
  );
};

type CustomerTwoFactorProps = { account: AccountRow; since: number | null; isOwn: boolean; failed: Failed | null };

/** Removes the second factor of an owner who lost the app and recovery codes. Nobody removes their own here. */
const TwoFactor = ({ account, since, isOwn, failed }: CustomerTwoFactorProps) =>
  since !== null && (
    <Allowed to="administrators">
      <Card title="Second factor">
        <p class="muted">
          Enabled since <When at={since} />.
        </p>
        <div class="actions">
          {isOwn ? (
            <a class="button quiet" href="/admin/account">
              Your account
            </a>
          ) : (
            <ConfirmButton
              form={formFor(failed, `/admin/customers/${account.id}/two-factor/remove`)}
              label="Remove second factor"
              title={`Remove the second factor of ${account.name}?`}
              text="For customers who lost their app and recovery codes. Verify who is asking first. All sessions end, the password alone is enough to sign in, and the customer is notified by e-mail."
            />
          )}
        </div>
      </Card>
    </Allowed>
  );
