import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { shopCurrency, toDecimal } from "../../src/domain/money.ts";
import { discounts } from "../../src/platform/db/schema.ts";
import { paypalAccount } from "../payments/support/paypal.ts";
import { buy, refundsOf } from "../payments/support/shop.ts";
import { payByStripe, stripeAccount } from "../payments/support/stripe.ts";
import { administration, anAdmin } from "../support/administration.ts";
import { call, callWith } from "../support/call.ts";
import { aGiftCardProduct } from "../support/gift-cards.ts";
import { aCheckedImport, anImport } from "../support/jobs.ts";
import { money } from "../support/money.ts";
import { userNow } from "../support/orders.ts";
import { aDiscount, noRules } from "../support/pricing.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aProduct, aUser, db, manyUsers, onPurpose, orderOf } from "../support/shop.ts";

const { ask } = administration();

it("has the amounts of the currency in the events of products, orders, refunds and gift cards", async () => {
  const { token: as } = await aUser({ wallet: 100_000 });
  const mug = { name: "Mug", sku: "MUG", type: "physical", price: money(12.5), status: "active", stock_quantity: 9 };
  const { id } = (await ask("POST /admin/products", mug)).body.data;
  const { body } = await call("POST /orders", { as, body: orderOf({ id, price: 1250 }, 2) });
  await ask(`POST /admin/orders/${body.data.id}/refunds`, { items: [{ id: body.data.items[0].id, quantity: 1 }] });
  await call("POST /orders", { as, body: orderOf(await aGiftCardProduct(2000)) });
  const events = (await ask("GET /admin/events?per_page=100")).body.data;
  const dataOf = (type: string) => events.find((event: { type: string }) => event.type === type)?.data;
  const currency = shopCurrency();
  expect(dataOf("product.created")).toMatchObject({ price: money(12.5) });
  expect(dataOf("order.paid")).toMatchObject({ total: money(25), currency });
  expect(dataOf("refund.created")).toMatchObject({ amount: money(12.5), refunded_total: money(12.5) });
  expect(dataOf("refund.succeeded")).toMatchObject({ amount: money(12.5), currency });
  expect(dataOf("gift_card.created")).toMatchObject({ value: money(20) });
});

/** Price when three digits follow a separator. Null if it is ambiguous. */
const readings: Record<string, { comma: number | null; point: number | null }> = {
  USD: { comma: null, point: null },
  JPY: { comma: 1500, point: 1500 },
  KWD: { comma: null, point: 1.5 },
};
const { comma, point } = readings[shopCurrency()] ?? {};

it.each([
  ["csv", "1,500", comma, (price: string) => `sku;name;type;price\nOWN;x;physical;${price}\n`],
  ["csv", "1.500", point, (price: string) => `sku;name;type;price\nOWN;x;physical;${price}\n`],
  ["woocommerce", "1.500", point, (price: string) => `SKU;Name;Regular price\nOWN;x;${price}\n`],
  ["shopify", "1,500", comma, (price: string) => `Handle;Title;Variant SKU;Variant Price\nx;x;OWN;${price}\n`],
])("reads a price of %s by the decimals of the currency: %s", async (format, text, price, fileOf) => {
  const { token: as } = await aUser({ role: "admin" });
  const file = fileOf(text);
  const checked = await aCheckedImport(file, { as });
  expect(checked).toMatchObject({ format, failed: price === null ? 1 : 0 });
  if (price === null) return;
  await anImport(file, { as });
  const { body } = await call("GET /admin/products?search=OWN", { as });
  expect(body.data).toMatchObject([{ sku: "OWN", price }]);
});

const STRIPE = stripeAccount("currencies");
const PAYPAL = paypalAccount("currencies");

/** Providers, and whether each accepts 1505 and 1500 minor units. */
const taken: Record<string, Record<"credit_card" | "paypal", [odd: boolean, round: boolean]>> = {
  USD: { credit_card: [true, true], paypal: [true, true] },
  JPY: { credit_card: [true, true], paypal: [true, true] },
  // KWD: card payments accept multiples of ten minor units, and PayPal does not support it.
  KWD: { credit_card: [false, true], paypal: [false, false] },
};

it.each([
  ["credit_card", STRIPE],
  ["paypal", PAYPAL],
] as const)(
  "an amount that the provider of %s does not take is refused before anything is written",
  async (method, secrets) => {
    const [odd, round] = taken[shopCurrency()]?.[method] ?? [];
    for (const [price, isTaken] of [
      [1505, odd],
      [1500, round],
    ] as const) {
      const [{ token }, product] = [await aUser(), await aProduct({ price })];
      const body = orderOf(product, 1, { payment_method: method });
      const answer = await callWith(secrets, "POST /orders", { as: token, body });
      if (isTaken) expect(answer.status).toBe(201);
      else expectRefusal(answer, 400, "payment_method");
      const { body: orders } = await callWith(secrets, "GET /account/orders", { as: token });
      expect(orders.data).toHaveLength(isTaken ? 1 : 0);
    }
  },
);

