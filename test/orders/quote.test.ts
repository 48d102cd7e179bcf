import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { shopCurrency } from "../../src/domain/money.ts";
import { categories } from "../../src/platform/db/schema.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { money } from "../support/money.ts";
import { aDiscount, aRate, aShippingMethod, aZone, noRules, settleShop } from "../support/pricing.ts";
import { ADDRESS, aCategory, aKey, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";

type Buyer = Awaited<ReturnType<typeof aUser>>;
type Goods = Awaited<ReturnType<typeof aProduct>>;

let buyer: Buyer;
let lamp: Goods;

/** Germany with 19 and 7 % included in prices and shipping at 4.90, free from 100. The rest of the world at 20. */
async function aGermanShop() {
  await settleShop({ homeCountry: "DE", pricesIncludeTax: true });
  const home = await aZone({ name: "Germany", places: [{ country: "DE", region: null }] });
  const world = await aZone({ name: "World", restOfWorld: true });
  await aRate({ name: "MwSt.", rate: 190_000 });
  await aRate({ name: "MwSt.", rate: 70_000, taxClass: "reduced" });
  const post = await aShippingMethod({ zoneId: home.id, name: "Post", price: 490, freeFrom: 10_000 });
  const express = await aShippingMethod({ zoneId: home.id, name: "Express", price: 1_290, minDays: 1, maxDays: 1 });
  const airmail = await aShippingMethod({ zoneId: world.id, name: "Airmail", price: 2_000 });
  return { home, world, post, express, airmail };
}

let german: Awaited<ReturnType<typeof aGermanShop>>;

beforeEach(async () => {
  await noRules();
  german = await aGermanShop();
  buyer = await aUser({ wallet: 1_000_000 });
  lamp = await aProduct({ price: 11_900, stock: 50 });
});

const linesOf = (product: Goods, quantity = 1) => [{ product_id: product.id, quantity }];

const quote = async (body: object, as = buyer.token) => {
  const { status, body: answer } = await call("POST /checkout/quote", {
    as,
    body: { shipping_address: ADDRESS, ...body },
  });
  expect([status, answer.errors]).toEqual([200, undefined]);
  return answer.data;
};

const place = (body: object, as = buyer.token) => call("POST /orders", { as, body, headers: onPurpose() });

describe("a quote", () => {
  it("shows the cost of an order, with its parts and shipping methods", async () => {
    const cheap = await aProduct({ price: 1_190, stock: 10 });
    const quoted = await quote({ items: linesOf(cheap, 2) });
    expect(quoted).toEqual({
      currency: shopCurrency(),
      items: [
        {
          product_id: cheap.id,
          name: cheap.name,
          sku: cheap.sku,
          option_values: [],
          type: "physical",
          quantity: 2,
          unit_price: money(11.9),
          total: money(23.8),
          discount: 0,
          tax: money(3.8),
          tax_lines: [{ name: "MwSt.", rate: 19, amount: money(3.8), inclusive: true, exemption: null }],
        },
      ],
      subtotal: money(23.8),
      discount_total: 0,
      shipping_total: money(4.9),
      tax_total: money(4.58),
      prices_include_tax: true,
      total: money(28.7),
      tax_lines: [{ name: "MwSt.", rate: 19, amount: money(4.58), inclusive: true, exemption: null }],
      tax_exempt_reason: null,
      vat_check: null,
      discounts: [],
      shipping_method: {
        id: german.post.id,
        name: "Post",
        kind: "flat_rate",
        min_days: null,
        max_days: null,
        price: money(4.9),
      },
      shipping_options: [
        { id: german.post.id, name: "Post", kind: "flat_rate", min_days: null, max_days: null, price: money(4.9) },
        { id: german.express.id, name: "Express", kind: "flat_rate", min_days: 1, max_days: 1, price: money(12.9) },
      ],
      shipping_countries: null,
      payment_options: expect.any(Array),
      problems: [],
      warnings: [],
      terms: null,
      asks_download_consent: false,
    });
  });

  it("takes one round trip, also for a cart, and writes nothing", async () => {
    await call("POST /cart", { as: buyer.token, body: { product_id: lamp.id, quantity: 1 } });
    for (const body of [{ cart: true }, { items: linesOf(lamp) }]) {
      const { bindings, trips, work } = counted();
      const sent = { as: buyer.token, body: { ...body, shipping_address: ADDRESS } };
      const { status, body: answer } = await callWith(bindings, "POST /checkout/quote", sent);
      expect([status, answer.data.total]).toEqual([200, money(119)]);
      expect([trips.d1, work.rowsWritten]).toEqual([1, 0]);
    }
  });

  it("quotes a guest's cart to an API key", async () => {
    const { key } = await aKey();
    const cart = await call("POST /cart", { as: key, body: { product_id: lamp.id, quantity: 1 } });
    const headers = { "X-Cart-Token": cart.body.data.token };
    const body = { cart: true, shipping_address: { ...ADDRESS, zip: "8001", country: "CH" } };
    const { body: answer } = await call("POST /checkout/quote", { as: key, headers, body });
    // 119.00 includes 19.00 of German tax, which does not apply to exports. Neither does the tax on shipping.
    expect(answer.data).toMatchObject({
      subtotal: money(119),
      shipping_total: money(20),
      tax_total: 0,
      total: money(116.81),
      problems: [],
    });
    expect(answer.data.discounts).toEqual([
      { id: null, code: null, name: "Tax not due", amount: money(22.19), item_amounts: [money(19)] },
    ]);
  });

  it("names everything that would make the order be refused, as the order does", async () => {
    const draft = await aProduct({ status: "draft", price: 777 });
    const items = [...linesOf(lamp, 51), ...linesOf(draft)];
    const body = { items, discount_codes: ["nothing"], shipping_method: german.airmail.id, payment_method: "wallet" };
    const quoted = await quote(body);
    expect(quoted.problems.map(({ field, code }: Record<string, string>) => `${field} ${code}`)).toEqual([
      "items.0.quantity insufficient_stock",
      "items.1.product_id not_for_sale",
      "shipping_method unknown_reference",
      "discount_codes.0 unknown_discount_code",
    ]);
    expect(quoted.problems[0]).toMatchObject({ available: 50, message: expect.stringContaining("only 50") });
    expect(quoted.items[1]).toMatchObject({ product_id: draft.id, name: null, sku: null, unit_price: 0 });
    const ordered = await place({
      ...body,
      items: items.map((line, index) => ({ ...line, price: money(index === 0 ? 119 : 7.77) })),
      shipping_address: ADDRESS,
    });
    expect(ordered.status).toBe(400);
    const details = quoted.problems.map(({ message: _, ...detail }: { message: string }) => detail);
    expect(ordered.body.details).toEqual(details);
  });

  it("reveals neither weight nor tax class of a product that is not for sale", async () => {
    const draft = await aProduct({ status: "draft", taxClass: "reduced", weightGrams: 4_000 });
    const asked = async (id: number) => JSON.stringify(await quote({ items: [{ product_id: id, quantity: 1 }] }));
    const missing = draft.id + 1_000_000;
    expect((await asked(draft.id)).replaceAll(`${draft.id}`, "")).toBe(
      (await asked(missing)).replaceAll(`${missing}`, ""),
    );
  });

  it("names a wrong code once, at its position among those sent", async () => {
    const { code } = await aDiscount();
    const codes = [code, code?.toLowerCase(), "no", "NO"];
    const { problems, discounts } = await quote({ items: linesOf(lamp), discount_codes: codes });
    expect(problems).toMatchObject([{ field: "discount_codes.2", code: "unknown_discount_code" }]);
    expect([problems.length, discounts.length]).toEqual([1, 1]);
  });

  it.each([
    [{}, { items: ["send either items or cart: true"] }],
    [{ items: [], cart: true }, { items: expect.anything() }],
    [{ cart: false }, { cart: expect.anything() }],
  ])("refuses %j", async (body, errors) => {
    const answer = await call("POST /checkout/quote", { as: buyer.token, body });
    expect([answer.status, answer.body.errors]).toEqual([400, expect.objectContaining(errors)]);
  });

  it("reports an empty cart", async () => {
    expect((await quote({ cart: true })).problems).toEqual([{ field: "cart", code: "required", message: "is empty" }]);
  });
});

describe("an order", () => {
  it("costs what was quoted, with the parts in its record", async () => {
    const off = await aDiscount({ kind: "percentage", percent: 100_000, name: "Spring" });
    const asked = { discount_codes: [String(off.code).toLowerCase()], shipping_method: german.express.id };
    const quoted = await quote({ items: linesOf(lamp, 2), ...asked });
    const { status, body } = await place({ ...orderOf(lamp, 2), ...asked, expected_total: quoted.total });
    expect(status).toBe(201);
    const order = body.data;
    for (const part of ["subtotal", "discount_total", "shipping_total", "tax_total", "total", "tax_lines"]) {
      expect(order[part]).toEqual(quoted[part]);
    }
    expect(quoted.discounts).toMatchObject(order.discounts);
    expect(order).toMatchObject({
      subtotal: money(238),
      discount_total: money(23.8),
      shipping_total: money(12.9),
      total: money(227.1),
      tax_total: money(36.26),
      prices_include_tax: true,
      discounts: [{ id: off.id, code: off.code, name: "Spring", amount: money(23.8) }],
      shipping_method: { id: german.express.id, name: "Express", kind: "flat_rate", min_days: 1, max_days: 1 },
      items: [{ total: money(238), discount: money(23.8), tax: money(34.2) }],
    });
    const charged = await env.DB.prepare("SELECT amount FROM transactions WHERE order_id = ?")
      .bind(order.id)
      .first("amount");
    expect(charged).toBe(-22_710);
  });

  it("with only the specification's fields is shipped to the shop's country by the cheapest method", async () => {
    const { body } = await place(orderOf(lamp));
    expect(body.data).toMatchObject({
      shipping_total: 0,
      total: money(119),
      tax_total: money(19),
      shipping_method: { name: "Post" },
    });
    const small = await aProduct({ price: 1_000 });
    const other = await place(orderOf(small));
    expect(other.body.data).toMatchObject({ shipping_total: money(4.9), total: money(14.9), tax_total: money(2.38) });
  });

  it("is refused if a rate has changed since the quote, with the new figures, and charges nothing", async () => {
    const quoted = await quote({ items: linesOf(lamp) });
    await place(orderOf(lamp));
    const held = await env.DB.prepare("SELECT wallet_balance FROM users WHERE id = ?").bind(buyer.id).first();
    await env.DB.prepare("UPDATE shipping_methods SET price = 590, free_from = NULL WHERE id = ?")
      .bind(german.post.id)
      .run();
    const { status, body } = await place({ ...orderOf(lamp), expected_total: quoted.total });
    expect([status, body.code]).toEqual([400, "total_changed"]);
    expect(body.details).toEqual([
      {
        field: "expected_total",
        code: "total_changed",
        subtotal: money(119),
        discount_total: 0,
        shipping_total: money(5.9),
        tax_total: money(19.94),
        total: money(124.9),
      },
    ]);
    expect(await env.DB.prepare("SELECT wallet_balance FROM users WHERE id = ?").bind(buyer.id).first()).toEqual(held);
    const again = await place({ ...orderOf(lamp), expected_total: money(124.9) });
    expect([again.status, again.body.data.total]).toEqual([201, money(124.9)]);
  });

  it("is refused for an outdated price with the total at current prices", async () => {
    const quoted = await quote({ items: linesOf(lamp) });
    await place(orderOf(lamp));
    const [line] = orderOf(lamp).items;
    const stale = (expected: number) =>
      place({ ...orderOf(lamp), items: [{ ...line, price: money(1) }], expected_total: expected });
    expect((await stale(quoted.total)).body.details).toMatchObject([{ code: "price_changed" }]);
    expect((await stale(5)).body.details).toMatchObject([
      { code: "price_changed", price: line?.price },
      { code: "total_changed", total: quoted.total },
    ]);
  });

  it("is repriced if the product's weight, class or category has changed since the isolate cached it", async () => {
    await place(orderOf(lamp));
    await env.DB.prepare("UPDATE products SET tax_class = 'reduced' WHERE id = ?").bind(lamp.id).run();
    const { body } = await place(orderOf(lamp));
    expect(body.data).toMatchObject({ total: money(119), tax_total: money(7.79), tax_lines: [{ rate: 7 }] });
  });

  it("is not taxed for an exempt account, or for a key that may declare an exemption", async () => {
    await place(orderOf(lamp));
    await env.DB.prepare("UPDATE users SET tax_exempt_reason = 'VAT ID' WHERE id = ?").bind(buyer.id).run();
    const exempt = await place(orderOf(lamp));
    expect(exempt.body.data).toMatchObject({ total: money(100), tax_total: 0, tax_exempt_reason: "VAT ID" });
    const { key } = await aKey({ permissions: ["orders:write"] });
    const ordered = { ...orderOf(lamp, 1, { payment_method: "paypal" }), tax_exempt_reason: "Embassy" };
    expect((await place(ordered, key)).body.data).toMatchObject({ total: money(100), tax_exempt_reason: "Embassy" });
    const storefront = await aKey({ permissions: ["checkout:write"] });
    expect((await place(ordered, storefront.key)).status).toBe(403);
    const own = await place({ ...orderOf(lamp), tax_exempt_reason: "Me" });
    expect([own.status, Object.keys(own.body.errors)]).toEqual([400, ["tax_exempt_reason"]]);
  });

  it("with an address from the address book is priced for that address", async () => {
    const body = { ...ADDRESS, country: "CH", zip: "8001" };
    const saved = await call("POST /account/addresses", { as: buyer.token, body });
    const { shipping_address: _, ...rest } = orderOf(lamp);
    const { body: answer } = await place({ ...rest, shipping_address_id: saved.body.data.id });
    expect(answer.data).toMatchObject({
      shipping_total: money(20),
      total: money(116.81),
      shipping_address: { country: "CH" },
    });
  });
});

describe("shipping", () => {
  it("is refused, naming the zone, if the zone has no method, or if there is no zone", async () => {
    const nowhere = await aZone({ name: "Islands", places: [{ country: "IS", region: null }] });
    const iceland = await quote({ items: linesOf(lamp), shipping_address: { ...ADDRESS, zip: "101", country: "IS" } });
    expect(iceland.shipping_countries).toBeNull();
    expect(iceland.problems).toEqual([
      expect.objectContaining({ code: "no_shipping_method", message: expect.stringContaining("Islands") }),
    ]);
    await env.DB.batch([
      env.DB.prepare("DELETE FROM shipping_methods WHERE zone_id = ?").bind(german.world.id),
      env.DB.prepare("DELETE FROM shipping_zones WHERE id IN (?, ?)").bind(german.world.id, nowhere.id),
    ]);
    const far = await quote({
      items: linesOf(lamp),
      shipping_address: { ...ADDRESS, country: "BR", zip: "01310-100" },
    });
    expect(far.shipping_countries).toEqual(["DE"]);
    expect(far.problems).toEqual([
      expect.objectContaining({ field: "shipping_address", code: "shipping_unavailable" }),
    ]);
  });

  it("is priced by weight, and refused above the last bracket", async () => {
    const brackets = [
      { upToGrams: 1_000, price: 300 },
      { upToGrams: 5_000, price: 700 },
    ];
    const parcel = await aShippingMethod({ zoneId: german.home.id, name: "Parcel", kind: "weight", brackets });
    const brick = await aProduct({ price: 100, weightGrams: 1_000, stock: 100 });
    const priceOf = async (quantity: number) => {
      const { shipping_options } = await quote({ items: linesOf(brick, quantity) });
      return shipping_options.find(({ id }: { id: number }) => id === parcel.id)?.price;
    };
    expect(await Promise.all([1, 2, 5, 6].map(priceOf))).toEqual([...[3, 7, 7].map(money), undefined]);
  });

  it("is free for digital goods and for pickup, which is taxed at home", async () => {
    const song = await aProduct({ type: "digital", price: 1_190, stock: null });
    expect(await quote({ items: linesOf(song) })).toMatchObject({
      shipping_total: 0,
      shipping_options: [],
      total: money(11.9),
    });
    const pickup = await aShippingMethod({ zoneId: german.world.id, name: "Pick-up", kind: "pickup", price: 0 });
    const abroad = { items: linesOf(lamp), shipping_address: { ...ADDRESS, zip: "8001", country: "CH" } };
    expect(await quote(abroad)).toMatchObject({ shipping_method: { name: "Airmail" }, tax_total: 0 });
    expect(await quote({ ...abroad, shipping_method: pickup.id })).toMatchObject({
      shipping_total: 0,
      tax_total: money(19),
      total: money(119),
    });
  });
});

describe("tax", () => {
  it("is added to prices without it, by the region, which an address there requires", async () => {
    await settleShop({ homeCountry: "US", homeRegion: "CA", pricesIncludeTax: false });
    await aRate({ name: "NY State", country: "US", region: "NY", rate: 40_000 });
    await aRate({ name: "NYC", country: "US", region: "NY", rate: 48_750, taxesShipping: false });
    const at = (region: string | undefined) =>
      quote({ items: linesOf(lamp), shipping_address: { ...ADDRESS, zip: "10001", country: "US", region } });
    const taxed = await at("New York");
    expect(taxed).toMatchObject({
      subtotal: money(119),
      shipping_total: money(20),
      tax_total: money(11.36),
      total: money(150.36),
    });
    expect(taxed.tax_lines).toEqual([
      { name: "NY State", rate: 4, amount: money(5.56), inclusive: false, exemption: null },
      { name: "NYC", rate: 4.875, amount: money(5.8), inclusive: false, exemption: null },
    ]);
    expect(await at("Oregon")).toMatchObject({ tax_total: 0, total: money(139), problems: [] });
    expect((await at(undefined)).problems).toMatchObject([{ field: "shipping_address.region", code: "required" }]);
    expect((await at("Ontario")).problems).toMatchObject([{ field: "shipping_address.region", code: "invalid" }]);
  });

  it("on digital goods is that of the billing country", async () => {
    await aRate({ name: "TVA", country: "FR", rate: 200_000 });
    const song = await aProduct({ type: "digital", price: 1_200, stock: null });
    const addresses = { shipping_address: null, billing_address: { ...ADDRESS, zip: "75001", country: "FR" } };
    expect(await quote({ items: linesOf(song), ...addresses })).toMatchObject({
      total: money(12),
      tax_lines: [{ name: "TVA", rate: 20, amount: money(2) }],
    });
    // The price is the same in every country, and the tax is part of it.
    expect(await quote({ items: linesOf(song) })).toMatchObject({ total: money(12), tax_total: money(1.92) });
  });
});

describe("discounts", () => {
  it("apply automatically to categories and their descendants, in order, and the best of those that cannot combine", async () => {
    const season = await aCategory("Season");
    const category = await aCategory("Spring");
    const moveBelow = (parentId: number | null) =>
      db.update(categories).set({ parentId }).where(eq(categories.id, category.id));
    await moveBelow(season.id);
    const vase = await aProduct({ price: 10_000, categoryId: category.id, stock: 10 });
    await aDiscount({ code: null, name: "Ten", percent: 100_000, categoryIds: [season.id], priority: 2 });
    await aDiscount({
      code: null,
      name: "Twenty off",
      kind: "amount",
      amount: 2_000,
      categoryIds: [category.id],
      priority: 1,
    });
    const both = await quote({ items: linesOf(vase) });
    expect(both.discounts).toMatchObject([
      { name: "Twenty off", amount: money(20) },
      { name: "Ten", amount: money(8) },
    ]);
    await moveBelow(null);
    expect((await quote({ items: linesOf(vase) })).discounts).toMatchObject([{ name: "Twenty off" }]);
    await aDiscount({ code: null, name: "Alone", percent: 300_000, categoryIds: [category.id], combinable: false });
    expect((await quote({ items: linesOf(vase) })).discounts).toMatchObject([{ name: "Alone", amount: money(30) }]);
    expect((await quote({ items: linesOf(lamp) })).discounts).toEqual([]);
  });

  it("give free shipping, and make the cheapest purchased unit free", async () => {
    const [free, third] = [
      await aDiscount({ kind: "free_shipping" }),
      await aDiscount({ kind: "buy_x_get_y", buyQuantity: 2, getQuantity: 1 }),
    ];
    const cup = await aProduct({ price: 1_000, stock: 10 });
    const mug = await aProduct({ price: 1_500, stock: 10 });
    const quoted = await quote({
      items: [...linesOf(mug, 2), ...linesOf(cup)],
      discount_codes: [free.code, third.code],
    });
    expect(quoted).toMatchObject({
      subtotal: money(40),
      discount_total: money(14.9),
      shipping_total: money(4.9),
      total: money(30),
    });
    expect(quoted.items.map(({ discount }: { discount: number }) => discount)).toEqual([0, money(10)]);
  });
});
