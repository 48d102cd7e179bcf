import { and, isNotNull, sql } from "drizzle-orm";
import * as z from "zod";
import { badRequest, conflict, fieldError } from "../../domain/errors.ts";
import { line } from "../../domain/fields.ts";
import type { AuthorContext } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { productsFound, sellableOf } from "../../platform/db/found-products.ts";
import { readPage } from "../../platform/db/page.ts";
import { products } from "../../platform/db/schema.ts";
import { translateViolations } from "../../platform/db/statements.ts";
import { pageFields } from "../../platform/http/pagination.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import { adjustmentWrites, heldUnits, StockQuantity } from "./stock.ts";

// The stock of all products as one list to count.

export const InventoryQuery = z.strictObject({ ...pageFields, search: line(100).optional() });
type InventoryQuery = z.output<typeof InventoryQuery>;

/** Counted units by product id, including those that orders hold. */
export const InventoryCount = z.strictObject({
  counts: z.record(z.string(), z.strictObject({ on_hand: StockQuantity })),
  reason: line(200).default("Stocktake"),
});
type InventoryCount = z.output<typeof InventoryCount>;

const { id, name, optionValues, sku, stockQuantity } = products;

/** Lists the products and variants whose stock is counted, with units held by orders and net units sold on some days. */
export function listInventory(db: Database, query: InventoryQuery, days: readonly string[]) {
  const sold = sql<number>`(
    SELECT coalesce(sum(units - returned_units), 0) FROM json_each(${JSON.stringify(days)}) AS day
      JOIN sales ON dimension = 'product' AND period = day.value AND sales.key = CAST(products.id AS TEXT))`;
  const found = query.search === undefined ? undefined : sql`${id} IN (${sellableOf(productsFound(query.search))})`;
  const where = and(isNotNull(stockQuantity), found);
  const rows = db
    .select({
      id,
      name,
      optionValues,
      sku,
      stockQuantity: sql<number>`${stockQuantity}`.as("stock_quantity"),
      held: heldUnits(sql`products.id`).as("held"),
      sold: sold.as("sold"),
    })
    .from(products)
    .where(where)
    .orderBy(sku);
  return readPage(db, query, rows, products, where);
}
export type InventoryRow = Awaited<ReturnType<typeof listInventory>>["rows"][number];

/** Sets the stock of several products to what was counted, all or nothing, with an adjustment and an audit entry each. */
export async function saveCounts(ctx: AuthorContext, { counts, reason }: InventoryCount): Promise<void> {
  const changes = Object.entries(counts).map(([key, { on_hand: quantity }]) => ({
    id: Number(key),
    adjustment: { quantity, reason },
  }));
  const writes = adjustmentWrites(ctx, changes);
  const gone = () =>
    conflict("changed_meanwhile", "A product was deleted or is no longer counted. Load the page again");
  await translateViolations(writeOnce(ctx, { writes, answer: sql`'{}'` }), {
    row_changed: gone,
    stock_not_managed: gone,
    stock_not_negative: async () => badRequest(await belowHeldIn(ctx.db, counts)),
  });
}

/** Errors of counts that are lower than the units that orders hold. */
async function belowHeldIn(db: Database, counts: InventoryCount["counts"]) {
  const rows = await db.all<{ key: string; held: number }>(sql`
    SELECT key, ${heldUnits(sql`CAST(key AS INTEGER)`)} AS held FROM json_each(${JSON.stringify(counts)}) WHERE value ->> 'on_hand' < held`);
  return rows.map(({ key, held }) =>
    fieldError(
      `counts.${key}.on_hand`,
      "below_held",
      `must be at least ${held}, the number of units held by unshipped orders`,
      { held },
    ),
  );
}
