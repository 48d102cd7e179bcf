import * as z from "zod";
import {
  idsOfFoundUsers,
  idsOfUsers,
  toUser,
  User,
  type UserFilters,
  userFilters,
  walkUsers,
} from "../../accounts/users/public.ts";
import {
  AdminProduct,
  type AllProductFilters,
  allProductFilters,
  findProductsWithParents,
  pricesInOrder,
  toAdminProduct,
  walkProductIds,
} from "../../catalogue/products/public.ts";
import {
  type InvoiceFilters,
  idsOfInvoices,
  invoiceColumns,
  invoiceFilters,
  toInvoiceCells,
  walkInvoices,
} from "../../checkout/invoices/public.ts";
import {
  idsOfOrderSearch,
  idsOfOrders,
  Order,
  type OrderFilters,
  OrderItem,
  orderFilters,
  toOrderItem,
  toStaffOrder,
  walkOrderLines,
  walkOrders,
} from "../../checkout/orders/public.ts";
import {
  AdminTransaction,
  idsOfTransactions,
  type TransactionFilters,
  toAdminTransaction,
  transactionFilters,
  walkTransactions,
} from "../../checkout/transactions/public.ts";
import { pathText } from "../../domain/category-path.ts";
import { coded, iso, oneSpan } from "../../domain/fields.ts";
import { joinValues, MAX_OPTIONS } from "../../domain/option-values.ts";
import { measuresText } from "../../domain/unit-pricing.ts";
import {
  AdminFile,
  type FileFilters,
  fileFilters,
  idsOfFileSearch,
  toAdminFile,
  walkFiles,
} from "../../downloads/files/public.ts";
import { walkEntries } from "../../platform/audit/audit.ts";
import { AuditEntry, type AuditFilters, auditFilters, toAuditEntry } from "../../platform/audit/schemas.ts";
import { afterIdField } from "../../platform/http/pagination.ts";
import {
  allIds,
  byIds,
  type ExportSource,
  exportFormats,
  inOrderOfIds,
  type NextRows,
  type ShownRow,
  type Source,
  type Which,
} from "./stream.ts";

// Filters of a list without pagination: an export contains the whole list, or the rows after an id.

export const FormatParam = z.object({ format: z.enum(exportFormats) });

const place = {
  after_id: afterIdField.after_id.describe("Resumes an interrupted export after this id, the last one received"),
};
export type ExportCursor = { after_id?: number | undefined };

export const ProductsExport = z.strictObject({ ...allProductFilters, ...place }).refine(...pricesInOrder);

export const OrdersExport = z
  .strictObject({ ...orderFilters, ...place })
  .refine(...oneSpan)
  .refine(({ search, after_id }) => search === undefined || after_id === undefined, {
    path: ["after_id"],
    error: "cannot be combined with search",
    ...coded("not_applicable"),
  });

export const UsersExport = z.strictObject({ ...userFilters, ...place }).refine(...oneSpan);
export const TransactionsExport = z.strictObject({ ...transactionFilters, ...place }).refine(...oneSpan);
export const InvoicesExport = z.strictObject({ ...invoiceFilters, ...place }).refine(...oneSpan);
export const FilesExport = z.strictObject({ ...fileFilters, ...place });
export const AuditExport = z.strictObject({ ...auditFilters, ...place }).refine(...oneSpan);

export function customerSource({ db, currency, isFlat }: ExportSource, query: UserFilters & ExportCursor): Source {
  const { after_id } = query;
  const read = (which: Which) => walkUsers(db, query, which);
  const shown = (row: Awaited<ReturnType<typeof read>>[number]) => {
    const user = toUser(row, currency);
    return [isFlat ? { ...user, tags: user.tags.join(", ") } : user];
  };
  const found = idsOfFoundUsers(query);
  const next = found
    ? byIds(
        allIds((after, limit) => found(db, after, limit), after_id),
        read,
        shown,
      )
    : inOrderOfIds(read, shown, after_id, () => idsOfUsers(db, query));
  return { columns: Object.keys(User.shape), next };
}

