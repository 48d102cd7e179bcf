import { Hono } from "hono";
import {
  adminListTransactions,
  type ListedTransaction,
  MOST_ADDED_UP,
  selectDailySums,
  TransactionsQuery,
} from "../../checkout/transactions/transactions.ts";
import { hasSpan } from "../../domain/fields.ts";
import { formatMoney, shopCurrency } from "../../domain/money.ts";
import { type PaymentMethod, paymentLabel, paymentMethods, paymentTerms } from "../../domain/payment-methods.ts";
import { addDays, shopTimeZone, startOfDay } from "../../domain/time.ts";
import { capitalized } from "../../platform/administration/resource.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { Clock, formatDate, shopDayOf, When } from "../kit/dates.tsx";
import { choiceFilter, dayFilters, ExportMenu } from "../kit/filters.tsx";
import type { Column } from "../kit/table.tsx";
import { MoneyAmount, Reference } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import type { PanelEnv } from "../page.tsx";
import { resolvingPickers, withPicks } from "../pickers/resolve.ts";
import { selectNames, toNames, userReference } from "../references.ts";

type Row = ListedTransaction;

/** Kinds of transactions, as named from the shop's side. */
const kindLabels = {
  charge: "Sale",
  refund: "Refund",
  credit: "Wallet credit",
  adjustment: "Wallet debit",
} satisfies Record<Row["kind"], string>;

/** Amounts from the shop's side: a sale is positive, and money paid out is negative. */
const ofTheShop = (minor: number): number => (minor === 0 ? 0 : -minor);

/** Transaction columns, for one customer's list and for all. */
export const transactionColumns: Column<Row>[] = [
  { title: "When", phone: "second", cell: ({ createdAt }) => <When at={createdAt} brief /> },
  { title: "What", phone: "first", cell: ({ kind }) => kindLabels[kind] },
  {
    title: "Order",
    phone: "first",
    cell: ({ orderId, orderNumber }) =>
      orderId === null ? null : (
        <a class="nowrap" href={`/admin/orders/${orderId}`}>
          {orderNumber}
        </a>
      ),
  },
  { title: "Method", cell: ({ method, ...order }) => capitalized(paymentLabel({ paymentMethod: method, ...order })) },
  { title: "Note", wide: true, phone: "none", cell: ({ note }) => note },
  {
    title: "Amount",
    numeric: true,
    cell: (row) => <MoneyAmount minor={ofTheShop(row.amount)} currency={row.currency ?? shopCurrency()} />,
  },
];

/**
 * True for a payment by a provider's method that was settled by hand while no provider was connected. It is shown as
 * "Manual payment".
 */
const isManualToo = (method: PaymentMethod): boolean => method === "credit_card" || method === "paypal";

const transactionInputs = {
  user_id: { as: "picker", label: "Customer", kinds: ["user"] },
  order_id: { as: "picker", label: "Order", kinds: ["order"] },
  kind: choiceFilter("What", Object.entries(kindLabels)),
  method: choiceFilter(
    "Method",
    paymentMethods.map(
      (name) => [name, capitalized(paymentTerms[name].label) + (isManualToo(name) ? " or manual" : "")] as const,
    ),
  ),
  ...dayFilters,
} satisfies FormInputs;

type DailySum = Awaited<ReturnType<typeof selectDailySums>>[number];

/** "3 sales $120.00, 1 refund −$20.00", and their sum in minor units. */
function inWords(sums: DailySum[]) {
  const parts = Object.entries(kindLabels).flatMap(([kind, label]) => {
    const own = sums.filter((sum) => sum.kind === kind);
    return own.length === 0 ? [] : [{ label, count: total(own, "count"), sum: total(own, "sum") }];
  });
  const words = parts.map(({ label, count, sum }) => `${plural(label, count)} ${formatMoney(sum, shopCurrency())}`);
  return { words: words.join(", "), sum: parts.length === 0 ? null : total(parts, "sum") };
}

const total = <Name extends "count" | "sum">(parts: Record<Name, number>[], name: Name): number =>
  parts.reduce((sum, part) => sum + part[name], 0);

/** A day with its total, and the parts of the total. */
function dayWithSums(day: string, all: DailySum[]) {
  const ofDay = all.filter((each) => each.day === day);
  const { words, sum } = inWords(ofDay);
  return {
    key: day,
    head: (
      <>
        {formatDate(day)} <span class="muted">{words}</span>
      </>
    ),
    sum: sum === null ? null : <MoneyAmount minor={sum} />,
  };
}

const plural = (noun: string, count: number): string => `${count} ${noun.toLowerCase()}${count === 1 ? "" : "s"}`;

/** Sums of all pages of a list of some days, or of the days on its page. None if there is too much to add up. */
async function readNamesAndSums({ db, caller }: PanelEnv["Variables"], query: TransactionsQuery, rows: Row[]) {
  if (rows.length === 0) return { names: new Map(), sums: [] };
  const days = rows.map(({ createdAt }) => shopDayOf(createdAt)).toSorted();
  const zone = shopTimeZone();
  const [first = "", last = ""] = [days.at(0), days.at(-1)];
  const shown = { from: startOfDay(zone, first), until: startOfDay(zone, addDays(last, 1)) };
  const [named, sums] = await db.batch([
    selectNames(db, rows.map(userReference)),
    selectDailySums(db, query, accountScopeOf(caller), hasSpan(query) ? {} : shown),
  ]);
  return { names: toNames(named), sums: total(sums, "count") < MOST_ADDED_UP ? sums : [] };
}

export const transactionPages = new Hono<PanelEnv>().get(
  "/transactions",
  administer("orders:read"),
  resolvingPickers(transactionInputs),
  async (c) => {
    const { query, form: typed } = readFilters(c, TransactionsQuery, transactionInputs);
    const { caller, db } = c.var;
    const found = await adminListTransactions(db, query, accountScopeOf(caller));
    const [{ names, sums }, form] = await Promise.all([
      readNamesAndSums(c.var, query, found.rows),
      withPicks(c, typed),
    ]);
    const [when, what, ...others] = transactionColumns;
    const { words, sum } = inWords(sums);
    return listPage(c, {
      noun: "transactions",
      actions: <ExportMenu form={form} needs="orders:read" lists={[{ list: "transactions", label: "Transactions" }]} />,
      days: true,
      above: hasSpan(query) && sum !== null && (
        <p class="note">
          {words}. Together <MoneyAmount minor={sum} />.
        </p>
      ),
      found,
      form,
      columns: [
        ...(when ? [{ ...when, cell: ({ createdAt }: Row) => <Clock at={createdAt} /> }] : []),
        ...(what ? [what] : []),
        {
          title: "Customer",
          cell: ({ userId }) => (userId === null ? null : <Reference to={`user:${userId}`} names={names} />),
        },
        ...others,
      ],
      groups: ({ createdAt }) => dayWithSums(shopDayOf(createdAt), sums),
      start: { path: "/admin/orders/new", label: "Create order", needs: "orders:write" },
      purpose: "Sales, refunds and credits of wallets appear here.",
    });
  },
);
