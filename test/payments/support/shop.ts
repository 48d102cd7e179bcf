import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { expireOrders } from "../../../src/checkout/orders/change.ts";
import { closePayments } from "../../../src/checkout/payments/close-payments.ts";
import { sendRefunds } from "../../../src/checkout/payments/send-refunds.ts";
import { confirmTestPayments } from "../../../src/checkout/payments/test-payments.ts";
import * as tables from "../../../src/platform/db/schema.ts";
import { readSettings } from "../../../src/platform/settings/settings.ts";
import { callWith } from "../../support/call.ts";
import { aProduct, aUser, db, orderOf } from "../../support/shop.ts";

/** URLs that buyers return to from a provider. */
export const RETURN_URL = "https://shop.test/orders/{reference}?paid";

export const orderNow = (id: number) => db.select().from(tables.orders).where(eq(tables.orders.id, id)).get();
export const stockOf = async ({ id }: { id: number }) =>
  (await db.select().from(tables.products).where(eq(tables.products.id, id)).get())?.stockQuantity;
export const moneyOf = async (orderId: number) =>
  (await db.select().from(tables.transactions).where(eq(tables.transactions.orderId, orderId)).all()).map(
    ({ kind, method, amount }) => ({ kind, method, amount }),
  );
export const refundsOf = (orderId: number) =>
  db.select().from(tables.refunds).where(eq(tables.refunds.orderId, orderId)).all();
export const packagesOf = (orderId: number) =>
  db.select().from(tables.packages).where(eq(tables.packages.orderId, orderId)).all();

/** All data that a payment may change. */
export const stateOf = async (id: number, product: { id: number }) => ({
  order: await orderNow(id),
  stock: await stockOf(product),
  money: await moneyOf(id),
  refunds: await refundsOf(id),
  packages: await packagesOf(id),
});

type Product = Awaited<ReturnType<typeof aProduct>>;
type Buy = { product?: Product; quantity?: number; headers?: Record<string, string>; as?: string };

/** Places an order to be paid at the provider that these secrets enable. */
export async function buy(secrets: Partial<Env>, { product, quantity = 1, headers = {}, as }: Buy = {}) {
  const bought = product ?? (await aProduct({ price: 1999, stock: 10 }));
  const { TEST_PAYMENTS, PAYPAL_CLIENT_ID } = secrets;
  const payment_method = TEST_PAYMENTS === "true" ? "test_card" : PAYPAL_CLIENT_ID ? "paypal" : "credit_card";
  const token = as ?? (await aUser()).token;
  const body = orderOf(bought, quantity, { payment_method });
  const answer = await callWith(secrets, "POST /orders", { as: token, body, headers });
  return { answer, order: answer.body.data, product: bought, token };
}

/** Runs the tasks of the schedule that are about payments, in a deployment with these secrets. */
export async function settlePayments(secrets: object, now = Date.now()): Promise<void> {
  const ctx = { db, settings: readSettings({ ...env, ...secrets }) };
  await confirmTestPayments(ctx, now);
  await sendRefunds(ctx, now);
  await closePayments(ctx, now);
}

/** Lets an order's half hour pass, and expires the order. */
export async function expire(id: number): Promise<void> {
  await db
    .update(tables.orders)
    .set({ expiresAt: Date.now() - 1 })
    .where(eq(tables.orders.id, id));
  await expireOrders(db, Date.now());
  expect((await orderNow(id))?.status).toBe("expired");
}
