import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addUpAllSales } from "../../src/back-office/sales/add-up.ts";
import { type TestEvent, testEventRequest } from "../../src/checkout/payments/test-card.ts";
import { sales, testPayments } from "../../src/platform/db/schema.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { callWith } from "../support/call.ts";
import { LONG } from "../support/long.ts";
import { anAdministrator } from "../support/panel.ts";
import { expectRefusal } from "../support/refusal.ts";
import { runsOf } from "../support/runs.ts";
import { asAdministrator } from "../support/settings.ts";
import { aProduct, aUser, db, orderOf } from "../support/shop.ts";
import { watched } from "../support/watched.ts";
import { buy, moneyOf, orderNow, refundsOf, settlePayments, stateOf } from "./support/shop.ts";
import { askTestPage, chooseOutcome, TEST_CARD } from "./support/test-card.ts";

const { linkSecrets } = readSettings(env);
const minute = (ahead = 0) => settlePayments(TEST_CARD, Date.now() + ahead);

const paymentOf = (order: { reference: string }) =>
  db.select().from(testPayments).where(eq(testPayments.orderReference, order.reference)).get();

/** The event that the provider sends for a paid order. */
async function paidEvent(order: { reference: string }): Promise<TestEvent> {
  const { reference = "", amount = 0, currency = "" } = (await paymentOf(order)) ?? {};
  return {
    id: `paid-${reference}`,
    type: "paid",
    payment: reference,
    order_reference: order.reference,
    amount,
    currency,
  };
}

const tell = async (request: Request, sent: { body?: string; headers?: Record<string, string> } = {}) =>
  callWith(TEST_CARD, "POST https://shop.test/api/v1/webhooks/test", {
    body: sent.body ?? (await request.text()),
    headers: { ...Object.fromEntries(request.headers), ...sent.headers },
  });

const tellOf = async (event: TestEvent) => tell(testEventRequest(event, linkSecrets, "https://shop.test"));

const cancel = (order: { id: number }, as: string) =>
  callWith(TEST_CARD, `POST /account/orders/${order.id}/cancel`, { as, headers: { "Idempotency-Key": `${order.id}` } });

it("refuses to run unless the deployment is declared as staging, and names the setting", async () => {
  const live = { TEST_PAYMENTS: "true", STAGING: "false", DEVELOPMENT: "false" } as const;
  expect(() => readSettings({ ...env, ...live })).toThrow(
    "TEST_PAYMENTS is true, but the deployment is no staging one",
  );
  expect((await callWith(live, "GET /products")).status).toBe(500);
  expect(() => readSettings({ ...env, ...TEST_CARD, WORKER_URL: "" })).toThrow("WORKER_URL is empty");
  expect(readSettings(env).test).toBeNull();
  expect(readSettings({ ...env, ...live, DEVELOPMENT: "true" }).test).toMatchObject({ baseUrl: env.WORKER_URL });
});

it("has no page, no webhook and no orders while it is switched off", async () => {
  const { order } = await buy(TEST_CARD);
  const off = { ...TEST_CARD, TEST_PAYMENTS: "false" } as const;
  const { url } = order.payment.next_action;
  expect((await askTestPage(url, undefined, off)).status).toBe(404);
  expect((await askTestPage(url, "succeed", off)).status).toBe(404);
  expect((await callWith(off, "POST https://shop.test/api/v1/webhooks/test", { body: "{}" })).status).toBe(404);
  const body = orderOf(await aProduct(), 1, { payment_method: "test_card" });
  expectRefusal(await callWith(off, "POST /orders", { as: (await aUser()).token, body }), 400, "payment_method");
});

it("accepts a payment on its page once, and leads back to the shop", async () => {
  const { order, product, answer } = await buy(TEST_CARD);
  expect(answer.body.data).toMatchObject({
    status: "pending",
    payment_status: "requires_action",
    payment: { provider: "test", next_action: { type: "redirect" } },
  });
  const { url } = order.payment.next_action;
  const page = await askTestPage(url);
  expect(page.status).toBe(200);
  for (const words of [order.reference, "$19.99", "No money moves"]) expect(page.html).toContain(words);
  const clicks = await Promise.all([chooseOutcome(order, "succeed"), chooseOutcome(order, "succeed")]);
  expect(clicks.map(({ status }) => status)).toEqual([303, 303]);
  expect(await orderNow(order.id)).toMatchObject({ status: "processing", paymentStatus: "paid" });
  expect(await moneyOf(order.id)).toEqual([{ kind: "charge", method: "test_card", amount: -1999 }]);
  const after = await askTestPage(url);
  expect(after.html).toContain("Payment received");
  expect(after.headers.get("Refresh")).toBe(`0; url=https://shop.test/orders/${order.reference}?paid`);
  const before = await stateOf(order.id, product);
  await chooseOutcome(order, "succeed");
  await minute(120_000);
  expect(await stateOf(order.id, product)).toEqual(before);
});

