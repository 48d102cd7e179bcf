import type { AccountRow } from "../../accounts/users/schemas.ts";
import { packageStatus, remainingOf } from "../../downloads/packages/schemas.ts";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, DescriptionList, Lines, linesOfAddress, MoneyAmount } from "../kit/values.tsx";
import type { Standing } from "./standing-queries.ts";

type Figures = { account: Pick<AccountRow, "orderCount" | "spent">; currency: string };

/** A customer's paid orders and what they spent: the figures of the list. */
export const LifetimeValue = ({ account: { orderCount, spent }, currency }: Figures) =>
  orderCount === 0 ? null : (
    <section class="card">
      <h2>Lifetime value</h2>
      <DescriptionList
        facts={{
          "Paid less refunded": <MoneyAmount minor={spent} currency={currency} />,
          "Paid orders": String(orderCount),
          "Average order": <MoneyAmount minor={Math.round(spent / orderCount)} currency={currency} />,
        }}
      />
    </section>
  );

/** The address book, default first. */
export const AddressList = ({ addresses }: Pick<Standing, "addresses">) =>
  addresses.length === 0 ? null : (
    <section class="card">
      <h2>Addresses</h2>
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
    </section>
  );

/** The newest packages with their remaining downloads. */
export const Packages = ({ packages, userId, now }: Pick<Standing, "packages"> & { userId: number; now: number }) =>
  packages.length === 0 ? null : (
    <Allowed to="packages:read">
      <section class="card">
        <h2>
          <a href={`/admin/packages?user_id=${userId}`}>Packages</a>
        </h2>
        <Table
          label="Packages"
          rows={packages}
          columns={[
            { title: "Name", cell: ({ id, name }) => <a href={`/admin/packages/${id}`}>{name}</a> },
            { title: "Status", cell: (held) => <Badge status={packageStatus(held, now)} /> },
            { title: "Expires", cell: ({ expiresAt }) => <When at={expiresAt} none="never" /> },
            { title: "Downloads left", numeric: true, cell: (held) => String(remainingOf(held) ?? "any number") },
          ]}
        />
      </section>
    </Allowed>
  );
