import type { Schema } from "@storefront-worker/api/client";
import { Day } from "../parts/day.tsx";
import { Money } from "../parts/money.tsx";
import { Pager } from "../parts/pager.tsx";
import { Status } from "../parts/status.tsx";

type Order = Schema["Order"];

type Props = {
  orders: { data: Order[]; pagination: Schema["Pagination"] };
  guestOrders: Order[];
  /** Ids of the orders shipped since the buyer last looked at them. */
  shipped: Set<number>;
  profile: Schema["Profile"];
  url: string;
};

export const OrdersPage = ({ orders: { data, pagination }, guestOrders, shipped, profile, url }: Props) => (
  <>
    <h1>Orders</h1>
    {profile.wallet_balance > 0 && (
      <p>
        Wallet balance: <Money amount={profile.wallet_balance} currency={profile.currency} />
      </p>
    )}
    {data.length === 0 ? (
      <p class="panel">
        You have no orders yet. <a href="/">See all products</a>
      </p>
    ) : (
      <Orders orders={data} shipped={shipped} />
    )}
    <Pager pagination={pagination} url={url} />
    {guestOrders.length > 0 && (
      <>
        <h2>Guest orders from this browser</h2>
        <Orders orders={guestOrders} shipped={shipped} />
      </>
    )}
  </>
);

export const GuestOrdersPage = ({ orders, shipped }: Pick<Props, "shipped"> & { orders: Order[] }) => (
  <>
    <h1>Orders</h1>
    <p>
      Guest orders from this browser. <a href="/sign-in?next=/orders">Sign in</a> to see the orders of your account.
    </p>
    <Orders orders={orders} shipped={shipped} />
  </>
);

/** An item with its variant: "T-Shirt (Blue / M)". */
const inWords = ({ name, option_values }: Order["items"][number]): string => {
  const values = option_values.map(({ value }) => value).join(" / ");
  return values ? `${name} (${values})` : name;
};

const Orders = ({ orders, shipped }: Pick<Props, "shipped"> & { orders: Order[] }) => (
  <ul class="lines">
    {orders.map(({ id, number, created_at, status, items, total, currency }) => (
      <li class="line order">
        <div class="what">
          <a href={`/orders/${id}`}>{number}</a>
          <span class="quiet">
            {shipped.has(id) && <strong>On its way · </strong>}
            <Day at={created_at} /> · {items.map(inWords).join(", ")}
          </span>
        </div>
        <Status of={status} />
        <Money amount={total} currency={currency} />
      </li>
    ))}
  </ul>
);
