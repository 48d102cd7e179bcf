import { type SQL, sql } from "drizzle-orm";
import { hashPassword } from "../../src/accounts/users/sign-in/passwords.ts";
import { editPlacedOrder } from "../../src/checkout/orders/edits/edits.ts";
import { newOrderReference } from "../../src/checkout/orders/reference.ts";
import { changeOrder, createRefund } from "../../src/checkout/orders/update.ts";
import { distinctTags } from "../../src/domain/tags.ts";
import type { UserCaller } from "../../src/platform/auth/caller.ts";
import { type Database, requireRow, statement } from "../../src/platform/db/client.ts";
import { orders as ordersTable } from "../../src/platform/db/schema.ts";
import { createTags } from "../../src/platform/db/tags.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { customers } from "./customers.ts";
import { type PastOrder, unitsOf } from "./past-orders.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * Id of the last past order and of its last line. What comes next has the same ids in every demo shop, because the
 * examples of the API reference name them, and the number of past orders depends on the day.
 */
export const LAST_ID = 1000;

/** `isOwed` if the order was shipped before its payment, by cash on delivery. */
type ReferredOrder = PastOrder & { reference: string; isOwed: boolean };

/** Writes past customers, their orders and all data derived from them, in chronological order. */
export async function seedSales(env: Env, db: Database, past: PastOrder[]): Promise<void> {
  const newest = past.findLast(({ fate }) => fate === "shipped");
  const orders = past.map(
    (order): ReferredOrder => ({ ...order, reference: newOrderReference(), isOwed: order === newest }),
  );
  const of = (fate: PastOrder["fate"]) => orders.filter((order) => order.fate === fate);
  await db.run(createTags(distinctTags(customers.flatMap(({ tags }) => tags))));
  await db.run(insertCustomers(await hashPassword(crypto.randomUUID()), past));
  const goingOn = [...of("shipped"), ...of("refunded")].sort((one, other) => goesOnAt(one) - goesOnAt(other));
  let placed = 0;
  const lineCount = past.flatMap(({ lines }) => lines).length;
  const placeUntil = async (moment: number) => {
    const next = orders.filter(({ at }, index) => index >= placed && at <= moment);
    placed += next.length;
    if (next.length > 0)
      await db.batch([
        statement(db, insertOrders(next, readSettings(env).currency, LAST_ID - orders.length)),
        statement(db, insertLines(next, LAST_ID - lineCount)),
      ]);
  };
  for (const order of goingOn) {
    await placeUntil(goesOnAt(order));
    await goOn(db, order);
  }
  await placeUntil(Number.POSITIVE_INFINITY);
  await db.batch([
    statement(db, endOrders(of("completed"), "completed")),
    statement(db, endOrders(of("cancelled"), "cancelled")),
    statement(db, takeFromStock(of("cancelled"))),
  ]);
  const moved = of("paid").findLast(({ isShipped }) => isShipped);
  if (moved) await editAddress(env, db, moved);
  await db.run(sql`UPDATE refund_lines SET created_at = (
    SELECT max(at) FROM order_history JOIN order_items ON order_items.order_id = order_history.order_id
    WHERE order_items.id = order_item_id)`);
}

const rows = (list: unknown[]): SQL => sql`json_each(${JSON.stringify(list)})`;

/** Nobody knows their password. */
const insertCustomers = (passwordHash: string, past: PastOrder[]): SQL => sql`
  INSERT INTO users (email, name, role, password_hash, tags, email_verified_at, created_at, updated_at)
  SELECT value ->> 'email', value ->> 'name', 'customer', ${passwordHash}, value ->> 'tags', value ->> 'since', value ->> 'since', value ->> 'since'
  FROM ${rows(customers.map((customer, index) => ({ ...customer, since: firstOrderOf(index, past) })))} ORDER BY value ->> 'since'`;

const firstOrderOf = (customer: number, past: PastOrder[]): number =>
  (past.find((order) => order.customer === customer)?.at ?? Date.now()) - 600_000;

/** The first id is above `above`. */
const insertOrders = (orders: ReferredOrder[], currency: string, above: number): SQL => sql`
  INSERT INTO orders (id, reference, number, sequence, user_id, status, payment_status, fulfillment_status, currency, subtotal, total, payment_method,
    paid_at, customer_name, customer_email, shipping_address, created_at, updated_at, updated_by)
  SELECT coalesce((SELECT max(id) FROM orders), ${above}) + place + 1, value ->> 'reference', next.prefix || (next.sequence + place), next.sequence + place, users.id, value ->> 'status', iif(value ->> 'paidAt' IS NULL, 'unpaid', 'paid'),
    iif(value ->> 'isShipped', 'unfulfilled', 'not_required'), ${currency}, value ->> 'total', value ->> 'total',
    value ->> 'method', value ->> 'paidAt', name, email, value -> 'address', value ->> 'at', value ->> 'at', 'user:' || users.id
  FROM (SELECT value, row_number() OVER (ORDER BY value ->> 'at') - 1 AS place FROM ${rows(orders.map(orderRow))})
    JOIN users ON users.email = value ->> 'email' JOIN next_order_number AS next ORDER BY place`;

