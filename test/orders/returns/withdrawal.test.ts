import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { emails, returns, users } from "../../../src/platform/db/schema.ts";
import { anAddress } from "../../support/call.ts";
import { aSendingShop } from "../../support/emails.ts";
import { placeOrder } from "../../support/orders.ts";
import { noRules, settleShop } from "../../support/pricing.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { aKey, aProduct, aUser, db } from "../../support/shop.ts";

const { call, received } = aSendingShop();

beforeEach(async () => {
  await noRules();
  await settleShop({ homeCountry: "DE" });
});

async function anOrder() {
  const placed = await placeOrder({ product: await aProduct({ name: "Lamp" }), quantity: 3, send: call });
  return { ...placed, reference: String(placed.order.reference), buyer: placed.user };
}

const withdraw = (body: object) => call("POST /withdrawals", { body });
const returnsOf = (id: number) => db.select().from(returns).where(eq(returns.orderId, id));
const receipts = (to: string) => received(to).filter(({ subject }) => subject.includes("withdrawal"));
const sent = ({ number, buyer }: { number: string; buyer: { email: string } }) => ({
  name: "Ada Lovelace",
  email: buyer.email,
  order: number,
});

describe("a withdrawal", () => {
  it("needs no account, makes a return, and is acknowledged at once with its content, date and time", async () => {
    const order = await anOrder();
    const answer = await withdraw(sent(order));
    expect(answer.status).toBe(200);
    expect(await returnsOf(order.id)).toMatchObject([
      {
        status: "requested",
        requestedBy: "withdrawal",
        late: false,
        withdrawal: { name: "Ada Lovelace", items: null },
      },
    ]);
    const [receipt, ...others] = receipts(order.buyer.email);
    expect(others).toEqual([]);
    expect(receipt?.subject).toBe(`We received your withdrawal from order ${order.number}`);
    for (const part of ["Ada Lovelace", order.number, "the whole order", "3 × Lamp", "not that it was accepted"]) {
      expect(receipt?.text).toContain(part);
    }
    const [{ createdAt } = { createdAt: 0 }] = await returnsOf(order.id);
    expect(receipt?.text).toContain(new Date(createdAt).toISOString().slice(11, 16));
  });

  it("of some items with an Idempotency-Key takes them once, however often it is sent", async () => {
    const order = await anOrder();
    const body = { ...sent(order), items: [{ id: order.item, quantity: 1 }] };
    const declare = () => call("POST /withdrawals", { body, headers: { "Idempotency-Key": `w-${order.id}` } });
    const first = await declare();
    const second = await declare();
    expect([second.status, second.body.data, second.headers.get("Idempotent-Replayed")]).toEqual([
      200,
      first.body.data,
      "true",
    ]);
    expect(await returnsOf(order.id)).toHaveLength(1);
    expect(receipts(order.buyer.email)).toHaveLength(1);
  });

  it("of some items takes these, and knows the order by its reference too", async () => {
    const order = await anOrder();
    await withdraw({ ...sent(order), order: order.reference.toLowerCase(), items: [{ id: order.item, quantity: 1 }] });
    expect(receipts(order.buyer.email)[0]?.text).toContain("1 × Lamp");
    await withdraw({ ...sent(order), description: "The broken one" });
    const [first, second] = await returnsOf(order.id);
    expect([first?.withdrawal?.items, second?.withdrawal?.items]).toEqual(["1 × Lamp", "The broken one"]);
  });

  it("says the same to everybody: about no order, another's address, unknown items, and twice", async () => {
    const [order, other] = [await anOrder(), await anOrder()];
    const declaration = sent(order);
    const answers = [
      await withdraw({ ...declaration, email: other.buyer.email }),
      await withdraw(declaration),
      await withdraw(declaration),
      await withdraw({ ...declaration, order: "#999999" }),
      await withdraw({ ...declaration, order: "nonsense" }),
      await withdraw({ ...sent(other), items: [{ id: order.item, quantity: 1 }] }),
    ];
    const shown = answers.map(({ status, body }) => [status, body.message, Object.keys(body.data)]);
    expect(new Set(shown.map((each) => JSON.stringify(each))).size).toBe(1);
    expect([(await returnsOf(order.id)).length, (await returnsOf(other.id)).length]).toEqual([1, 0]);
    const [first, again, ...more] = receipts(order.buyer.email);
    expect(first?.text).toContain("Ada Lovelace");
    expect([again?.text, more, receipts(other.buyer.email)]).toEqual([first?.text, [], []]);
    expect(await db.$count(emails, eq(emails.template, "withdrawal_received"))).toBeGreaterThan(0);
  });

  it("of items that are already coming back is recorded without them, and acknowledged", async () => {
    const order = await anOrder();
    const admin = await aUser({ role: "admin" });
    await call(`POST /admin/orders/${order.id}/shipments`, { as: admin.token, body: { carrier: "DHL" } });
    const asked = await call(`POST /account/orders/${order.id}/returns`, { as: order.buyer.token, body: {} });
    expect(asked.status).toBe(201);
    await withdraw({ ...sent(order), items: [{ id: order.item, quantity: 2 }] });
    expect(receipts(order.buyer.email)[0]?.text).toMatch(/Withdrawn from: 2 × Lamp\n\nPlease keep this e-mail/);
    const [, { id } = { id: 0 }] = await returnsOf(order.id);
    const approved = await call(`PUT /admin/returns/${id}`, { as: admin.token, body: { status: "approved" } });
    expectRefusal(approved, 409, "status");
    const body = { status: "declined", decline_reason: "Return 1 has these items." };
    expect((await call(`PUT /admin/returns/${id}`, { as: admin.token, body })).status).toBe(200);
  });

  it("is recorded as late after its period, and not refused", async () => {
    const order = await anOrder();
    const admin = await aUser({ role: "admin" });
    await call(`POST /admin/orders/${order.id}/shipments`, { as: admin.token, body: { carrier: "DHL" } });
    await db.run(`UPDATE shipments SET shipped_at = shipped_at - 25 * 86400000 WHERE order_id = ${order.id}`);
    expect((await withdraw(sent(order))).status).toBe(200);
    expect(await returnsOf(order.id)).toMatchObject([{ late: true, status: "requested" }]);
    expect(receipts(order.buyer.email).length).toBe(1);
  });

  it("asks for nothing but a name, an address and the order", async () => {
    const { body } = await withdraw({});
    expect(Object.keys(body.errors)).toEqual(["name", "email", "order"]);
  });

  it("has a receipt unless its unverified address got ten e-mails about orders within an hour", async () => {
    const [capped, verified] = [await anOrder(), await anOrder()];
    for (const order of [capped, verified]) {
      const row = { template: "order_shipped", userId: order.buyer.id, orderId: order.id, params: {} } as const;
      const times = { recipient: order.buyer.email, dueAt: null, state: "sent", createdAt: Date.now() } as const;
      for (let n = 0; n < 10; n++) await db.insert(emails).values({ ...row, ...times, key: crypto.randomUUID() });
    }
    await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, capped.buyer.id));
    for (const order of [capped, verified]) expect((await withdraw(sent(order))).status).toBe(200);
    expect([(await returnsOf(capped.id)).length, (await returnsOf(verified.id)).length]).toEqual([1, 1]);
    expect([receipts(capped.buyer.email).length, receipts(verified.buyer.email).length]).toEqual([0, 1]);
  });

  it("can be tried twenty times an hour for an e-mail address, by all callers together", async () => {
    const order = { name: "Ada", email: "often@shop.test", order: "#999999" };
    const [{ token }, { key }] = [await aUser(), await aKey({ tier: "premium" })];
    const callers = [undefined, token, key];
    const declare = (n: number) =>
      call("POST /withdrawals", { body: order, as: callers[n % 3], headers: { "CF-Connecting-IP": anAddress() } });
    for (let n = 0; n < 20; n++) expect((await declare(n)).status).toBe(200);
    for (let n = 0; n < 3; n++) expect((await declare(n)).status).toBe(429);
  });

  it("is not offered by a shop outside of the European Economic Area, unless it chooses to", async () => {
    const order = await anOrder();
    await settleShop({ homeCountry: "US" });
    expect((await withdraw(sent(order))).status).toBe(404);
    await settleShop({ homeCountry: "US", withdrawalDays: 30 });
    expect((await withdraw(sent(order))).status).toBe(200);
  });
});

it("is linked from e-mails about orders", async () => {
  const order = await anOrder();
  const [confirmation] = received(order.buyer.email);
  expect(confirmation?.text).toContain("Withdraw from contract here");
  expect(confirmation?.text).toContain(`/account/withdraw?order=${encodeURIComponent(order.number)}`);
});

it("has a period of at least 14 days, or none", async () => {
  const admin = await aUser({ role: "admin" });
  const put = (days: number | null) => call("PUT /admin/shop", { as: admin.token, body: { withdrawal_days: days } });
  for (const days of [1, 13, -1, 366]) expectRefusal(await put(days), 400, "withdrawal_days");
  for (const days of [0, 14, 365, null]) expect((await put(days)).body.data?.withdrawal_days).toBe(days);
});
