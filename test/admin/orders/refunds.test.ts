import { beforeEach, describe, expect, it } from "vitest";
import { entriesOf } from "../../support/administration.ts";
import { call } from "../../support/call.ts";
import { shared } from "../../support/callers.ts";
import { brokenInvariants, stockThatCameIn } from "../../support/invariants.ts";
import { money } from "../../support/money.ts";
import { orderNow, productNow, userNow } from "../../support/orders.ts";
import { aRate, aShippingMethod, noRules, settleShop } from "../../support/pricing.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { aProduct, aUser, onPurpose, orderOf } from "../../support/shop.ts";
import { anAdministrator, placed } from "./support.ts";

const anAdmin = shared(() => anAdministrator());

let admin: Awaited<ReturnType<typeof anAdministrator>>;

beforeEach(async () => {
  admin = await anAdmin();
});

it("refunds the named units, and keeps the reason", async () => {
  const { id, item, user, product } = await placed({ quantity: 3 });
  const refund = { items: [{ id: item, quantity: 2 }], note: "Arrived late" };
  const { status, body, headers } = await admin.refund(id, refund);
  expect(status).toBe(200);
  expect(headers.get("ETag")).toBe(await admin.etagOf(id));
  expect(body.data).toMatchObject({
    status: "processing",
    payment_status: "partially_refunded",
    refunded_total: money(20),
    items: [{ quantity: 3, refunded_quantity: 2 }],
  });
  expect((await userNow(user.id))?.walletBalance).toBe(99_000);
  expect((await productNow(product.id))?.stockQuantity).toBe(7);
  expect(await entriesOf(id)).toMatchObject([
    {
      actor: `user:${admin.id}`,
      action: "order.refund",
      before: { payment_status: "paid", refunded_total: 0 },
      after: {
        payment_status: "partially_refunded",
        refunded_total: money(20),
        refunded_items: [{ id: item, quantity: 2 }],
        refunded_amount: money(20),
        restock: false,
        note: "Arrived late",
      },
    },
  ]);
  const { data } = (await admin.ask(`GET /admin/transactions?order_id=${id}&kind=refund`)).body;
  expect(data).toMatchObject([
    { amount: money(20), balance_after: money(990), user_id: user.id, note: "Arrived late" },
  ]);
  const own = (await call("GET /account/transactions", { as: user.token })).body.data[0];
  expect(own).toEqual({ ...own, id: data[0].id });
  expect(own).not.toHaveProperty("note");
});

it("refunds everything that remains, and restocks on request", async () => {
  const { id, item, user, product } = await placed({ quantity: 3 });
  await admin.refund(id, { items: [{ id: item, quantity: 1 }] });
  const { body } = await admin.refund(id, { restock: true });
  expect(body.data).toMatchObject({ status: "refunded", payment_status: "refunded", refunded_total: money(30) });
  expect((await userNow(user.id))?.walletBalance).toBe(100_000);
  expect((await productNow(product.id))?.stockQuantity).toBe(9);
  expect(await stockThatCameIn(product.id)).toBe(10);
  const [whole] = await entriesOf(id);
  expect(whole?.after).toMatchObject({ status: "refunded", refunded_amount: money(20), restock: true });
});

it.each([
  [undefined, 7],
  [true, 10],
])("refunds everything by a change to refunded as well, restocked: %s", async (restock, stock) => {
  const { id, product } = await placed({ quantity: 3 });
  await admin.ship(id);
  const { body } = await admin.change(id, { status: "refunded", ...(restock && { restock }), note: "Sent back" });
  expect(body.data).toMatchObject({ status: "refunded", refunded_total: money(30) });
  expect(body.data.history.at(-1)).toMatchObject({ from: "shipped", to: "refunded", note: "Sent back" });
  expect((await productNow(product.id))?.stockQuantity).toBe(stock);
  expect((await entriesOf(id))[0]?.action).toBe("order.refund");
});

describe("at the same moment", () => {
  it("refunds no more than was sold, and logs the refund", async () => {
    const { id, item, user } = await placed({ quantity: 5 });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => admin.refund(id, { items: [{ id: item, quantity: 2 }] })),
    );
    for (const { status } of answers) expect([200, 400, 409]).toContain(status);
    const through = answers.filter(({ status }) => status === 200).length;
    expect(through).toBeGreaterThanOrEqual(1);
    expect((await orderNow(id)).refundedTotal).toBe(through * 2000);
    expect((await userNow(user.id))?.walletBalance).toBe(95_000 + through * 2000);
    expect(await entriesOf(id)).toHaveLength(through);
    expect(await brokenInvariants()).toEqual({});
  });

  it("refunds once when two callers refund in full, by either route", async () => {
    const { id, user } = await placed({ quantity: 2 });
    const answers = await Promise.all([
      admin.refund(id),
      admin.change(id, { status: "cancelled" }),
      admin.change(id, { status: "refunded" }),
      call(`POST /account/orders/${id}/cancel`, { as: user.token }),
    ]);
    // Requesting the order's current status returns 200 and moves no money.
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect((await userNow(user.id))?.walletBalance).toBe(100_000);
    expect(await brokenInvariants()).toEqual({});
  });
});

