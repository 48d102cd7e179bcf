import * as z from "zod";
import { coded, iso, line, Timestamp } from "../../domain/fields.ts";
import type { stockAdjustments } from "../../platform/db/schema.ts";

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

export const NewStockAdjustment = z
  .strictObject({
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
  })
  .refine(({ delta, quantity }) => (delta === undefined) !== (quantity === undefined), {
    path: ["delta"],
    error: "must be either a change or a new count, not both",
  })
  .meta({ id: "NewStockAdjustment" });
export type NewStockAdjustment = z.output<typeof NewStockAdjustment>;

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

export const toStockAdjustment = (row: typeof stockAdjustments.$inferSelect): z.output<typeof StockAdjustment> => ({
  id: row.id,
  product_id: row.productId,
  delta: row.delta,
  reason: row.reason,
  actor: row.actor,
  created_at: iso(row.createdAt),
});
