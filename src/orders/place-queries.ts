import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "../db/client.ts";
import { orders, products, users } from "../db/schema.ts";
import { isViolation } from "../db/violation.ts";
import type { OrderDraft } from "./draft.ts";
import { grantPackages } from "./grant-queries.ts";
import { selectOrders } from "./queries.ts";
import type { OrderState } from "./refusal.ts";
import type { OrderRow } from "./schemas.ts";

/**
 * Writes an order with everything that it means, in one batch: all of it happens, or nothing does. The guards stand in
 * the database (migrations/0001_guards.sql); null says that one of them refused.
 */
export async function insertOrder(db: Database, draft: OrderDraft): Promise<OrderRow | null> {
  const [packages, packageFiles] = grantPackages(draft.number, draft.now);
  const [spent, left] = takeCartLines(draft);
  try {
    const results = await db.batch([
      statement(db, insertHead(draft)),
      statement(db, insertLines(draft)),
      statement(db, insertHistory(draft)),
      statement(db, chargeWallet(draft)),
      statement(db, packages),
      statement(db, packageFiles),
      statement(db, spent),
      statement(db, left),
      selectOrders(db).where(eq(orders.number, draft.number)),
    ]);
    return results[8][0] ?? null;
  } catch (error) {
    if (isViolation(error)) return null;
    throw error;
  }
}

/** What a refused order met: read after the fact, so that a good order pays nothing for it. */
export async function readOrderState(db: Database, { lines, userId }: OrderDraft): Promise<OrderState> {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(lines.map((line) => line.productId))}))`;
  const [found, [user]] = await db.batch([
    db.select().from(products).where(sql`${products.id} IN ${ids}`),
    db
      .select({ walletBalance: users.walletBalance, disabledAt: users.disabledAt })
      .from(users)
      .where(eq(users.id, userId ?? 0)),
  ]);
  return { products: new Map(found.map((product) => [product.id, product])), user };
}

const linesOf = ({ lines }: OrderDraft): SQL =>
  sql`json_each(${JSON.stringify(lines.map(({ productId, quantity, unitPrice }) => [productId, quantity, unitPrice]))})`;

const insertHead = (draft: OrderDraft): SQL => {
  const { number, userId, apiKeyId, currency, total, paymentMethod, paid, customer, shippingAddress, expiresAt, now } =
    draft;
  const address = shippingAddress ? JSON.stringify(shippingAddress) : null;
  return sql`
    INSERT INTO orders (number, user_id, api_key_id, status, payment_status, fulfillment_status, currency, subtotal, total,
      payment_method, paid_at, customer_name, customer_email, shipping_address, expires_at, created_at, updated_at)
    SELECT ${number}, ${userId}, ${apiKeyId},
      CASE WHEN NOT ${paid} THEN 'pending' WHEN ships THEN 'processing' ELSE 'completed' END,
      ${paid ? "paid" : "unpaid"}, CASE WHEN ships THEN 'unfulfilled' ELSE 'not_required' END,
      ${currency}, ${total}, ${total}, ${paymentMethod}, ${paid ? now : null},
      coalesce(${customer?.name ?? null}, (SELECT name FROM users WHERE id = ${userId})),
      coalesce(${customer?.email ?? null}, (SELECT email FROM users WHERE id = ${userId})),
      ${address}, ${expiresAt}, ${now}, ${now}
    FROM (SELECT EXISTS (
      SELECT 1 FROM ${linesOf(draft)} AS line JOIN products ON products.id = line.value ->> 0 WHERE products.requires_shipping
    ) AS ships)`;
};

/** The snapshot of what is sold; each line takes its stock, and is refused when its price is not the catalogue's. */
const insertLines = (draft: OrderDraft): SQL => sql`
  INSERT INTO order_items (order_id, product_id, name, sku, type, requires_shipping, quantity, unit_price, total)
  SELECT orders.id, line.value ->> 0, products.name, products.sku, products.type, products.requires_shipping,
    line.value ->> 1, line.value ->> 2, (line.value ->> 1) * (line.value ->> 2)
  FROM orders JOIN ${linesOf(draft)} AS line LEFT JOIN products ON products.id = line.value ->> 0
  WHERE orders.number = ${draft.number}
  ORDER BY line.key`;

const insertHistory = ({ number, actor, now }: OrderDraft): SQL => sql`
  INSERT INTO order_history (order_id, at, "from", "to", actor)
  SELECT id, ${now}, NULL, status, ${actor} FROM orders WHERE number = ${number}`;

const chargeWallet = ({ number, now }: OrderDraft): SQL => sql`
  INSERT INTO transactions (user_id, order_id, kind, method, amount, balance_after, created_at)
  SELECT users.id, orders.id, 'charge', 'wallet', -orders.total, users.wallet_balance - orders.total, ${now}
  FROM orders JOIN users ON users.id = orders.user_id
  WHERE orders.number = ${number} AND orders.payment_method = 'wallet' AND orders.total > 0`;

/** What was ordered leaves the cart; a line that held more keeps the rest. */
const takeCartLines = (draft: OrderDraft): [spent: SQL, left: SQL] => {
  const ordered = sql`(SELECT value ->> 0 AS product_id, sum(value ->> 1) AS quantity FROM ${linesOf(draft)} GROUP BY 1)`;
  const cart = sql`cart_id IN (SELECT id FROM carts WHERE user_id = ${draft.userId} OR token_hash = ${draft.cartTokenHash})`;
  return [
    sql`DELETE FROM cart_items WHERE ${cart} AND EXISTS (
      SELECT 1 FROM ${ordered} AS ordered
      WHERE ordered.product_id = cart_items.product_id AND ordered.quantity >= cart_items.quantity)`,
    sql`UPDATE cart_items SET quantity = cart_items.quantity - ordered.quantity FROM ${ordered} AS ordered
      WHERE ${cart} AND ordered.product_id = cart_items.product_id`,
  ];
};