it("a refund that Stripe could never pay is refused when it is requested", async () => {
  const isTakenOdd = taken[shopCurrency()]?.credit_card[0];
  const { order } = await buy(STRIPE, { product: await aProduct({ price: 1500 }) });
  await payByStripe(STRIPE, order);
  const { token } = await aUser({ role: "admin" });
  const refund = (minor: number) =>
    callWith(STRIPE, `POST /admin/orders/${order.id}/refunds`, { as: token, body: { amount: toDecimal(minor) } });
  const odd = await refund(105);
  if (isTakenOdd) expect(odd.status).toBe(200);
  else expectRefusal(odd, 400, "amount");
  expect((await refund(110)).status).toBe(200);
  expect((await refundsOf(order.id)).map(({ amount }) => amount)).toEqual(isTakenOdd ? [105, 110] : [110]);
});

// Amounts of discounts in requests and responses. What discounts apply to is tested by test/discounts/placing.test.ts.

describe("a discount", () => {
  const WALLET = 100_000;

  let buyer: Awaited<ReturnType<typeof aUser>>;
  let admin: string;
  let lamp: Awaited<ReturnType<typeof aProduct>>;

  beforeEach(async () => {
    await noRules();
    await db.update(discounts).set({ enabled: false });
    [buyer, { token: admin }, lamp] = await Promise.all([
      aUser({ wallet: WALLET }),
      anAdmin(),
      aProduct({ price: 10_000, stock: 200 }),
    ]);
  });

  const place = (discount_codes: unknown[], as = buyer.token, more: Record<string, unknown> = {}) =>
    call("POST /orders", { as, body: orderOf(lamp, 1, { discount_codes, ...more }), headers: onPurpose() });

  const usesOf = async (id: number) => (await db.select().from(discounts).where(eq(discounts.id, id)).get())?.uses;

  const walletOf = async (id: number) => (await userNow(id))?.walletBalance;

  it("with a code works in any case, once however often it is sent, and appears in the order and its redemptions", async () => {
    const discount = await aDiscount({ name: "Ten" });
    const lower = String(discount.code).toLowerCase();
    const { status, body } = await place([` ${lower} `, discount.code]);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.data).toMatchObject({
      subtotal: money(100),
      discount_total: money(10),
      total: money(90),
      discounts: [{ id: discount.id, code: discount.code, name: "Ten", amount: money(10) }],
    });
    expect([await walletOf(buyer.id), await usesOf(discount.id)]).toEqual([WALLET - 9_000, 1]);
    const listed = await call(`GET /admin/discounts/${discount.id}/redemptions`, { as: admin });
    expect(listed.body.data).toEqual([
      {
        order_id: body.data.id,
        order_number: body.data.number,
        customer: { id: buyer.id, email: buyer.email, name: buyer.name },
        amount: money(10),
        created_at: body.data.created_at,
        released_at: null,
      },
    ]);
    const deleted = await call(`DELETE /admin/discounts/${discount.id}`, { as: admin });
    expect([deleted.status, deleted.body.code]).toEqual([409, "in_use"]);
  });

  it("between quote and order refuses the agreed total, and is recalculated without one", async () => {
    const { id, code } = await aDiscount();
    const { shipping_address, items } = orderOf(lamp);
    const asked = { shipping_address, items: items.map(({ price: _, ...line }) => line), discount_codes: [code] };
    const quoted = (await call("POST /checkout/quote", { as: buyer.token, body: asked })).body.data;
    expect((await place([code], buyer.token, { expected_total: quoted.total })).status).toBe(201);
    const wallet = await walletOf(buyer.id);
    expect((await call(`PUT /admin/discounts/${id}`, { as: admin, body: { percent: 5 } })).status).toBe(200);
    const refused = await place([code], buyer.token, { expected_total: quoted.total });
    expect([refused.status, refused.body.code]).toEqual([400, "total_changed"]);
    expect(refused.body.details).toMatchObject([
      { field: "expected_total", discount_total: money(5), total: money(95) },
    ]);
    expect(await walletOf(buyer.id)).toBe(wallet);
    expect((await place([code])).body.data.total).toBe(money(95));
  });

  it("applies to the next order without a code if it is automatic, and its last use to only one", async () => {
    expect((await place([])).body.data.total).toBe(money(100));
    const { body } = await call("POST /admin/discounts", {
      as: admin,
      body: { name: "By itself", kind: "amount", amount: money(30), max_uses: 1, product_ids: [lamp.id] },
    });
    const people = await manyUsers(6, { wallet: WALLET });
    const totals = await Promise.all(
      people.map(async ({ id, token }) => {
        const first = await place([], token);
        if (first.status === 201) return first.body.data.total;
        // The price included a use that another buyer got at the same moment: nothing is charged, and the next quote is
        // right.
        expect([first.body.code, await walletOf(id)]).toEqual(["changed_meanwhile", WALLET]);
        return (await place([], token)).body.data.total;
      }),
    );
    expect(totals.toSorted((a, b) => a - b)).toEqual([70, 100, 100, 100, 100, 100].map(money));
    expect(await usesOf(body.data.id)).toBe(1);
    const refused = await place([], buyer.token, { expected_total: money(70) });
    expect(refused.body).toMatchObject({ code: "total_changed", details: [{ total: money(100) }] });
  });
});
