import { type SQL, sql } from "drizzle-orm";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { type Database, requireFirst } from "../../platform/db/client.ts";

// Units that orders hold which are not sent yet. They lie there and are counted, but cannot be sold.

/** How many units open orders hold of a product whose stock is managed. `id` is its id in the statement. */
export const heldUnits = (id: SQL | number): SQL<number> =>
  sql`(SELECT coalesce(sum(quantity), 0) FROM stock_allocations WHERE product_id = ${id} AND quantity > 0)`;

/** A query, for a batch. */
export const selectHeldUnits = (db: Database, id: number) => db.select({ units: heldUnits(id) }).from(sql`(SELECT 1)`);

export const countHeldUnits = async (db: Database, id: number): Promise<number> =>
  requireFirst(await selectHeldUnits(db, id)).units;

/** How many units open orders hold of any product, or would hold if its stock were managed. */
export const countOrderedUnits = async (db: Database, id: number): Promise<number> =>
  requireFirst(
    await db.all<{ units: number }>(sql`
      SELECT coalesce(sum(max(0, quantity - refunded_quantity - shipped_quantity)), 0) AS units
      FROM order_items JOIN orders ON orders.id = order_id
      WHERE product_id = ${id} AND status IN ('pending', 'processing')`),
  ).units;

/** 400 for a count that leaves out units which orders hold. */
export const belowHeld = (field: string, held: number) =>
  badRequest(
    fieldError(field, "below_held", `must be at least ${held}: orders that are not sent yet hold that many units`, {
      held,
    }),
  );
