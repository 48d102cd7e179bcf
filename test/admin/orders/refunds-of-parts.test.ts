import { beforeEach, expect, it } from "vitest";
import { call } from "../../support/call.ts";
import { brokenInvariants } from "../../support/invariants.ts";
import { money } from "../../support/money.ts";
import { userNow } from "../../support/orders.ts";
import { aDiscount, aRate, aShippingMethod, noRules, settleShop } from "../../support/pricing.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { aProduct, aUser, orderOf } from "../../support/shop.ts";
import { anAdministrator } from "./support.ts";

let admin: Awaited<ReturnType<typeof anAdministrator>>;

beforeEach(async () => {
  await noRules();
  await settleShop({ homeCountry: "DE", pricesIncludeTax: true });
  await aRate({ country: "DE", rate: 190_000 });
  await aShippingMethod({ price: 490 });
  admin = await anAdministrator();
});

/** Three cups at 11.90 each with 10 % off, plus 4.90 shipping: 32.13 and 4.90, of which 5.13 and 0.78 are tax. */
async function threeCups() {
  const buyer = await aUser({ wallet: 10_000 });
  const { code } = await aDiscount({ kind: "percentage", percent: 100_000 });
  const cup = await aProduct({ price: 1_190, stock: 10 });
  const body = { ...orderOf(cup, 3), discount_codes: [code] };
  const { data } = (await call("POST /orders", { as: buyer.token, body })).body;
  expect(data).toMatchObject({
    total: money(37.03),
    discount_total: money(3.57),
    shipping_total: money(4.9),
    tax_total: money(5.91),
  });
  return { buyer, id: Number(data.id), item: Number(data.items[0].id) };
}

it("refunds units at the price paid with their share of the tax, and the rest to the cent", async () => {
  const { buyer, id, item } = await threeCups();
  const parts = [];
  for (const refund of [{ items: [{ id: item, quantity: 1 }] }, { shipping: true }, { amount: money(1) }, {}]) {
    const { status, body } = await admin.refund(id, refund);
    expect(status).toBe(200);
    const { refunded_total, refunded_shipping, refunded_tax, payment_status } = body.data;
    parts.push([refunded_total, refunded_shipping, refunded_tax, payment_status]);
  }
  expect(parts).toEqual([
    [...[10.71, 0, 1.71].map(money), "partially_refunded"],
    [...[15.61, 4.9, 2.49].map(money), "partially_refunded"],
    [...[16.61, 4.9, 2.65].map(money), "partially_refunded"],
    [...[37.03, 4.9, 5.91].map(money), "refunded"],
  ]);
  expect((await userNow(buyer.id))?.walletBalance).toBe(10_000);
  expect(await brokenInvariants()).toEqual({});
});

it("refunds shipping with the last of the units, unless it is excluded", async () => {
  const [first, second] = [await threeCups(), await threeCups()];
  const { body: whole } = await admin.refund(first.id, { items: [{ id: first.item, quantity: 3 }] });
  expect(whole.data).toMatchObject({ status: "refunded", payment_status: "refunded", refunded_total: money(37.03) });
  const { body: kept } = await admin.refund(second.id, { items: [{ id: second.item, quantity: 3 }], shipping: false });
  expect(kept.data).toMatchObject({
    status: "refunded",
    payment_status: "partially_refunded",
    refunded_total: money(32.13),
  });
  const { body: after } = await admin.refund(second.id, { shipping: true });
  expect(after.data).toMatchObject({ status: "refunded", payment_status: "refunded", refunded_total: money(37.03) });
  expectRefusal(await admin.refund(second.id, {}), 409, "status");
});

it("refuses to refund shipping twice, or together with an amount", async () => {
  const { id } = await threeCups();
  expect((await admin.refund(id, { shipping: true })).status).toBe(200);
  expectRefusal(await admin.refund(id, { shipping: true }), 400, "shipping");
  expectRefusal(await admin.refund(id, { shipping: true, amount: money(1) }), 400, "amount");
});

it("refunds no more shipping than remains of the order, and nothing twice", async () => {
  const { id } = await threeCups();
  await admin.refund(id, { amount: money(36) });
  const { body } = await admin.refund(id, { shipping: true });
  expect(body.data).toMatchObject({
    refunded_total: money(37.03),
    refunded_shipping: money(1.03),
    payment_status: "refunded",
  });
  expectRefusal(await admin.refund(id, { shipping: true }), 400, "shipping");
  expect(await brokenInvariants()).toEqual({});
});
