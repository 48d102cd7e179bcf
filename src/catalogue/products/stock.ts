import { and, desc, eq, getTableColumns, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { badRequest, fieldError, notFound } from "../../domain/errors.ts";
import { coded, line, Timestamp } from "../../domain/fields.ts";
import { toRecord } from "../../domain/record.ts";
import { addKeys, UploadedKeys, withdrawKeys } from "../../downloads/license-keys/public.ts";
import { actorName, auditStates } from "../../platform/audit/audit.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import { type Database, requireFirst, requireRow } from "../../platform/db/client.ts";
import { readPage } from "../../platform/db/page.ts";
import { orderItems, orders, products, stockAdjustments, stockAllocations } from "../../platform/db/schema.ts";
import { insertSelected, precondition, translateViolations } from "../../platform/db/statements.ts";
import type { PageQuery } from "../../platform/http/pagination.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import { productAsJson } from "./products.ts";
import type { ProductWithVariants } from "./schemas.ts";

/** An adjustment of a product. */
export type StockChange = { id: number; adjustment: UnitsAdjustment };

/**
 * Changes the stock by `delta`, sets it to a count minus the units that orders hold, or adds or withdraws license
 * keys. Computed in SQL from the stock at the time of writing.
 */
export async function insertAdjustment(
  ctx: Pick<WriteContext, "db" | "settings" | "author">,
  { id, adjustment }: { id: number; adjustment: StockAdjustmentCreate },
): Promise<ProductWithVariants> {
  const { db, author } = ctx;
  const { license_keys: added, withdrawn_license_keys: withdrawn, ...units } = adjustment;
  const { quantity } = units;
  const field = added ? "license_keys" : quantity === undefined ? "delta" : "quantity";
  const keys = added
    ? await addKeys(ctx, { productId: id, keys: added })
    : withdrawn && (await withdrawKeys(ctx, { productId: id, keys: withdrawn }));
  const change = { id, adjustment: { ...units, ...keys?.units } };
  const writes = [...(keys ? [keys.write] : []), ...adjustmentWrites({ author }, [change])];
  const answer = sql`(SELECT ${productAsJson} FROM ${products} WHERE ${products.id} = ${id})`;
  return requireRow(
    await translateViolations(writeOnce<ProductWithVariants>({ db, author }, { writes, answer }), {
      row_changed: () => notFound(`Product ${id}`),
      stock_not_managed: () => badRequest(fieldError(field, "stock_not_managed", stockNotManaged)),
      ...keys?.refusals,
      stock_not_negative: async () =>
        quantity === undefined
          ? badRequest(fieldError(field, "negative_stock", "takes more than is in stock"))
          : belowHeld(field, await countHeldUnits(db, id)),
    }),
  );
}

export const stockNotManaged = "the product's stock is not managed, or is the number of its unsold license keys";

/** Returns the statements of adjustments of different products, for a batch. A count equal to the current stock writes nothing. */
export function adjustmentWrites({ author }: Pick<WriteContext, "author">, changes: StockChange[]): SQL[] {
  const { stockQuantity } = products;
  const rows = JSON.stringify(changes.map(({ id, adjustment }) => ({ id, ...adjustment })));
  const ofProducts = sql`FROM json_each(${rows}) AS each JOIN ${products} ON ${products.id} = each.value ->> 'id'`;
  const unsold = sql`(SELECT units FROM unsold_license_keys WHERE product_id = ${products.id})`;
  const change = sql`coalesce(each.value ->> 'delta', coalesce((each.value ->> 'quantity') - ${heldUnits(sql`${products.id}`)}, ${unsold}) - ${stockQuantity})`;
  const reason = sql`each.value ->> 'reason'`;
  // NULL if the product's stock is not managed, in which case the insert is refused.
  const changed = sql`${ofProducts} WHERE ${change} IS NOT 0`;
  return [
    precondition(sql`(SELECT count(*) = ${changes.length} ${ofProducts})`),
    auditStates(
      { author },
      {
        subject: "product",
        action: "adjust_stock",
        id: sql`${products.id}`,
        before: sql`json_object('stock_quantity', ${stockQuantity})`,
        after: sql`json_object('stock_quantity', ${stockQuantity} + ${change}, 'reason', ${reason})`,
        from: changed,
      },
    ),
    insertSelected(
      stockAdjustments,
      { productId: products.id, delta: change, reason, actor: author.actor, createdAt: author.now },
      changed,
    ),
  ];
}

const selectAdjustments = (db: Database, productId: number) =>
  db
    .select({ ...getTableColumns(stockAdjustments), actorName })
    .from(stockAdjustments)
    .where(eq(stockAdjustments.productId, productId))
    .orderBy(desc(stockAdjustments.id));

/** Returns a page of a product's stock adjustments, newest first. */
export const listAdjustments = (db: Database, productId: number, query: PageQuery) =>
  readPage(db, query, selectAdjustments(db, productId), stockAdjustments, eq(stockAdjustments.productId, productId));

/** Returns a product's newest stock adjustments and the number of units that orders hold, in one round trip. */
export async function readStock(db: Database, productId: number, shown: number) {
  const [adjustments, held] = await db.batch([
    selectAdjustments(db, productId).limit(shown),
    selectHeldUnits(db, productId),
  ]);
  return { adjustments, held: requireFirst(held).units };
}

// Held units belong to orders that have not been shipped. They are in the warehouse and counted, but cannot be sold.

/** Number of units of a product with managed stock that open orders hold. */
export const heldUnits = (id: number | SQL): SQL<number> =>
  sql`(SELECT coalesce(sum(${stockAllocations.quantity}), 0) FROM ${stockAllocations}
    WHERE ${stockAllocations.productId} = ${id} AND ${stockAllocations.quantity} > 0)`;

/** A query for use in a batch. */
const selectHeldUnits = (db: Database, id: number) => db.select({ units: heldUnits(id) }).from(sql`(SELECT 1)`);

/** Units that open orders hold of each variant of a product, by the variant's id. */
export async function readHeldUnits(db: Database, parentId: number): Promise<Map<number, number>> {
  const { id, stockQuantity } = products;
  const rows = await db
    .select({ id, held: heldUnits(sql`${id}`) })
    .from(products)
    .where(and(eq(products.parentId, parentId), isNotNull(stockQuantity)));
  return new Map(rows.map((row) => [row.id, row.held]));
}

/** Units of each product's variants that can be bought, by the product's id. Unmanaged stock is not counted. */
export async function readVariantStock(db: Database, parentIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .select({ id: sql<number>`${products.parentId}`, units: sql<number>`sum(${products.stockQuantity})` })
    .from(products)
    .where(
      and(
        sql`${products.parentId} IN (SELECT value FROM json_each(${JSON.stringify(parentIds)}))`,
        isNotNull(products.stockQuantity),
      ),
    )
    .groupBy(products.parentId);
  return new Map(rows.map(({ id, units }) => [id, units]));
}

const countHeldUnits = async (db: Database, id: number): Promise<number> =>
  requireFirst(await selectHeldUnits(db, id)).units;

/** Counts the units of a product that open orders hold, or would hold if its stock were managed. */
export async function countOrderedUnits(db: Database, id: number): Promise<number> {
  const { quantity, refundedQuantity, shippedQuantity, productId, orderId } = orderItems;
  const units = sql<number>`coalesce(sum(max(0, ${quantity} - ${refundedQuantity} - ${shippedQuantity})), 0)`;
  const rows = db
    .select({ units })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderId))
    .where(and(eq(productId, id), inArray(orders.status, ["pending", "processing"])));
  return requireFirst(await rows).units;
}

