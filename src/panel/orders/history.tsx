import type { historyKinds } from "../../db/schema.ts";
import type { OrderRow } from "../../orders/schemas.ts";
import { Badge } from "../kit/badge.tsx";
import { Money } from "../kit/money.tsx";
import { Table } from "../kit/table.tsx";
import { When } from "../kit/when.tsx";
import type { Names } from "../references/queries.ts";
import { Reference } from "../references/reference.tsx";

const moneyMoved: Record<Exclude<(typeof historyKinds)[number], "status">, string> = {
  payment: "Paid",
  payment_returned: "Payment returned",
  refund: "Refunded",
  refund_sent: "Refund sent",
  refund_failed: "Refund failed",
};

/** What became of an order and of its money, and by whom. */
export const History = ({ order, names }: { order: OrderRow; names: Names }) => (
  <Table
    label="History"
    rows={order.history}
    columns={[
      { title: "When", cell: ({ at }) => <When at={at} /> },
      {
        title: "What",
        cell: ({ kind, from, to }) => (
          <>
            {kind !== "status" && `${moneyMoved[kind]} `}
            {from !== to && <Badge status={to} />}
          </>
        ),
      },
      {
        title: "Amount",
        numeric: true,
        cell: ({ amount, currency }) =>
          amount === null ? null : <Money minor={amount} currency={currency ?? order.currency} />,
      },
      { title: "By", cell: ({ actor }) => <Reference to={actor} names={names} /> },
      { title: "Note", cell: ({ note }) => note },
    ]}
  />
);
