import { Hono } from "hono";
import {
  type ListedTransaction,
  listAllTransactions,
  TransactionsQuery,
} from "../../checkout/transactions/transactions.ts";
import { paymentMethods, paymentTerms } from "../../domain/payment-methods.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { transactionKinds } from "../../platform/db/schema.ts";
import { pageOf } from "../../platform/http/pagination.ts";
import type { PanelEnv } from "../env.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { When } from "../kit/dates.tsx";
import { choiceFilter, dateFilters, ExportMenu, ownLabels } from "../kit/filters.tsx";
import { ListPage, type ListProps } from "../kit/listing.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import type { Column } from "../kit/table.tsx";
import { MoneyAmount, Reference } from "../kit/values.tsx";
import { page } from "../page.tsx";
import { resolvingPickers, withPicks } from "../pickers/resolve.ts";
import { type Names, readNames } from "../references.ts";

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
    cell: (row) => <MoneyAmount minor={row.amount} currency={row.currency ?? currency} />,
  },
];

const transactionFilters = {
  user_id: { as: "picker", label: "Customer", kinds: ["user"] },
  order_id: { as: "picker", label: "Order", kinds: ["order"] },
  kind: choiceFilter("Kind", ownLabels(transactionKinds)),
  method: choiceFilter(
    "Method",
    paymentMethods.map((name) => [name, paymentTerms[name].label] as const),
  ),
  ...dateFilters("When"),
} satisfies FormInputs;

const TransactionsPage = ({ names, currency, ...list }: TransactionsPageProps) => {
  const [when, ...others] = transactionColumns(currency);
  return (
    <>
      <PageHeader title="Transactions">
        <ExportMenu form={list.form} needs="orders:read" lists={[{ list: "transactions", label: "Transactions" }]} />
      </PageHeader>
      <ListPage
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
      </ListPage>
    </>
  );
};

export const transactionPages = new Hono<PanelEnv>().get(
  "/transactions",
  administer("orders:read"),
  resolvingPickers(transactionFilters),
  async (c) => {
    const { query, form: typed } = readFilters(c, TransactionsQuery, transactionFilters);
    const { caller, db, settings } = c.var;
    const { rows, totalItems, totalIsExact } = await listAllTransactions(db, query, accountScopeOf(caller));
    const place = pageOf(query, totalItems, totalIsExact);
    const [names, form] = await Promise.all([
      readNames(
        db,
        rows.map(({ userId }) => `user:${userId}`),
      ),
      withPicks(c, typed),
    ]);
    const props = { rows, place, form, names, url: c.req.url, currency: settings.currency };
    return page(c, "Transactions", <TransactionsPage {...props} />);
  },
);
