import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { call, callWith } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { aUser } from "../support/shop.ts";
import { approval, paypalAccount, tellPaypal } from "./support/paypal.ts";
import { buy, refundsOf, settlePayments } from "./support/shop.ts";
import { script, sent } from "./support/stand-in.ts";
import { payByStripe, stripeAccount, tellStripe } from "./support/stripe.ts";

const STRIPE = stripeAccount("failed-refunds");
const PAYPAL = paypalAccount("failed-refunds");

let events = 0;

/** Stripe's event for the refund that was last requested, with the details of that time. */
async function tellFailure({ reference }: { reference: string }, more: Record<string, unknown> = {}) {
  const asked = (await sent(`pi_${reference}`, "POST /v1/refunds")).at(-1);
  const metadata = Object.fromEntries(
    ["order_reference", "refund", "failures"].map((name) => [
      name,
      new URLSearchParams(asked?.body).get(`metadata[${name}]`),
    ]),
  );
  const refund = { object: "refund", status: "failed", failure_reason: "expired_or_canceled_card", metadata, ...more };
  const payload = JSON.stringify({ id: `evt_refund_${++events}`, type: "refund.failed", data: { object: refund } });
  return tellStripe(STRIPE, { payload });
}

async function refunded() {
  const bought = await buy(STRIPE);
  await payByStripe(STRIPE, bought.order);
  await callWith(STRIPE, `POST /account/orders/${bought.order.id}/cancel`, { as: bought.token });
  return bought;
}

const runSchedule = () => settlePayments(STRIPE);
const requestsOf = ({ reference }: { reference: string }) => sent(`pi_${reference}`, "POST /v1/refunds");
const stepsOf = async (id: number, as: string) =>
  (await call(`GET /account/orders/${id}`, { as })).body.data.history
    .map(({ kind }: { kind: string }) => kind)
    .filter((kind: string) => kind.startsWith("refund_"));
const entriesOf = async (id: number) => {
  const { token } = await aUser({ role: "admin" });
  const { data } = (await call(`GET /admin/audit-log?subject=order&subject_id=${id}`, { as: token })).body;
  return data.filter(({ action }: { action: string }) => action === "order.refund_failed");
};

it("retries a refund that failed after it was accepted, with another id, and records it", async () => {
  const { order, token } = await refunded();
  expect(await stepsOf(order.id, token)).toEqual(["refund_sent"]);
  expect((await tellFailure(order)).status).toBe(200);
  expect((await refundsOf(order.id))[0]).toMatchObject({ reference: null, failures: 1 });
  await runSchedule();
  expect((await refundsOf(order.id))[0]?.reference).toMatch(/^re_/);
  const keys = (await requestsOf(order)).map(({ headers }) => headers["idempotency-key"]);
  expect(new Set(keys).size).toBe(2);
  expect(await stepsOf(order.id, token)).toEqual(["refund_sent", "refund_failed", "refund_sent"]);
  expect(await entriesOf(order.id)).toMatchObject([
    { actor: "stripe", after: { amount: 19.99, failures: 1, reason: "expired_or_canceled_card" } },
  ]);
  expect(await brokenInvariants()).toEqual({});
});

it("counts each attempt once, however many events report it", async () => {
  const { order, token } = await refunded();
  await Promise.all(Array.from({ length: 4 }, () => tellFailure(order)));
  expect((await refundsOf(order.id))[0]).toMatchObject({ failures: 1 });
  expect(await entriesOf(order.id)).toHaveLength(1);
  expect(await stepsOf(order.id, token)).toEqual(["refund_sent", "refund_failed"]);
});

it("gives up after three failures, and says that the money has to be sent another way", async () => {
  const { order, token } = await refunded();
  for (let failure = 0; failure < 4; failure++) {
    await tellFailure(order);
    await runSchedule();
  }
  expect(await requestsOf(order)).toHaveLength(3);
  expect((await refundsOf(order.id))[0]).toMatchObject({ reference: null, failures: 3 });
  const { history } = (await call(`GET /account/orders/${order.id}`, { as: token })).body.data;
  expect(history.at(-1)).toMatchObject({ kind: "refund_failed", note: expect.stringContaining("another way") });
});

