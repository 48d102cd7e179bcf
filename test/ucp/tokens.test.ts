import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { orders, paymentsToClose, transactions } from "../../src/platform/db/schema.ts";
import { everyMinute } from "../../src/scheduled.ts";
import { script, sent } from "../payments/support/stand-in.ts";
import { stripeAccount, tellStripe } from "../payments/support/stripe.ts";
import { callWith } from "../support/call.ts";
import { aShippingMethod } from "../support/pricing.ts";
import { aProduct, db } from "../support/shop.ts";
import { aReadySession, ask, complete, openToAgents, paidBy } from "./agent.ts";
import { UcpCheckout } from "./shapes.ts";

// Payments without a person, by Stripe's shared payment tokens.

const ACCOUNT = stripeAccount("tokens");
const STRIPE = { ...ACCOUNT, STRIPE_PROFILE_ID: "profile_test_shop" };

beforeAll(async () => {
  await openToAgents();
  await aShippingMethod({ name: "Post", price: 500 });
});

let tokens = 0;

/** A new token that the buyer granted to the agent. */
const aToken = (kind = "granted") => `spt_${kind}_${++tokens}`;

const aSession = async (price = 2_000, stock = 10) => {
  const product = await aProduct({ price, stock });
  return { product, session: UcpCheckout.parse(await aReadySession(product, {}, STRIPE)) };
};

const pay = async (id: string, token: string, headers = {}) =>
  complete(id, paidBy(token, "stripe_payments"), { bindings: STRIPE, headers });

/** The requests of an intent, as paths after its own, and its amount. */
async function intentOf(token: string) {
  const [confirmation] = await sent(token, "POST /v1/payment_intents/");
  const id = confirmation?.line.split("/")[3] ?? "";
  const lines = (await sent(id, "POST /v1/payment_intents/")).map(({ line }) => line.split("/")[4]);
  return { id, lines };
}

const orderOf = (label = "") => db.select().from(orders).where(eq(orders.number, label)).get();
const chargesOf = async (id = 0) =>
  (await db.select().from(transactions).where(eq(transactions.orderId, id)).all()).map(({ kind, amount }) => [
    kind,
    amount,
  ]);
const toClose = (reference: string) => db.$count(paymentsToClose, eq(paymentsToClose.reference, reference));
const inMinutes = (minutes: number) => everyMinute({ ...env, ...STRIPE }, Date.now() + minutes * 60_000);

it("offers Stripe's handler to the account's profile, and only with one", async () => {
  const { body } = await callWith(STRIPE, "GET https://shop.test/.well-known/ucp");
  expect(body.ucp.payment_handlers["com.stripe.payments"]).toMatchObject([
    { id: "stripe_payments", config: { environment: "sandbox", business_profile: "profile_test_shop" } },
  ]);
  const { session } = await aSession();
  expect(session.status).toBe("ready_for_complete");
  const without = await aReadySession(await aProduct(), {}, ACCOUNT);
  expect(without.ucp.payment_handlers["com.stripe.payments"]).toBeUndefined();
  expect(without.status).toBe("requires_escalation");
});

it("reserves the session's total, places the order and collects the money", async () => {
  const { session } = await aSession();
  const token = aToken();
  const done = UcpCheckout.parse((await pay(session.id, token)).body);
  expect(done.status).toBe("completed");
  const order = await orderOf(done.order?.label);
  const { id, lines } = await intentOf(token);
  expect(order).toMatchObject({ paymentStatus: "paid", paymentProvider: "stripe", paymentReference: id, total: 2_500 });
  expect(lines).toEqual(["confirm", "capture"]);
  const [created] = await sent(order?.reference ?? "", "POST /v1/payment_intents");
  expect(Object.fromEntries(new URLSearchParams(created?.body))).toEqual({
    amount: "2500",
    currency: "usd",
    capture_method: "manual",
    "payment_method_types[0]": "card",
    "metadata[order_reference]": order?.reference,
  });
  expect(await chargesOf(order?.id)).toEqual([["charge", -2_500]]);
  expect(await toClose(id)).toBe(0);
});

it.each(["declined", "asks", "499"])(
  "leaves the session as it was if the token is %s, and reserves nothing",
  async (kind) => {
    const { session, product } = await aSession();
    const token = aToken(kind);
    const { messages, ...failed } = UcpCheckout.parse((await pay(session.id, token)).body);
    expect(failed).toEqual(session);
    expect(messages).toMatchObject([{ code: "payment_failed", path: "$.payment.instruments[0]" }]);
    const { id, lines } = await intentOf(token);
    expect(lines).toEqual(["confirm", "cancel"]);
    expect(await toClose(id)).toBe(0);
    expect(UcpCheckout.parse((await pay(session.id, aToken())).body).status).toBe("completed");
    expect((await ask(`GET /checkout-sessions/${session.id}`, { bindings: STRIPE })).body.status).toBe("completed");
    expect(product.stockQuantity).toBe(10);
  },
);

it("asks Stripe nothing for what is no shared payment token", async () => {
  const { session } = await aSession();
  const { messages } = UcpCheckout.parse((await pay(session.id, "tok_of_another_kind")).body);
  expect(messages).toMatchObject([{ code: "missing", path: "$.payment.instruments" }]);
  expect(await sent("tok_of_another_kind")).toEqual([]);
});

