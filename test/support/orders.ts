import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { expect } from "vitest";
import { selectOrders } from "../../src/checkout/orders/orders.ts";
import { handlePaymentEvent } from "../../src/checkout/payments/handle-event.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { call } from "./call.ts";
import { aProduct, aUser, db, onPurpose, orderOf } from "./shop.ts";

type Buyer = Awaited<ReturnType<typeof aUser>>;
type Sold = Awaited<ReturnType<typeof aProduct>>;

/** Any other member is a field of the order. */
type Ordered = {
  buyer?: Buyer | undefined;
  product?: Sold;
  quantity?: number;
  send?: typeof call;
  [field: string]: unknown;
};

/** Places an order that is accepted: by default one unit of a new product, of which there are 10, from a new buyer's wallet. */
export async function placeOrder({ buyer, product, quantity = 1, send = call, ...more }: Ordered = {}) {
  const user = buyer ?? (await aUser({ wallet: 100_000 }));
  const sold = product ?? (await aProduct({ stock: 10 }));
  const sent = { as: user.token, body: orderOf(sold, quantity, more), headers: onPurpose() };
  const { status, body } = await send("POST /orders", sent);
  expect([status, body.errors]).toEqual([201, undefined]);
  const { id, number, items } = body.data;
  const cancel = () => send(`POST /account/orders/${id}/cancel`, { as: user.token });
  return {
    user,
    product: sold,
    order: body.data,
    id: Number(id),
    number: String(number),
    item: Number(items[0].id),
    cancel,
  };
}

/** The current row of an order. */
export async function orderNow(id: number) {
  const order = await selectOrders(db).where(eq(tables.orders.id, id)).get();
  if (!order) throw new Error(`There is no order ${id}`);
  return order;
}

export const productNow = (id: number) => db.select().from(tables.products).where(eq(tables.products.id, id)).get();

export const userNow = (id: number) => db.select().from(tables.users).where(eq(tables.users.id, id)).get();

let events = 0;

/** Pays the order as a provider's event does. */
export const pay = async (id: number, payment = `payment-${id}`) => {
  const { reference, total, currency } = await orderNow(id);
  const event = {
    id: `event-${++events}`,
    kind: "paid",
    order: { reference, total, currency },
    reference: payment,
    amount: total,
    currency,
  } as const;
  const author = { actor: "stripe", address: null, requestId: "test", now: Date.now() };
  await handlePaymentEvent({ db, author }, { ...event, provider: "stripe" });
};

/** Adds money to a wallet, as an administrator does. */
export const creditWallet = (userId: number, amount: number) =>
  env.DB.prepare(
    `INSERT INTO transactions (user_id, kind, method, amount, balance_after, created_at)
     SELECT id, 'credit', 'wallet', ?2, wallet_balance + ?2, ?3 FROM users WHERE id = ?1`,
  )
    .bind(userId, amount, Date.now())
    .run();

/** Expires an unpaid order. */
export const outlive = (id: number) =>
  db
    .update(tables.orders)
    .set({ expiresAt: sql`${tables.orders.createdAt} - 1` })
    .where(sql`${tables.orders.id} = ${id} AND ${tables.orders.status} = 'pending'`);
