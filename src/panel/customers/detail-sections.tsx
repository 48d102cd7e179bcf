import type { AccountRow } from "../../accounts/users/schemas.ts";
import { packageStatus, remainingOf } from "../../downloads/packages/schemas.ts";
import { type Failed, formFor } from "../forms/inputs.ts";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { Button, ConfirmButton, Form } from "../kit/form.tsx";
import { Card } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, DescriptionList, Lines, linesOfAddress, MoneyAmount } from "../kit/values.tsx";
import type { CustomerStanding } from "./standing-queries.ts";

type Figures = { account: Pick<AccountRow, "orderCount" | "spent"> };

/** A customer's paid orders and total spend, as in the list. */
export const LifetimeValue = ({ account: { orderCount, spent } }: Figures) =>
  orderCount === 0 ? null : (
    <Card title="Lifetime value">
      <DescriptionList
        facts={{
          "Paid less refunded": <MoneyAmount minor={spent} />,
          "Paid orders": String(orderCount),
          "Average order": <MoneyAmount minor={Math.round(spent / orderCount)} />,
        }}
      />
    </Card>
  );

/** The address book, default first. */
export const AddressList = ({ addresses }: Pick<CustomerStanding, "addresses">) =>
  addresses.length === 0 ? null : (
    <Card title="Addresses">
      <div class="columns">
        {addresses.map((address) => (
          <p class="address">
            <Lines lines={linesOfAddress(address)} />
            {address.isDefault && (
              <>
                {" "}
                <Badge status="default" />
              </>
            )}
          </p>
        ))}
      </div>
    </Card>
  );

/** The newest packages with their remaining downloads. */
export const Packages = ({
  packages,
  userId,
  now,
}: Pick<CustomerStanding, "packages"> & { userId: number; now: number }) =>
  packages.length === 0 ? null : (
    <Allowed to="packages:read">
      <Card title={<a href={`/admin/packages?user_id=${userId}`}>Packages</a>}>
        <Table
          label="Packages"
          rows={packages}
          columns={[
            { title: "Name", cell: ({ id, name }) => <a href={`/admin/packages/${id}`}>{name}</a> },
            { title: "Status", cell: (held) => <Badge status={packageStatus(held, now)} /> },
            { title: "Expires", cell: ({ expiresAt }) => <When at={expiresAt} none="never" /> },
            {
              title: "Downloads left",
              numeric: true,
              phone: "titled",
              cell: (held) => String(remainingOf(held) ?? "any number"),
            },
          ]}
        />
      </Card>
    </Allowed>
  );

type PersonalDataProps = { account: AccountRow; failed: Failed | null };

/** Export and erasure of a customer's personal data. */
export const PersonalDataSection = ({ account, failed }: PersonalDataProps) => (
  <Allowed to="administrators">
    <Card title="Personal data">
      <State {...account} />
      <div class="actions">
        <a class="button quiet" href={`/admin/customers/${account.id}/export`}>
          Export as JSON
        </a>
        {account.role === "customer" && account.erasedAt === null && <Erasure account={account} failed={failed} />}
      </div>
    </Card>
  </Allowed>
);

const State = ({ eraseAt, erasedAt }: AccountRow) => {
  if (erasedAt !== null) {
    return (
      <p>
        Erased on <When at={erasedAt} />. Orders and the ledger stay, without a name or an address.
      </p>
    );
  }
  if (eraseAt === null) return <p class="muted">All personal data stored about this customer.</p>;
  return (
    <p class="notice warning">
      Will be erased on <When at={eraseAt} />, once the wallet is empty and no order is open. Until then, you or the
      customer can undo it.
    </p>
  );
};

const Erasure = ({ account, failed }: PersonalDataProps) => {
  const path = `/admin/customers/${account.id}`;
  if (account.eraseAt !== null) {
    return (
      <Form form={formFor(failed, `${path}/restore`)}>
        <Button>Keep account</Button>
      </Form>
    );
  }
  return (
    <ConfirmButton
      form={formFor(failed, `${path}/erase`)}
      label="Erase account"
      title={`Erase the account of ${account.name}?`}
      text="Ends all sessions now. Name, addresses and messages are deleted permanently in seven days; orders and transactions remain."
    />
  );
};