it("collects one payment for a session that is completed several times at once or again", async () => {
  const { session } = await aSession();
  const names = Array.from({ length: 5 }, () => aToken());
  const answers = await Promise.all(names.map((token) => pay(session.id, token)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
  const again = UcpCheckout.parse((await pay(session.id, aToken())).body);
  expect(again.status).toBe("completed");
  const order = await orderOf(again.order?.label);
  expect(await chargesOf(order?.id)).toEqual([["charge", -2_500]]);
  expect(await sent(order?.reference ?? "", "POST /v1/payment_intents")).toHaveLength(1);
});

it("answers a repeated Idempotency-Key with the first answer, and charges nothing again", async () => {
  const { session } = await aSession();
  const [headers, token] = [{ "Idempotency-Key": crypto.randomUUID(), "CF-Connecting-IP": "2001:db8::77" }, aToken()];
  const first = await pay(session.id, token, headers);
  const second = await pay(session.id, token, headers);
  expect(second.body).toEqual(first.body);
  expect((await intentOf(token)).lines).toEqual(["confirm", "capture"]);
});

it("takes the amount and the currency from the session, whatever the agent sends", async () => {
  const { session } = await aSession();
  const token = aToken();
  const { payment } = paidBy(token, "stripe_payments");
  const body = { payment: { ...payment, amount: 1 }, currency: "JPY", totals: [{ type: "total", amount: 1 }] };
  expect((await complete(session.id, body, { bindings: STRIPE })).body.status).toBe("completed");
  const { id } = await intentOf(token);
  const row = await db.select().from(orders).where(eq(orders.paymentReference, id)).get();
  const [created] = await sent(row?.reference ?? "", "POST /v1/payment_intents");
  expect(created?.body).toContain("amount=2500&currency=usd");
});

it("releases the money if the order cannot be placed", async () => {
  const { session, product } = await aSession(2_000, 1);
  const token = aToken();
  const rival = UcpCheckout.parse(await aReadySession(product, {}, STRIPE));
  const [winner, loser] = await Promise.all([pay(session.id, token), pay(rival.id, aToken("rival"))]);
  const all = [winner, loser].map(({ body }) => UcpCheckout.parse(body));
  expect(all.filter(({ status }) => status === "completed")).toHaveLength(1);
  expect(all.find(({ order }) => !order)?.messages?.[0]?.code).toBe("out_of_stock");
  expect(await db.$count(paymentsToClose)).toBe(0);
});

it("releases by the schedule what a request reserved that ended before its order", async () => {
  const { session } = await aSession();
  const token = aToken();
  await script({ line: "POST /v1/payment_intents/", about: token, status: 500, times: 2 });
  await script({ line: "POST /v1/payment_intents/", about: "/cancel", status: 503, times: 2 });
  expect((await pay(session.id, token)).status).toBe(503);
  const { id } = await intentOf(token);
  expect(await toClose(id)).toBe(1);
  await inMinutes(2);
  expect(await toClose(id)).toBe(1);
  await inMinutes(10);
  expect(await toClose(id)).toBe(0);
  expect((await intentOf(token)).lines.at(-1)).toBe("cancel");
  expect((await ask(`GET /checkout-sessions/${session.id}`, { bindings: STRIPE })).body.status).toBe(
    "ready_for_complete",
  );
});

/** Places an order whose money is not collected, because Stripe answers the capture with an error. */
async function anUncollectedOrder() {
  const { session } = await aSession();
  const token = aToken();
  await script({ line: "POST /v1/payment_intents/", about: "/capture", status: 500, times: 2 });
  const waiting = UcpCheckout.parse((await pay(session.id, token)).body);
  expect(waiting.status).toBe("complete_in_progress");
  return { session, order: await orderOf(waiting.order?.label), id: (await intentOf(token)).id };
}

it("collects by the schedule the money of an order whose request ended before", async () => {
  const { session, order } = await anUncollectedOrder();
  await inMinutes(10);
  expect(await chargesOf(order?.id)).toEqual([["charge", -2_500]]);
  expect((await ask(`GET /checkout-sessions/${session.id}`, { bindings: STRIPE })).body.status).toBe("completed");
  expect(await db.$count(paymentsToClose)).toBe(0);
});

it("collects it when the session is completed again, or learns of it by an event, and once", async () => {
  const { session, order, id } = await anUncollectedOrder();
  expect((await pay(session.id, aToken())).body.status).toBe("completed");
  const object = {
    id,
    status: "succeeded",
    amount_received: 2_500,
    currency: "usd",
    metadata: { order_reference: order?.reference },
  };
  const payload = JSON.stringify({ id: "evt_captured", type: "payment_intent.succeeded", data: { object } });
  expect((await tellStripe(ACCOUNT, { payload })).status).toBe(200);
  expect(await chargesOf(order?.id)).toEqual([["charge", -2_500]]);
  const lost = await anUncollectedOrder();
  const metadata = { order_reference: lost.order?.reference };
  const told = {
    id: "evt_lost",
    type: "payment_intent.succeeded",
    data: { object: { ...object, id: lost.id, metadata } },
  };
  await tellStripe(ACCOUNT, { payload: JSON.stringify(told) });
  expect(await chargesOf(lost.order?.id)).toEqual([["charge", -2_500]]);
});

it("releases the money of an order that was cancelled before it was collected", async () => {
  const { order, id } = await anUncollectedOrder();
  await db
    .update(orders)
    .set({ status: "cancelled" })
    .where(eq(orders.id, order?.id ?? 0));
  await inMinutes(10);
  expect((await sent(id, "POST /v1/payment_intents/")).at(-1)?.line).toContain("/cancel");
  expect(await chargesOf(order?.id)).toEqual([]);
});