const orderRow = ({ reference, at, method, fate, lines, customer, isShipped, isOwed }: ReferredOrder) => ({
  reference,
  at,
  method: isOwed ? "cash" : method,
  isShipped,
  total: lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0),
  status: fate === "cancelled" ? "pending" : isShipped ? "processing" : "completed",
  paidAt: fate === "cancelled" || isOwed ? null : at,
  ...customers[customer],
});

/** The first id is above `above`. */
const insertLines = (orders: ReferredOrder[], above: number): SQL => sql`
  INSERT INTO order_items (id, order_id, product_id, name, sku, option_values, type, requires_shipping, category_id, cost, quantity, unit_price, total)
  SELECT coalesce((SELECT max(id) FROM order_items), ${above}) + row_number() OVER (ORDER BY orders.id), orders.id, products.id, products.name, products.sku, option_values, products.type, requires_shipping, category_id, cost, value ->> 'quantity', price,
    price * (value ->> 'quantity')
  FROM ${rows(orders.flatMap(({ reference, lines }) => lines.map((line) => ({ reference, ...line }))))}
    JOIN orders ON orders.reference = value ->> 'reference' JOIN products ON products.sku = value ->> 'sku'
  ORDER BY orders.id`;

const endOrders = (orders: ReferredOrder[], status: "completed" | "cancelled"): SQL => sql`
  UPDATE orders SET status = ${status}, updated_at = created_at + ${4 * DAY_MS}, updated_by = 'system',
    fulfillment_status = iif(${status} = 'completed' AND fulfillment_status = 'unfulfilled', 'fulfilled', fulfillment_status)
  WHERE reference IN (SELECT value FROM ${rows(orders.map(({ reference }) => reference))}) AND status <> ${status}`;

/** Cancelled units do not add to the stock stated in the catalogue. */
const takeFromStock = (orders: PastOrder[]): SQL => sql`
  UPDATE products SET stock_quantity = stock_quantity - (value ->> 1) FROM ${rows([...unitsOf(orders)])}
  WHERE sku = value ->> 0 AND manage_stock`;

/** Time at which an order is shipped or, some days later, refunded. */
const goesOnAt = ({ at, fate }: PastOrder): number => at + (fate === "refunded" ? 3 : 1) * DAY_MS;

const rowOf = async (db: Database, { reference }: ReferredOrder) =>
  requireRow(await db.select().from(ordersTable).where(sql`reference = ${reference}`).get());

const authorAt = (now: number) => ({ actor: "system", address: null, requestId: "seed", now });

/** Completes the address of an order. */
async function editAddress(env: Env, db: Database, order: ReferredOrder): Promise<void> {
  const { id, total, shippingAddress } = await rowOf(db, order);
  if (!shippingAddress) return;
  const ctx = { env, db, caller: seller, author: authorAt(order.at + HOUR_MS / 2), settings: readSettings(env) };
  const edit = {
    shipping_address: { ...shippingAddress, address2: "Second floor" },
    expected_total: total,
    received: false,
    notify: false,
    note: "Asked for by telephone.",
  };
  await editPlacedOrder(ctx, { id, ifMatch: {} }, edit);
}

/** Ships an order, or refunds it. */
async function goOn(db: Database, order: ReferredOrder): Promise<void> {
  const { fate } = order;
  const { id } = await rowOf(db, order);
  const ctx = { db, caller: seller, author: authorAt(goesOnAt(order)) };
  if (fate === "refunded") {
    await createRefund(ctx, { id, refund: { restock: false }, ifMatch: {} });
    return;
  }
  const tracking_number = `RM${id}7GB`;
  const shipment = { carrier: "Royal Mail", tracking_number, tracking_url: `https://track.example/${tracking_number}` };
  await changeOrder(ctx, { id, change: { status: "shipped", shipment, restock: false }, ifMatch: {} });
}

export const seller: UserCaller = {
  kind: "user",
  id: 0,
  role: "admin",
  sessionId: "seed",
  hasTwoFactor: false,
  authenticatedAt: 0,
};