it("pays exactly once, whichever call to the database fails while the buyer pays", LONG, async () => {
  for (let at = 1, failed = true; failed; at++) {
    const { order } = await buy(TEST_CARD);
    let calls = 0;
    failed = false;
    const broken = watched<Env>(env, async (storage, call) => {
      if (storage !== "d1" || ++calls !== at) return call();
      failed = true;
      await call();
      throw new Error("D1_ERROR: Network connection lost.");
    });
    await askTestPage(order.payment.next_action.url, "succeed", { ...broken, ...TEST_CARD });
    if ((await paymentOf(order))?.state === "open") await chooseOutcome(order, "succeed");
    await minute(120_000);
    expect(await orderNow(order.id)).toMatchObject({ status: "processing", paymentStatus: "paid" });
    expect(await moneyOf(order.id)).toHaveLength(1);
  }
});

it("lets the buyer try again after a declined card", async () => {
  const { order } = await buy(TEST_CARD);
  const declined = await chooseOutcome(order, "fail");
  expect(declined.headers.get("Location")).toMatch(/\?declined$/);
  expect(await orderNow(order.id)).toMatchObject({ status: "pending", paymentStatus: "failed" });
  expect((await askTestPage(`${order.payment.next_action.url}?declined`)).html).toContain("The card was declined");
  await chooseOutcome(order, "succeed");
  expect(await orderNow(order.id)).toMatchObject({ status: "processing", paymentStatus: "paid" });
});

it("confirms a payment a minute later, and not before", async () => {
  const { order } = await buy(TEST_CARD);
  await chooseOutcome(order, "confirm_later");
  await minute();
  expect(await orderNow(order.id)).toMatchObject({ status: "pending", paymentStatus: "requires_action" });
  expect((await askTestPage(order.payment.next_action.url)).html).toContain("Payment on its way");
  await minute(61_000);
  expect(await orderNow(order.id)).toMatchObject({ status: "processing", paymentStatus: "paid", updatedBy: "test" });
  expect(await paymentOf(order)).toMatchObject({ state: "paid", confirmAt: null });
});

it("returns a payment that is confirmed after the order was cancelled", async () => {
  const { order, token, product } = await buy(TEST_CARD);
  await chooseOutcome(order, "confirm_later");
  expect((await cancel(order, token)).status).toBe(200);
  await minute(61_000);
  await minute();
  const { order: now, stock, money } = await stateOf(order.id, product);
  expect(now).toMatchObject({ status: "cancelled", paymentStatus: "unpaid" });
  expect(stock).toBe(10);
  expect(money.map(({ kind, amount }) => [kind, amount])).toEqual([
    ["charge", -1999],
    ["refund", 1999],
  ]);
  expect(await refundsOf(order.id)).toMatchObject([
    { amount: 1999, reference: expect.stringContaining("test-refund-") },
  ]);
});

it("closes the page of a cancelled order", async () => {
  const { order, token } = await buy(TEST_CARD);
  await cancel(order, token);
  await minute();
  expect(await paymentOf(order)).toMatchObject({ state: "closed" });
  await chooseOutcome(order, "succeed");
  expect((await askTestPage(order.payment.next_action.url)).html).toContain("Payment closed");
  expect(await moneyOf(order.id)).toEqual([]);
});

it("refunds, and fails refunds if the buyer chose so", async () => {
  const as = await asAdministrator();
  const refund = async (outcome: "succeed" | "refund_fails") => {
    const { order } = await buy(TEST_CARD);
    await chooseOutcome(order, outcome);
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    await callWith(TEST_CARD, `POST /admin/orders/${order.id}/refunds`, { as, body: { amount: 5 }, headers });
    await minute();
    return (await refundsOf(order.id))[0];
  };
  expect(await refund("succeed")).toMatchObject({ amount: 500, failures: 0, reference: expect.any(String) });
  const failed = await refund("refund_fails");
  expect(failed?.reference).toBeNull();
  expect(failed?.failures).toBeGreaterThan(0);
});