it("also gives up if Stripe reports at once that each attempt failed", async () => {
  const bought = await buy(STRIPE);
  await payByStripe(STRIPE, bought.order);
  const body = { id: "re_failed", status: "failed" };
  await script({ line: "POST /v1/refunds", about: `pi_${bought.order.reference}`, status: 200, body, times: 9 });
  await callWith(STRIPE, `POST /account/orders/${bought.order.id}/cancel`, { as: bought.token });
  for (let run = 0; run < 4; run++) await runSchedule();
  expect(await requestsOf(bought.order)).toHaveLength(3);
});

/** Refuses the next refunds of an order at its provider. */
const refuse = {
  stripe: ({ reference }: { reference: string }, code: string) => {
    const body = { error: { type: "invalid_request_error", code } };
    return script({ line: "POST /v1/refunds", about: `pi_${reference}`, status: 400, body, times: 9 });
  },
  paypal: ({ payment }: { payment: { reference: string } }, issue: string) => {
    const body = { name: "UNPROCESSABLE_ENTITY", details: [{ issue }] };
    const about = `CAP-${payment.reference}`;
    return script({ line: "POST /v2/payments/captures/", about, status: 422, body, times: 9 });
  },
};

it.each([
  ["stripe", "charge_already_refunded"],
  ["stripe", "charge_disputed"],
  ["paypal", "CAPTURE_FULLY_REFUNDED"],
  ["paypal", "REFUND_TIME_LIMIT_EXCEEDED"],
] as const)("gives up a refund that %s refuses for good: %s", async (provider, code) => {
  const secrets = provider === "stripe" ? STRIPE : PAYPAL;
  const { order, token } = await buy(secrets);
  if (provider === "stripe") await payByStripe(STRIPE, order);
  else await tellPaypal(PAYPAL, approval(order));
  await refuse[provider](order, code);
  await callWith(secrets, `POST /account/orders/${order.id}/cancel`, { as: token });
  for (let run = 1; run <= 4; run++) await settlePayments(secrets);
  const [refund] = await refundsOf(order.id);
  expect(refund).toMatchObject({ reference: null, failures: 3 });
  const { history } = (await call(`GET /account/orders/${order.id}`, { as: token })).body.data;
  expect(history.at(-1)).toMatchObject({
    kind: "refund_failed",
    note: expect.stringContaining(`${code}. Not retried`),
  });
  const retried = "SELECT count(*) AS n FROM failed_items WHERE queue = 'send_refunds' AND item = ?";
  expect(await env.DB.prepare(retried).bind(String(refund?.id)).first("n")).toBe(0);
});

it("keeps trying a refund that the provider may accept later", async () => {
  const { order, token } = await buy(PAYPAL);
  await tellPaypal(PAYPAL, approval(order));
  await refuse.paypal(order, "REFUND_FAILED_INSUFFICIENT_FUNDS");
  await callWith(PAYPAL, `POST /account/orders/${order.id}/cancel`, { as: token });
  for (let hour = 1; hour <= 4; hour++) await settlePayments(PAYPAL, Date.now() + hour * 3_601_000);
  expect((await refundsOf(order.id))[0]).toMatchObject({ reference: null, failures: 0 });
});

it.each([
  ["were asked for elsewhere", { metadata: {} }],
  ["belong to another shop's order", { metadata: { order_reference: "0000-0000-0000", refund: "1", failures: "0" } }],
])("leaves refunds alone that %s", async (_, more) => {
  const { order } = await refunded();
  const before = await refundsOf(order.id);
  expect((await tellFailure(order, more)).status).toBe(200);
  expect(await refundsOf(order.id)).toEqual(before);
  expect(await entriesOf(order.id)).toEqual([]);
});
