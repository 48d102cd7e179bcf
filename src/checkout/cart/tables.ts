import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "../../accounts/users/tables.ts";
import { products } from "../../catalogue/products/tables.ts";
import { createdAt, foreignId, id, updatedAt } from "../../platform/db/columns.ts";
import { orders } from "../orders/tables.ts";

export const carts = sqliteTable(
  "carts",
  {
    id: id(),
    userId: integer("user_id")
      .unique()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of a guest cart's `X-Cart-Token`, in hex. */
    tokenHash: text("token_hash").unique(),
    /** Set for guest carts only. */
    expiresAt: integer("expires_at"),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("carts_by_expiry").on(table.expiresAt),
    check("cart_has_one_owner", sql.raw(`("user_id" IS NULL) <> ("token_hash" IS NULL)`)),
  ],
);

/** The response to each cart's last addition with an Idempotency-Key. Earlier ones are answered with the current cart. */
export const cartAnswers = sqliteTable("cart_answers", {
  cartId: integer("cart_id")
    .primaryKey()
    .references(() => carts.id, { onDelete: "cascade" }),
  caller: text().notNull(),
  key: text().notNull(),
  /** The cart with its lines, as JSON. */
  answer: text().notNull(),
});

export const cartItems = sqliteTable(
  "cart_items",
  {
    id: id(),
    cartId: foreignId("cart_id", () => carts.id, { onDelete: "cascade" }),
    productId: foreignId("product_id", () => products.id, { onDelete: "cascade" }),
    quantity: integer().notNull(),
    /** Price when the line was last set. The cart reports a change since then. */
    seenPrice: integer("seen_price").notNull(),
  },
  (table) => [
    check("cart_quantity_positive", sql.raw(`"quantity" > 0`)),
    index("cart_items_by_product").on(table.productId),
    uniqueIndex("cart_items_once_per_product").on(table.cartId, table.productId),
  ],
);

export const draftOrderStatuses = ["open", "sent", "placed"] as const;

/** Value that a member of staff or key gives away, and their limit for 24 hours, null if they have none. In minor units. */
export type GivenAway = { amount: number; actor: string; limit: number | null };

/** Orders that staff prepare and send to a buyer. A draft holds no stock. */
export const draftOrders = sqliteTable(
  "draft_orders",
  {
    id: id(),
    /** The reference of the order that the draft becomes, so that a draft becomes one order at most. */
    reference: text().notNull().unique(),
    status: text({ enum: draftOrderStatuses }).notNull(),
    /** Account that the draft is for. Null for a guest. */
    userId: integer("user_id").references(() => users.id),
    /** The order in the shape of a request. */
    content: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    sentAt: integer("sent_at"),
    /** Value given away, as counted when the draft was sent or changed afterwards. Null until it is sent. */
    givenAway: text("given_away", { mode: "json" }).$type<GivenAway>(),
    orderId: integer("order_id").references(() => orders.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("draft_orders_by_user").on(table.userId),
    index("draft_orders_by_status").on(table.status, table.id),
  ],
);
