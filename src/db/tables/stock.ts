import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id } from "./columns.ts";
import { products } from "./products.ts";

/** Goods that came in, were counted or got lost: what people change of the stock, each time with a reason. */
export const stockAdjustments = sqliteTable(
  "stock_adjustments",
  {
    id: id(),
    productId: integer("product_id")
      .notNull()
      .references(() => products.id, { onDelete: "cascade" }),
    /** Negative takes away. The product's stock moves with it, by a trigger. */
    delta: integer().notNull(),
    reason: text().notNull(),
    /** "user:7" or "api_key:3". */
    actor: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    check("adjustment_changes_something", sql.raw(`"delta" <> 0`)),
    index("stock_adjustments_by_product").on(table.productId, table.id),
  ],
);
