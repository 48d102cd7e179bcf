import { and, count, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type AccountScope, type ApiKeyCaller, inScope, isOwn, type UserCaller } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import {
  allOf,
  type Conditions,
  idsOfSpan,
  isChosen,
  limitOf,
  readPage,
  unindexed,
  type Which,
  within,
} from "../../platform/db/page.ts";
import { invoices, orders, shop } from "../../platform/db/schema.ts";
import type { InvoiceFilters, InvoicesQuery, MyInvoicesQuery } from "./schemas.ts";
import { YEAR_OF_NUMBER } from "./tables.ts";

const ofOrder = (condition: SQL | undefined): SQL | undefined =>
  condition && sql`EXISTS (SELECT 1 FROM ${orders} WHERE ${orders.id} = ${invoices.orderId} AND ${condition})`;

const selectInvoices = (db: Database) => db.select(getTableColumns(invoices)).from(invoices);

/** Invoices of the caller's own orders, newest first. */
export function listMyInvoices(db: Database, caller: UserCaller | ApiKeyCaller, query: MyInvoicesQuery) {
  const where = and(ofOrder(isOwn(caller, orders)), query.order_id ? eq(invoices.orderId, query.order_id) : undefined);
  return readPage(db, query, selectInvoices(db).where(where).orderBy(desc(invoices.id)), invoices, where);
}

/** Finds an invoice of one of the caller's own orders. */
export const findMyInvoice = (db: Database, caller: UserCaller | ApiKeyCaller, id: number) =>
  selectInvoices(db)
    .where(and(eq(invoices.id, id), ofOrder(isOwn(caller, orders))))
    .get();

export const findInvoice = (db: Database, id: number, scope: AccountScope) =>
  selectInvoices(db)
    .where(and(eq(invoices.id, id), ofOrder(inScope(scope, orders.userId))))
    .get();

const conditions = (query: InvoiceFilters, scope: AccountScope, moment: SQL): SQL | undefined =>
  and(
    allOf({
      order_id: query.order_id === undefined ? undefined : eq(invoices.orderId, query.order_id),
      type: query.type && eq(invoices.type, query.type),
    } satisfies Conditions<InvoiceFilters>),
    within(moment, query),
    ofOrder(inScope(scope, orders.userId)),
  );

export function adminListInvoices(db: Database, query: InvoicesQuery, scope: AccountScope) {
  const where = conditions(query, scope, sql`${invoices.issuedAt}`);
  return readPage(db, query, selectInvoices(db).where(where).orderBy(desc(invoices.id)), invoices, where);
}

/** Maximum number of invoices that are added up. */
const MOST_ADDED_UP = 5_000;

/** Sums of the listed invoices by currency, in minor units. Empty if there is too much to add up. */
export async function sumInvoices(db: Database, query: InvoicesQuery, scope: AccountScope) {
  const { currency, total, tax } = invoices;
  const some = db
    .select({ currency, total, tax })
    .from(invoices)
    .where(conditions(query, scope, sql`${invoices.issuedAt}`))
    .limit(MOST_ADDED_UP)
    .as("some");
  const sums = await db
    .select({
      currency: some.currency,
      count: count(),
      total: sql<number>`sum(${some.total})`,
      tax: sql<number>`sum(${some.tax})`,
    })
    .from(some)
    .groupBy(some.currency);
  return sums.reduce((added, sum) => added + sum.count, 0) < MOST_ADDED_UP ? sums : [];
}

/** Returns the id bounds of a walk through the invoices of a time range. */
export const idsOfInvoices = (db: Database, query: InvoiceFilters) => idsOfSpan(db, invoices, invoices.issuedAt, query);

/** Returns invoices in the order of their numbers. */
export const walkInvoices = (db: Database, query: InvoiceFilters, scope: AccountScope, which: Which) =>
  selectInvoices(db)
    .where(and(conditions(query, scope, unindexed(invoices.issuedAt)), isChosen(invoices.id, which)))
    .orderBy(invoices.id)
    .limit(limitOf(which))
    .all();

/** The invoices of an order, in the order in which they were issued. */
export const invoicesOfOrder = (db: Database, orderId: number | SQL<number>) =>
  selectInvoices(db).where(eq(invoices.orderId, orderId)).orderBy(invoices.id).all();

/** The shop's address, without which it issues no invoice. Undefined until its settings are saved. */
export const readSeller = (db: Database) => db.select({ address: shop.address }).from(shop).get();

/** Counts the numbers of each year. The last number exceeds the count if one is missing. */
export const countNumbers = (db: Database) => {
  const year = sql<number>`${invoices.id} / ${sql.raw(String(YEAR_OF_NUMBER))}`;
  return db
    .select({
      year: year.as("year"),
      issued: sql<number>`count(*)`.as("issued"),
      last: sql<number>`max(${invoices.id}) % ${sql.raw(String(YEAR_OF_NUMBER))}`.as("last"),
    })
    .from(invoices)
    .groupBy(year)
    .orderBy(desc(year))
    .all();
};
