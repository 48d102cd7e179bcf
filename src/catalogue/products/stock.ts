import { desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { badRequest, fieldError, notFound } from "../../domain/errors.ts";
import { actorName, auditStates } from "../../platform/audit/audit.ts";
import type { Author } from "../../platform/auth/author.ts";
import { type Database, requireFirst, requireRow } from "../../platform/db/client.ts";
import { readPage } from "../../platform/db/page.ts";
import { stockAdjustments } from "../../platform/db/schema.ts";
import { translateViolations } from "../../platform/db/violation.ts";
import { limitAndOffset, type PageQuery } from "../../platform/http/pagination.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import { productAsJson } from "./products.ts";
import type { ProductRow } from "./schemas.ts";
import type { NewStockAdjustment } from "./stock-schemas.ts";

/**
 * Changes the stock by `delta`, or sets it to a count less the units that orders hold. Computed in SQL from the stock at the
 * moment of writing.
 */
export async function insertAdjustment(
  db: Database,
  product: ProductRow,
  adjustment: NewStockAdjustment,
  author: Author,
): Promise<ProductRow> {
  const { id } = product;
  const { quantity } = adjustment;
  const field = quantity === undefined ? "delta" : "quantity";
  const writes = adjustmentWrites(id, adjustment, author);
  const answer = sql`(SELECT ${productAsJson} FROM products WHERE id = ${id})`;
  return requireRow(
    await translateViolations(writeOnce<ProductRow>({ db, author }, { writes, answer }), {
      row_changed: () => notFound(`Product ${id}`),
      stock_not_managed: () => badRequest(fieldError(field, "stock_not_managed", "the product's stock is not managed")),
      stock_not_negative: async () =>
        quantity === undefined
          ? badRequest(fieldError(field, "negative_stock", "takes more than is in stock"))
          : belowHeld(field, await countHeldUnits(db, id)),
    }),
  );
}

/** Returns the statements of a stock adjustment, for a batch. A count equal to the current stock writes nothing. */
export function adjustmentWrites(id: number, { delta, quantity, reason }: NewStockAdjustment, author: Author): SQL[] {
  const change = quantity === undefined ? sql`${delta}` : sql`${quantity} - ${heldUnits(id)} - stock_quantity`;
  // NULL if the product's stock is not managed, in which case the insert is refused.
  const changesIt = sql`(SELECT ${change} IS NOT 0 FROM products WHERE id = ${id})`;
  const stock = (value: SQL) => sql`(SELECT json_object(${value}) FROM products WHERE id = ${id})`;
  return [
    sql`INSERT INTO preconditions (holds) SELECT EXISTS (SELECT 1 FROM products WHERE id = ${id})`,
    auditStates(
      { author },
      {
        subject: "product",
        action: "adjust_stock",
        id,
        before: stock(sql`'stock_quantity', stock_quantity`),
        after: stock(sql`'stock_quantity', stock_quantity + ${change}, 'reason', ${reason}`),
        happens: changesIt,
      },
    ),
    sql`
      INSERT INTO stock_adjustments (product_id, delta, reason, actor, created_at)
      SELECT id, ${change}, ${reason}, ${author.actor}, ${author.now} FROM products WHERE id = ${id} AND ${changesIt}`,
  ];
}

const selectAdjustments = (db: Database, productId: number, query: PageQuery) => {
  const { limit, offset } = limitAndOffset(query);
  return db
    .select({ ...getTableColumns(stockAdjustments), actorName })
    .from(stockAdjustments)
    .where(eq(stockAdjustments.productId, productId))
    .orderBy(desc(stockAdjustments.id))
    .limit(limit)
    .offset(offset);
};

/** Returns a page of a product's stock adjustments, newest first. */
export const listAdjustments = (db: Database, productId: number, query: PageQuery) =>
  readPage(db, selectAdjustments(db, productId, query), stockAdjustments, eq(stockAdjustments.productId, productId));

/** Returns a product's newest stock adjustments and the number of units that orders hold, in one round trip. */
export async function readStock(db: Database, productId: number, query: PageQuery) {
  const [adjustments, held] = await db.batch([selectAdjustments(db, productId, query), selectHeldUnits(db, productId)]);
  return { adjustments, held: requireFirst(held).units };
}

// Held units belong to orders that have not been shipped. They are in the warehouse and counted, but cannot be sold.

/** Number of units of a product with managed stock that open orders hold. `id` is the product's id in the statement. */
const heldUnits = (id: SQL | number): SQL<number> =>
  sql`(SELECT coalesce(sum(quantity), 0) FROM stock_allocations WHERE product_id = ${id} AND quantity > 0)`;

/** A query for use in a batch. */
const selectHeldUnits = (db: Database, id: number) => db.select({ units: heldUnits(id) }).from(sql`(SELECT 1)`);

const countHeldUnits = async (db: Database, id: number): Promise<number> =>
  requireFirst(await selectHeldUnits(db, id)).units;

/** Counts the units of a product that open orders hold, or would hold if its stock were managed. */
export const countOrderedUnits = async (db: Database, id: number): Promise<number> =>
  requireFirst(
    await db.all<{ units: number }>(sql`
      SELECT coalesce(sum(max(0, quantity - refunded_quantity - shipped_quantity)), 0) AS units
      FROM order_items JOIN orders ON orders.id = order_id
      WHERE product_id = ${id} AND status IN ('pending', 'processing')`),
  ).units;

/** Returns a 400 for a count that is lower than the units held by orders. */
export const belowHeld = (field: string, held: number) =>
  badRequest(
    fieldError(field, "below_held", `must be at least ${held}: orders that are not sent yet hold that many units`, {
      held,
    }),
  );
