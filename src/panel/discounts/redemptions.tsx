import type { RedemptionRow } from "../../checkout/discounts/redemption-queries.ts";
import type { Page } from "../../platform/http/pagination.ts";
import { Money } from "../kit/money.tsx";
import { Pagination } from "../kit/pagination.tsx";
import { Table } from "../kit/table.tsx";
import { When } from "../kit/when.tsx";

export type RedemptionsProps = { rows: RedemptionRow[]; place: Page; url: string; currency: string };

/** Orders that used a discount. */
export const Redemptions = ({ rows, place, url, currency }: RedemptionsProps) => (
  <section class="card">
    <h2>Orders with this discount</h2>
    {place.totalItems === 0 ? (
      <p class="muted">None yet.</p>
    ) : (
      <>
        <Table
          label="Orders with this discount"
          rows={rows}
          columns={[
            {
              title: "Order",
              cell: ({ orderId, orderNumber }) => <a href={`/admin/orders/${orderId}`}>{orderNumber}</a>,
            },
            { title: "Customer", cell: ({ customerName, customerEmail }) => customerName ?? customerEmail },
            { title: "When", cell: ({ createdAt }) => <When at={createdAt} /> },
            { title: "Released", cell: ({ releasedAt }) => releasedAt && <When at={releasedAt} /> },
            { title: "Took off", numeric: true, cell: ({ amount }) => <Money minor={amount} currency={currency} /> },
          ]}
        />
        <Pagination page={place} url={url} />
      </>
    )}
  </section>
);
