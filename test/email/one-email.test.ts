import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { handlePaymentEvent } from "../../src/checkout/payments/handle-event.ts";
import { MINUTE_MS } from "../../src/domain/time.ts";
import { emailSwitches, emails, orders } from "../../src/platform/db/schema.ts";
import { queueEventEmails } from "../../src/platform/email/follow.ts";
import { call } from "../support/call.ts";
import { delivered } from "../support/emails.ts";
import { orderNow } from "../support/orders.ts";
import { aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";

beforeEach(async () => {
  await db.batch([db.delete(emails), db.delete(emailSwitches)]);
});

/** An order whose buyer is on the provider's page. */
async function aCardOrder() {
  const buyer = await aUser();
  const product = await aProduct({ price: 2000 });
  const body = orderOf(product, 1, { payment_method: "credit_card" });
  const placed = await call("POST /orders", { as: buyer.token, body, headers: onPurpose() });
  const id = Number(placed.body.data.id);
  const provider = { paymentProvider: "stripe", paymentUrl: "https://pay.test/1", paymentReference: `cs_${id}` };
  await db.update(orders).set(provider).where(eq(orders.id, id));
  await queueEventEmails(db, Date.now());
  return { id, buyer };
}

async function pay(id: number, now = Date.now()) {
  const { reference, total, currency } = await orderNow(id);
  const author = { actor: "stripe", address: null, requestId: "test", now };
  const order = { reference, total, currency };
  const event = { id: `paid-${id}`, kind: "paid", order, amount: total, currency } as const;
  await handlePaymentEvent({ db, author }, { ...event, provider: "stripe", reference: `cs_${id}` });
  await queueEventEmails(db, now);
}

const later = () => Date.now() + 15 * MINUTE_MS;

it("confirms an order and its payment in one e-mail if it is paid within minutes", async () => {
  const { id, buyer } = await aCardOrder();
  expect(await delivered(buyer.email)).toEqual([]);
  await pay(id);
  const [only, ...others] = await delivered(buyer.email);
  expect(only?.text).toContain("Thank you for your order.\n\nPaid by credit card.");
  expect(others).toEqual([]);
  expect(await delivered(buyer.email, later())).toEqual([]);
});

it("asks a buyer who has not paid after some minutes to do so, and then confirms the payment", async () => {
  const { id, buyer } = await aCardOrder();
  const [waiting] = await delivered(buyer.email, later());
  expect(waiting?.text).toContain("Pay now:\nhttps://pay.test/1");
  await pay(id, later());
  const [paid, ...others] = await delivered(buyer.email, later() + MINUTE_MS);
  expect(paid?.subject).toMatch(/^Payment received/);
  expect(others).toEqual([]);
});

it("does not confirm an order that was cancelled instead of paid", async () => {
  const { id, buyer } = await aCardOrder();
  await call(`POST /account/orders/${id}/cancel`, { as: buyer.token });
  await queueEventEmails(db, Date.now());
  expect((await delivered(buyer.email, later())).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/was cancelled$/),
  ]);
});

it("confirms the payment at once if confirmations of orders are switched off", async () => {
  await db.insert(emailSwitches).values({ template: "order_confirmation", off: true });
  const { id, buyer } = await aCardOrder();
  await pay(id);
  expect((await delivered(buyer.email)).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Payment received/),
  ]);
});