describe("with an Idempotency-Key", () => {
  let key: Record<string, string>;

  beforeEach(() => {
    key = onPurpose();
  });

  it("happens once for ten simultaneous requests, and gives all the same response", async () => {
    const { id, item, user } = await placed({ quantity: 5 });
    const body = { items: [{ id: item, quantity: 1 }] };
    const answers = await Promise.all(Array.from({ length: 10 }, () => admin.refund(id, body, key)));
    const first = answers.find(({ headers }) => !headers.has("Idempotent-Replayed"));
    for (const { status, body } of answers) expect([status, body]).toEqual([200, first?.body]);
    expect(answers.filter(({ headers }) => headers.get("Idempotent-Replayed") === "true")).toHaveLength(9);
    expect((await userNow(user.id))?.walletBalance).toBe(96_000);
    expect(await entriesOf(id)).toHaveLength(1);
  });

  it("returns the original response, also to a request with the original version", async () => {
    const { id, item } = await placed({ quantity: 5 });
    const [body, headers] = [{ items: [{ id: item, quantity: 1 }] }, { ...key, "If-Match": await admin.etagOf(id) }];
    const first = await admin.refund(id, body, headers);
    await admin.ship(id);
    const again = await admin.refund(id, body, headers);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  });

  it("is refused for a different refund", async () => {
    const { id, item } = await placed({ quantity: 5 });
    await admin.refund(id, { items: [{ id: item, quantity: 1 }] }, key);
    expectRefusal(await admin.refund(id, { items: [{ id: item, quantity: 2 }] }, key), 409, "idempotency-key");
  });
});

it("refuses a refund of an unpaid or refunded order", async () => {
  const unpaid = await placed({ method: "paypal" });
  const refused = await admin.refund(unpaid.id);
  expect([refused.status, refused.body.details[0].allowed]).toEqual([409, ["processing", "completed", "cancelled"]]);
  const { id } = await placed();
  await admin.refund(id);
  const again = await admin.refund(id);
  expect([again.status, again.body.message]).toEqual([409, expect.stringContaining("it can no longer change")]);
});

describe("refuses wrong items", () => {
  let order: Awaited<ReturnType<typeof placed>>;
  let other: number;

  beforeEach(async () => {
    order = await placed({ quantity: 3 });
    other = (await placed()).item;
  });

  it.each([
    ["items", () => ({ items: [] })],
    ["items", () => ({ items: {} })],
    ["items", () => ({ items: Array(101).fill({ id: order.item, quantity: 1 }) })],
    ["items.0.quantity", () => ({ items: [{ id: order.item, quantity: 0 }] })],
    ["items.0.quantity", () => ({ items: [{ id: order.item, quantity: 4 }] })],
    ["items.0.quantity", () => ({ items: [{ id: order.item, quantity: 1.5 }] })],
    ["items.0.id", () => ({ items: [{ id: other, quantity: 1 }] })],
    ["items.1.id", () => ({ items: Array(2).fill({ id: order.item, quantity: 1 }) })],
    ["items.0.amount", () => ({ items: [{ id: order.item, quantity: 1, amount: money(1) }] })],
    ["restock", () => ({ restock: "yes" })],
    ["note", () => ({ note: "a\u0000b" })],
    ["amount", () => ({ amount: money(30.01) })],
    ["amount", () => ({ amount: 0 })],
    ["amount", () => ({ amount: money(-1) })],
    ["amount", () => ({ amount: 0.0001 })],
    ["amount", () => ({ amount: "10" })],
    ["amount", () => ({ amount: money(1), items: [{ id: order.item, quantity: 1 }] })],
    ["restock", () => ({ amount: money(1), restock: true })],
  ])("%s", async (field, body) => {
    const before = await orderNow(order.id);
    expectRefusal(await admin.refund(order.id, body()), 400, field);
    expect(await orderNow(order.id)).toEqual(before);
    expect(await entriesOf(order.id)).toEqual([]);
  });
});

it("refunds free items without moving money", async () => {
  const [user, free] = [await aUser(), await aProduct({ price: 0 })];
  const { id } = (await call("POST /orders", { as: user.token, body: orderOf(free) })).body.data;
  expect((await admin.refund(id)).body.data).toMatchObject({ status: "refunded", refunded_total: 0 });
  expect((await admin.ask(`GET /admin/transactions?order_id=${id}`)).body.data).toEqual([]);
  expect(await brokenInvariants()).toEqual({});
});

it("shows what was charged for shipping, so that its refund compares where tax is added", async () => {
  await settleShop({ homeCountry: "DE", pricesIncludeTax: false });
  await aRate({ country: "DE", rate: 190_000 });
  await aShippingMethod({ price: 1_000 });
  const { id } = await placed({ price: 1_000 });
  const { data } = (await admin.refund(id)).body;
  await noRules();
  expect(data).toMatchObject({ shipping_total: money(10), shipping_discount: 0, shipping_tax: money(1.9) });
  expect(data.refunded_shipping).toBe(money(11.9));
});

it("refunds a unit with the tax that was added to its price", async () => {
  await settleShop({ homeCountry: "DE", pricesIncludeTax: false });
  await aRate({ country: "DE", rate: 190_000 });
  const { id, item } = await placed({ price: 1_000, quantity: 2 });
  const { data } = (await admin.refund(id, { items: [{ id: item, quantity: 1 }] })).body;
  await noRules();
  expect(data).toMatchObject({ total: money(23.8), refunded_total: money(11.9), refunded_tax: money(1.9) });
});