/** Returns a 400 for a count that is lower than the units held by orders. */
export const belowHeld = (field: string, held: number) =>
  badRequest(
    fieldError(field, "below_held", `must be at least ${held}, the number of units held by unshipped orders`, {
      held,
    }),
  );

/** Units of one product. */
const MAX_STOCK = 100_000_000;

const stockWords = `must be a whole number from 0 to ${MAX_STOCK}`;
export const StockQuantity = z.int(stockWords).min(0, stockWords).max(MAX_STOCK, stockWords);

type SentStock = { manage_stock?: boolean | undefined; stock_quantity?: number | null | undefined };
type StockRule = [
  (sent: SentStock) => boolean,
  { path: string[]; error: string; params: ReturnType<typeof coded>["params"] },
];

export const managedStockIsCounted: StockRule = [
  ({ manage_stock, stock_quantity }) => manage_stock !== true || typeof stock_quantity === "number",
  { path: ["stock_quantity"], error: "is required when the stock is managed", ...coded("required") },
];

export const countedStockIsManaged: StockRule = [
  ({ manage_stock, stock_quantity }) => manage_stock !== false || typeof stock_quantity !== "number",
  { path: ["stock_quantity"], error: "is for products whose stock is managed", ...coded("not_applicable") },
];

const adjustmentFields = {
  delta: z
    .int()
    .min(-MAX_STOCK)
    .max(MAX_STOCK)
    .refine((delta) => delta !== 0, "must not be 0")
    .optional()
    .describe("Units added to the stock. Negative to remove units"),
  quantity: StockQuantity.optional().describe(
    "Counted stock, including units of orders that are not shipped yet. Replaces `delta`",
  ),
  reason: line(200),
};

export const UnitsAdjustment = z
  .strictObject(adjustmentFields)
  .refine(({ delta, quantity }) => (delta === undefined) !== (quantity === undefined), {
    path: ["delta"],
    error: "send either a change or a new count",
  })
  .meta({ id: "UnitsAdjustment" });
type UnitsAdjustment = z.output<typeof UnitsAdjustment>;

export const StockAdjustmentCreate = z
  .strictObject({
    ...adjustmentFields,
    license_keys: UploadedKeys.optional().describe(
      "License keys to add if the product's are `uploaded`, in the order of sale. Replaces `delta`",
    ),
    withdrawn_license_keys: UploadedKeys.optional().describe(
      "Unsold license keys to remove, such as wrong ones. They can be added again. Replaces `delta`",
    ),
  })
  .refine(({ reason: _, ...changes }) => Object.values(changes).filter((value) => value !== undefined).length === 1, {
    path: ["delta"],
    error: "must be either a change, a new count or license keys",
  })
  .meta({ id: "StockAdjustmentCreate" });
export type StockAdjustmentCreate = z.output<typeof StockAdjustmentCreate>;

export const StockAdjustment = z
  .object({
    id: z.int(),
    product_id: z.int(),
    delta: z.int(),
    reason: z.string(),
    actor: z.string(),
    created_at: Timestamp,
  })
  .meta({ id: "StockAdjustment" });

export const toStockAdjustment = (row: typeof stockAdjustments.$inferSelect): z.output<typeof StockAdjustment> =>
  toRecord(StockAdjustment, row, {});
