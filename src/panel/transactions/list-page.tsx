import type { ListedTransaction } from "../../checkout/transactions/transactions.ts";
import { paymentMethods, paymentTerms } from "../../domain/payment-methods.ts";
import { transactionKinds } from "../../platform/db/schema.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { ExportMenu } from "../kit/export-menu.tsx";
import { choiceFilter, dateFilters, ownLabels } from "../kit/filter-bar.tsx";
import { Listing, type ListProps } from "../kit/listing.tsx";
import { Money } from "../kit/money.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import type { Column } from "../kit/table.tsx";
import { When } from "../kit/when.tsx";
import type { Names } from "../references/names.ts";
import { Reference } from "../references/reference.tsx";

type Row = ListedTransaction;
type TransactionsPageProps = ListProps<Row> & { names: Names; currency: string };

/** Transaction columns, for one customer's list and for all. */
export const transactionColumns = (currency: string): Column<Row>[] => [
  { title: "When", cell: ({ createdAt }) => <When at={createdAt} /> },
  { title: "Kind", cell: ({ kind }) => kind },
  { title: "Method", cell: ({ method }) => paymentTerms[method].label },
  {
    title: "Order",
    cell: ({ orderId, orderNumber }) =>
      orderId === null ? null : <a href={`/admin/orders/${orderId}`}>{orderNumber}</a>,
  },
  { title: "Note", cell: ({ note }) => note },
  {
    title: "Amount",
    numeric: true,
    cell: (row) => <Money minor={row.amount} currency={row.currency ?? currency} />,
  },
];

export const transactionFilters = {
  user_id: { as: "picker", label: "Customer", kinds: ["user"] },
  order_id: { as: "picker", label: "Order", kinds: ["order"] },
  kind: choiceFilter("Kind", ownLabels(transactionKinds)),
  method: choiceFilter(
    "Method",
    paymentMethods.map((name) => [name, paymentTerms[name].label] as const),
  ),
  ...dateFilters("When"),
} satisfies FormInputs;

export const TransactionsPage = ({ names, currency, ...list }: TransactionsPageProps) => {
  const [when, ...others] = transactionColumns(currency);
  return (
    <>
      <PageHeader title="Transactions">
        <ExportMenu form={list.form} needs="orders:read" lists={[{ list: "transactions", label: "Transactions" }]} />
      </PageHeader>
      <Listing
        {...list}
        label="Transactions"
        columns={[
          ...(when ? [when] : []),
          {
            title: "Customer",
            cell: ({ userId }) => (userId === null ? null : <Reference to={`user:${userId}`} names={names} />),
          },
          ...others,
        ]}
        none={{ title: "No transactions yet", narrowed: "No matching transactions" }}
      >
        Charges, refunds and credits appear here.
      </Listing>
    </>
  );
};
