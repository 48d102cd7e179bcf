import type { Schema } from "storefront/client";
import { Day } from "../parts/day.tsx";
import { Money } from "../parts/money.tsx";
import { Pager } from "../parts/pager.tsx";
import { Status } from "../parts/status.tsx";

type Props = {
  orders: { data: Schema["Order"][]; pagination: Schema["Pagination"] };
  profile: Schema["Profile"];
  url: string;
};

export const OrdersPage = ({ orders: { data, pagination }, profile, url }: Props) => (
  <>
    <h1>Orders</h1>
    <p>
      Your wallet holds <Money amount={profile.wallet_balance} currency={profile.currency} />.
    </p>
    {data.length === 0 ? (
      <p class="panel">
        You have not ordered anything yet. <a href="/">See all products</a>
      </p>
    ) : (
      <ul class="lines">
        {data.map(({ id, number, created_at, status, items, total, currency }) => (
          <li class="line order">
            <div class="what">
              <a href={`/orders/${id}`}>{number}</a>
              <span class="quiet">
                <Day at={created_at} /> · {items.map(({ name }) => name).join(", ")}
              </span>
            </div>
            <Status of={status} />
            <Money amount={total} currency={currency} />
          </li>
        ))}
      </ul>
    )}
    <Pager pagination={pagination} url={url} />
  </>
);