export function fileSource({ db }: ExportSource, query: FileFilters & ExportCursor): Source {
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

export const transactionSource = (reading: ExportSource, query: TransactionFilters & ExportCursor): Source => ({
  columns: Object.keys(AdminTransaction.shape),
  next: inOrderOfIds(
    (which) => walkTransactions(reading.db, query, reading.scope, which),
    (row) => [toAdminTransaction(row, reading.currency)],
    query.after_id,
    () => idsOfTransactions(reading.db, query),
  ),
});

/** Invoices for an accountant, one row for each rate of tax. */
export const invoiceSource = ({ db, scope }: ExportSource, query: InvoiceFilters & ExportCursor): Source => ({
  columns: invoiceColumns,
  next: inOrderOfIds(
    (which) => walkInvoices(db, query, scope, which),
    toInvoiceCells,
    query.after_id,
    () => idsOfInvoices(db, query),
  ),
});

export const auditSource = ({ db }: ExportSource, query: AuditFilters & ExportCursor): Source => ({
  columns: Object.keys(AuditEntry.shape),
  next: inOrderOfIds(
    (which) => walkEntries(db, query, which),
    (row) => [toAuditEntry(row)],
    query.after_id,
  ),
});

type OrdersQuery = OrderFilters & ExportCursor;

/** Reads search results customer by customer, and all other orders in the order of ids. */
function ordersOf<Row extends { id: number }>(
  { db }: ExportSource,
  query: OrdersQuery,
  read: (which: Which) => Promise<Row[]>,
  shown: (row: Row) => ShownRow[],
): NextRows {
  if (query.search) return byIds(idsOfOrderSearch(db, query.search), read, shown);
  return inOrderOfIds(read, shown, query.after_id, () => idsOfOrders(db, query));
}

export const orderSource = (reading: ExportSource, query: OrdersQuery): Source => ({
  columns: Object.keys(Order.shape),
  next: ordersOf(
    reading,
    query,
    (which) => walkOrders(reading.db, query, reading.scope, which),
    (row) => [toStaffOrder(row)],
  ),
});

/** Order lines, each with its order. */
export const orderLineSource = (reading: ExportSource, query: OrdersQuery): Source => ({
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

const optionColumns = Array.from({ length: MAX_OPTIONS }, (_, at) => [
  `option_${at + 1}_name`,
  `option_${at + 1}_value`,
]).flat();

/** Columns that replace a field in CSV. Fields computed from a product's variants have none. */
const flatColumns: ReadonlyMap<string, string[]> = new Map([
  ["category", ["category", "category_id", "category_slug"]],
  ["files", ["file_ids"]],
  ["parent_id", ["parent_sku"]],
  ["options", optionColumns],
  ["option_values", []],
  ["price_range", []],
  ["variant_count", []],
]);

const columns = Object.keys(AdminProduct.shape).flatMap((name) => flatColumns.get(name) ?? [name]);

type ExportedProduct = Awaited<ReturnType<typeof findProductsWithParents>>[number];

/** A product as a row of CSV. Cells of inherited fields are empty. */
function flatProduct(
  { category, files, ...product }: ReturnType<typeof toAdminProduct>,
  row: ExportedProduct,
): ShownRow {
  const flat: ShownRow = {
    ...product,
    category: category && pathText(category.path),
    category_id: category?.id,
    category_slug: category?.slug,
    file_ids: files.map(({ id }) => id).join(" "),
    inherits: product.inherits.join(" "),
    tags: product.tags.join(", "),
    unit_pricing: product.unit_pricing && measuresText(product.unit_pricing),
    parent_sku: row.parentSku,
    ...optionCells(row),
  };
  if (row.parentId === null) return flat;
  const taken = [...row.inherits, "category", "category_id", "category_slug", "tags"];
  return { ...flat, ...Object.fromEntries(taken.map((name) => [name, undefined])) };
}

/** The options of a product with all of their values, or those of a variant with its value. */
function optionCells({ options, optionValues }: ExportedProduct): ShownRow {
  const cells = [...options.map(({ name, values }) => ({ name, value: joinValues(values) })), ...optionValues].map(
    ({ name, value }, at) => [
      [`option_${at + 1}_name`, name],
      [`option_${at + 1}_value`, value],
    ],
  );
  return Object.fromEntries(cells.flat());
}

/** Products with their variants. The CSV has the columns that an import reads. */
export function productSource(
  { db, isFlat, ...facts }: ExportSource,
  { after_id, ...query }: AllProductFilters & ExportCursor,
): Source {
  const next = byIds(
    walkProductIds(db, query, after_id),
    (ids) => findProductsWithParents(db, ids),
    (row) => {
      const product = { ...toAdminProduct(row, facts), images: row.images };
      return [isFlat ? flatProduct(product, row) : product];
    },
  );
  return { columns, next };
}
