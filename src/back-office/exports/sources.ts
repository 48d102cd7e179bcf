import { idsOfUserSearch, idsOfUsers, toUser, User, type UserFilters, walkUsers } from "../../accounts/users/public.ts";
import {
  AdminProduct,
  type AllProductFilters,
  findAnyProducts,
  idsOfProducts,
  toAdminProduct,
} from "../../catalogue/products/public.ts";
import {
  idsOfOrderSearch,
  idsOfOrders,
  Order,
  type OrderFilters,
  OrderItem,
  toOrder,
  toOrderItem,
  walkOrderLines,
  walkOrders,
} from "../../checkout/orders/public.ts";
import {
  AdminTransaction,
  idsOfTransactions,
  type TransactionFilters,
  toAdminTransaction,
  walkTransactions,
} from "../../checkout/transactions/public.ts";
import { iso } from "../../domain/fields.ts";
import { AdminFile, type FileFilters, idsOfFileSearch, toAdminFile, walkFiles } from "../../downloads/files/public.ts";
import { walkEntries } from "../../platform/audit/audit.ts";
import { AuditEntry, type AuditFilters, toAuditEntry } from "../../platform/audit/schemas.ts";
import type { ExportCursor } from "./schemas.ts";
import {
  allIds,
  byIds,
  inOrderOfIds,
  type NextRows,
  type Reading,
  type ShownRow,
  type Source,
  type Which,
} from "./stream.ts";

export function customerSource({ db, scope, currency }: Reading, query: UserFilters & ExportCursor): Source {
  const { search, after_id } = query;
  const read = (which: Which) => walkUsers(db, query, scope, which);
  const shown = (row: Awaited<ReturnType<typeof read>>[number]) => [toUser(row, currency)];
  const next = search
    ? byIds(
        allIds((after, limit) => idsOfUserSearch(db, search, after, limit), after_id),
        read,
        shown,
      )
    : inOrderOfIds(read, shown, after_id, () => idsOfUsers(db, query));
  return { columns: Object.keys(User.shape), next };
}

export function fileSource({ db }: Reading, query: FileFilters & ExportCursor): Source {
  const { search, after_id } = query;
  const read = (which: Which) => walkFiles(db, query, which);
  const shown = (row: Awaited<ReturnType<typeof read>>[number]) => [toAdminFile(row)];
  const next = search
    ? byIds(
        allIds((after, limit) => idsOfFileSearch(db, search, after, limit), after_id),
        read,
        shown,
      )
    : inOrderOfIds(read, shown, after_id);
  return { columns: Object.keys(AdminFile.shape), next };
}

export const transactionSource = (reading: Reading, query: TransactionFilters & ExportCursor): Source => ({
  columns: Object.keys(AdminTransaction.shape),
  next: inOrderOfIds(
    (which) => walkTransactions(reading.db, query, reading.scope, which),
    (row) => [toAdminTransaction(row, reading.currency)],
    query.after_id,
    () => idsOfTransactions(reading.db, query),
  ),
});

export const auditSource = ({ db }: Reading, query: AuditFilters & ExportCursor): Source => ({
  columns: Object.keys(AuditEntry.shape),
  next: inOrderOfIds(
    (which) => walkEntries(db, query, which),
    (row) => [toAuditEntry(row)],
    query.after_id,
  ),
});

type OrdersQuery = OrderFilters & ExportCursor;

/** Reads search results customer by customer, all other orders in the order of ids. */
function ordersOf<Row extends { id: number }>(
  { db }: Reading,
  query: OrdersQuery,
  read: (which: Which) => Promise<Row[]>,
  shown: (row: Row) => ShownRow[],
): NextRows {
  if (query.search) return byIds(idsOfOrderSearch(db, query.search), read, shown);
  return inOrderOfIds(read, shown, query.after_id, () => idsOfOrders(db, query));
}

export const orderSource = (reading: Reading, query: OrdersQuery): Source => ({
  columns: Object.keys(Order.shape),
  next: ordersOf(
    reading,
    query,
    (which) => walkOrders(reading.db, query, reading.scope, which),
    (row) => [toOrder(row)],
  ),
});

/** Order lines, each with its order. */
export const orderLineSource = (reading: Reading, query: OrdersQuery): Source => ({
  columns: ["order_id", "order_number", "order_status", "ordered_at", ...Object.keys(OrderItem.shape)],
  next: ordersOf(
    reading,
    query,
    (which) => walkOrderLines(reading.db, query, reading.scope, which),
    ({ id, number, status, createdAt, pricesIncludeTax, items }) => {
      const order = { order_id: id, order_number: number, order_status: status, ordered_at: iso(createdAt) };
      return items.map((item) => ({ ...order, ...toOrderItem(item, pricesIncludeTax) }));
    },
  ),
});

const columns = Object.keys(AdminProduct.shape).flatMap((name) =>
  name === "category" ? ["category", "category_id", "category_slug"] : name === "files" ? ["file_ids"] : [name],
);

/** Products. The CSV has the columns that an import reads. */
export function productSource(reading: Reading, query: AllProductFilters & ExportCursor, isFlat: boolean): Source {
  const { db, currency, origin } = reading;
  const ids = allIds((after, limit) => idsOfProducts(db, query, after, limit), query.after_id);
  const next = byIds(
    ids,
    (some) => findAnyProducts(db, some),
    (row) => {
      const product = { ...toAdminProduct(row, { currency, origin }), images: row.images };
      if (!isFlat) return [product];
      const { category, files, ...plain } = product;
      const flat = { category: category?.name, category_id: category?.id, category_slug: category?.slug };
      return [{ ...plain, ...flat, file_ids: files.map(({ id }) => id).join(" ") }];
    },
  );
  return { columns, next };
}