describe("an event", () => {
  it("is refused in every forged form, and changes nothing", async () => {
    const { order, product } = await buy(TEST_CARD);
    const event = await paidEvent(order);
    const genuine = testEventRequest(event, linkSecrets, "https://shop.test");
    const [signature, body] = [genuine.headers.get("Test-Signature") ?? "", await genuine.text()];
    const [time = "", mac = ""] = signature.split(",v1=");
    const before = await stateOf(order.id, product);
    const signatures = [
      "",
      time,
      `${time},v1=`,
      `${time},v1=${mac.slice(0, -1)}`,
      `${time},v1=${mac.toUpperCase()}`,
      `t=${Number(time.slice(2)) + 1},v1=${mac}`,
      `t=${Number(time.slice(2)) - 301},v1=${mac}`,
    ];
    for (const forged of signatures) {
      const answer = await tell(genuine, { body, headers: { "test-signature": forged } });
      expectRefusal(answer, 400, "test-signature");
    }
    const foreign = testEventRequest(event, ["another deployment's secret, long enough"], "https://shop.test");
    expectRefusal(await tell(foreign), 400, "test-signature");
    const anyChange = fc.oneof(
      fc.record({ amount: fc.integer({ min: 0, max: 9_999_999 }).filter((amount) => amount !== event.amount) }),
      fc.record({ order_reference: fc.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/) }),
      fc.record({ payment: fc.stringMatching(/^tp_\w{1,43}$/) }),
      fc.record({ currency: fc.constantFrom("EUR", "JPY", "usd") }),
      fc.record({ type: fc.constant("failed") }),
      fc.record({ more: fc.jsonValue() }),
    );
    await fc.assert(
      fc.asyncProperty(anyChange, async (change) => {
        const changed = JSON.stringify({ ...event, ...change });
        expect((await tell(genuine, { body: changed, headers: { "test-signature": signature } })).status).toBe(400);
      }),
      { numRuns: runsOf(30) },
    );
    expect(await stateOf(order.id, product)).toEqual(before);
  });

  it("is handled once, however often it is delivered, and pays no other order", async () => {
    const [{ order, product }, other] = [await buy(TEST_CARD), await buy(TEST_CARD)];
    const event = await paidEvent(order);
    const answers = await Promise.all(Array.from({ length: 5 }, () => tellOf(event)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const once = await stateOf(order.id, product);
    expect(once.order).toMatchObject({ paymentStatus: "paid" });
    expect(once.money).toHaveLength(1);
    await tellOf(event);
    expect(await stateOf(order.id, product)).toEqual(once);
    expect(await orderNow(other.order.id)).toMatchObject({ status: "pending", paymentStatus: "requires_action" });
  });

  it("with another amount or currency than was due is returned", async () => {
    const { order, product } = await buy(TEST_CARD);
    await tellOf({ ...(await paidEvent(order)), amount: 1 });
    const { order: now, money } = await stateOf(order.id, product);
    expect(now).toMatchObject({ status: "pending", paidAt: null });
    expect(money.map(({ amount }) => amount)).toEqual([-1, 1]);
  });
});

it("tells staff on the page of payments that it is a test", async () => {
  const { get } = await anAdministrator();
  expect((await get("/admin/payments", TEST_CARD)).html).toContain("Test mode: no money moves");
  expect((await get("/admin/payments")).html).not.toContain("Test mode");
});

it("does not count as a sale, and is deleted after 90 days", async () => {
  const { order, product } = await buy(TEST_CARD);
  await tellOf(await paidEvent(order));
  await addUpAllSales(db);
  const sold = sql`${sales.dimension} = 'product' AND ${sales.key} = ${String(product.id)}`;
  expect(await db.$count(sales, sold)).toBe(0);
  await db.update(testPayments).set({ createdAt: 1 }).where(eq(testPayments.orderReference, order.reference));
  await buy(TEST_CARD);
  expect(await paymentOf(order)).toBeUndefined();
  const admin = await asAdministrator();
  await callWith(TEST_CARD, `POST /admin/orders/${order.id}/refunds`, { as: admin, body: {} });
  await minute();
  expect((await refundsOf(order.id))[0]?.reference).toMatch(/^test-/);
});
