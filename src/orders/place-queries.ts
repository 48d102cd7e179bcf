import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { auditEntry } from "../audit/queries.ts";
import type { Database } from "../db/client.ts";
import { grantsFiles } from "../db/grants-files.ts";
import { products, users } from "../db/schema.ts";
import { placingOf } from "./audit.ts";
import type { OrderDraft } from "./draft.ts";
import { payOrder } from "./pay-queries.ts";
import type { OrderState } from "./refusal.ts";
import { customerOf, selectResent } from "./resent-queries.ts";
import type { OrderRow } from "./schemas.ts";
import { selectUnpaidUnits, selectWaitingOrders, setUnpaidLimits } from "./unpaid-queries.ts";
import { writeOrder } from "./write-queries.ts";

/** Writes an order with everything that it means. Null says that a guard of the database refused. */
export function insertOrder(db: Database, draft: OrderDraft): Promise<OrderRow | null> {
  const { number, actor, now } = draft;
  return writeOrder(db, number, draft, [
    ...(draft.paid ? [] : [setUnpaidLimits(draft.unpaidLimits)]),
    insertHead(draft),
    insertLines(draft),
    ...(draft.paid ? payOrder(number, { actor, now, note: null, reference: null }) : []),
    ...takeCartLines(draft),
    ...(draft.audit
      ? [auditEntry(draft.audit, placingOf(draft), sql`(SELECT id FROM orders WHERE number = ${number})`)]
      : []),
  ]);
}

/** What an order meets in the database: read when it was refused, or before a payment is opened for it. */
export async function readOrderState(db: Database, draft: OrderDraft): Promise<OrderState> {
  const { lines, userId } = draft;
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(lines.map((line) => line.productId))}))`;
  const [found, [user], [waiting], unpaid, [resent]] = await db.batch([
    db
      .select({ ...getTableColumns(products), grantsFiles })
      .from(products)
      .where(sql`${products.id} IN ${ids}`),
    db
      .select({ walletBalance: users.walletBalance })
      .from(users)
      .where(eq(users.id, userId ?? 0)),
    selectWaitingOrders(db, draft),
    selectUnpaidUnits(db, draft),
    selectResent(db, draft),
  ]);
  return {
    products: new Map(found.map((product) => [product.id, product])),
    user,
    ordersWaiting: waiting?.orders ?? 0,
    unpaidUnits: new Map(unpaid.map(({ productId, quantity }) => [productId, Number(quantity)])),
    resent: resent?.number,
  };
}

const linesOf = ({ lines }: OrderDraft): SQL =>
  sql`json_each(${JSON.stringify(lines.map(({ productId, quantity, unitPrice }) => [productId, quantity, unitPrice]))})`;

const insertHead = (draft: OrderDraft): SQL => {
  const {
    number,
    userId,
    apiKeyId,
    currency,
    total,
    paymentMethod,
    paid,
    payment,
    shippingAddress,
    expiresAt,
    fingerprint,
    now,
  } = draft;
  const { name, email } = customerOf(draft);
  const address = shippingAddress ? JSON.stringify(shippingAddress) : null;
  return sql`
    INSERT INTO orders (number, user_id, api_key_id, status, payment_status, fulfillment_status, currency, subtotal, total,
      payment_method, payment_provider, payment_reference, payment_url, customer_name, customer_email, shipping_address, expires_at, created_at, updated_at,
      updated_by, fingerprint, keyed)
    SELECT ${number}, ${userId}, ${apiKeyId}, 'pending', ${payment ? "requires_action" : "unpaid"},
      CASE WHEN EXISTS (
        SELECT 1 FROM ${linesOf(draft)} AS line JOIN products ON products.id = line.value ->> 0
        WHERE products.requires_shipping
      ) THEN 'unfulfilled' ELSE 'not_required' END,
      ${currency}, ${total}, ${total}, ${paymentMethod},
      ${payment?.provider ?? null}, ${payment?.reference ?? null}, ${payment?.url ?? null},
      ${name}, ${email}, ${address}, ${paid ? null : expiresAt}, ${now}, ${now}, ${draft.actor},
      ${fingerprint}, ${draft.claim !== undefined}`;
};

/** The snapshot of what is sold; each line allocates its stock, and is refused when its price is not the catalogue's. */
const insertLines = (draft: OrderDraft): SQL => sql`
  INSERT INTO order_items (order_id, product_id, name, sku, type, requires_shipping, quantity, unit_price, total)
  SELECT orders.id, line.value ->> 0, products.name, products.sku, products.type, products.requires_shipping,
    line.value ->> 1, line.value ->> 2, (line.value ->> 1) * (line.value ->> 2)
  FROM orders JOIN ${linesOf(draft)} AS line LEFT JOIN products ON products.id = line.value ->> 0
  WHERE orders.number = ${draft.number}
  ORDER BY line.key`;

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
