import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { addUpAllSales } from "../../src/back-office/sales/add-up.ts";
import { orders, products, sales, salesProgress } from "../../src/platform/db/schema.ts";
import { anAdministrator } from "../admin/orders/support.ts";
import { call } from "../support/call.ts";
import { money } from "../support/money.ts";
import { aDiscount, aRate, aShippingMethod, noRules, settleShop } from "../support/pricing.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aCategory, aKey, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";

let admin: Awaited<ReturnType<typeof anAdministrator>>;

beforeEach(async () => {
  await noRules();
  await settleShop({ homeCountry: "DE", pricesIncludeTax: true });
  await aRate({ country: "DE", rate: 190_000 });
  await aShippingMethod({ price: 490 });
  await db.delete(sales);
  await addUpAllSales(db);
  await db.delete(sales);
  admin = await anAdministrator();
});

/** Adds up all sales since the beginning. */
async function addUpAnew() {
  await db.delete(sales);
  await db.delete(salesProgress);
  await addUpAllSales(db);
}

const sums = () => db.select().from(sales).orderBy(sales.dimension, sales.period, sales.key);

const report = async (query = "") => {
  const { status, body } = await call(`GET /admin/reports/sales${query}`, { as: admin.token });
  expect(status).toBe(200);
  return body.data;
};

/**
 * Three cups at 11.90 each that cost 5.00, with 10 % off, plus 4.90 shipping: 32.13 and 4.90, of which 5.13 and 0.78
 * are tax.
 */
async function threeCups() {
  const category = await aCategory(`Cups ${crypto.randomUUID()}`);
  const buyer = await aUser({ wallet: 10_000 });
  const { code } = await aDiscount({ kind: "percentage", percent: 100_000 });
  const cup = await aProduct({ price: 1_190, cost: 500, stock: 10, categoryId: category.id });
  const body = { ...orderOf(cup, 3), discount_codes: [code] };
  const { data } = (await call("POST /orders", { as: buyer.token, body })).body;
  expect(data).toMatchObject({
    total: money(37.03),
    discount_total: money(3.57),
    shipping_total: money(4.9),
    tax_total: money(5.91),
  });
  return { buyer, cup, category, id: Number(data.id), item: Number(data.items[0].id) };
}

it("shows sales with their parts, products, categories and countries", async () => {
  const { cup, category } = await threeCups();
  const sold = { orders: 1, units: 3, net_sales: money(27) };
  expect(await report()).toMatchObject({
    total: {
      ...sold,
      shipping: money(4.12),
      tax: money(5.91),
      total_sales: money(37.03),
      discounts: money(3.57),
      refunds: 0,
      average_order: money(37.03),
    },
    previous: { total: { orders: 0, total_sales: 0, average_order: null } },
    products: [{ id: cup.id, name: cup.name, ...sold }],
    categories: [{ id: category.id, name: category.name, ...sold }],
    countries: [{ country: "DE", ...sold }],
    incomplete: false,
  });
});

it("subtracts refunds, both of units by product and of shipping", async () => {
  const { item, id, cup } = await threeCups();
  await admin.refund(id, { items: [{ id: item, quantity: 1 }] });
  expect((await report()).total).toMatchObject({
    net_sales: money(18),
    tax: money(4.2),
    total_sales: money(26.32),
    refunds: money(10.71),
  });
  await admin.refund(id, { shipping: true });
  expect((await report()).total).toMatchObject({
    net_sales: money(18),
    shipping: 0,
    tax: money(3.42),
    total_sales: money(21.42),
  });
  const kept = { units: 2, net_sales: money(18) };
  expect(await report()).toMatchObject({ products: [{ id: cup.id, ...kept }], categories: [kept], countries: [kept] });
  await admin.refund(id, {});
  const { total, products, countries } = await report();
  expect(total).toMatchObject({ orders: 1, net_sales: 0, shipping: 0, tax: 0, total_sales: 0, refunds: money(37.03) });
  expect(products).toMatchObject([{ units: 0, net_sales: 0 }]);
  expect(countries).toMatchObject([{ units: 0, net_sales: 0 }]);
});

it("shows the profit by the costs at the time of sale, and the sales without a cost", async () => {
  const { cup, buyer, item, id } = await threeCups();
  const plate = await aProduct({ price: 2_380, type: "service", stock: null });
  await db.update(products).set({ cost: 900 }).where(eq(products.id, cup.id));
  expect((await call("POST /orders", { as: buyer.token, body: orderOf(plate) })).status).toBe(201);
  await db.update(products).set({ cost: 700 }).where(eq(products.id, plate.id));
  const ofCups = { cost: money(15), gross_profit: money(12), margin: 44.4 };
  const ofPlates = { cost: 0, gross_profit: 0, margin: null };
  const before = await report();
  expect(before.total).toMatchObject({ ...ofCups, net_sales: money(47), net_sales_without_cost: money(20) });
  expect(before.countries).toMatchObject([ofCups]);
  expect(before.products).toMatchObject([ofCups, ofPlates]);
  await admin.refund(id, { items: [{ id: item, quantity: 1 }] });
  const returned = { cost: money(10), gross_profit: money(8), margin: 44.4 };
  const after = await report();
  expect(after.total).toMatchObject({ ...returned, net_sales_without_cost: money(20) });
  expect(after.products).toMatchObject([ofPlates, returned]);
  const { body } = await call(`GET /orders/${id}`, { as: buyer.token });
  expect(JSON.stringify(body)).not.toContain('"cost"');
});

it("counts an order once it is paid, and a free one as well", async () => {
  const [buyer, free] = [await aUser(), await aProduct({ price: 0, type: "service", stock: null })];
  const product = await aProduct({ price: 2_000 });
  const unpaid = orderOf(product, 1, { payment_method: "paypal" });
  const { body } = await call("POST /orders", { as: buyer.token, body: unpaid });
  await call("POST /orders", { as: buyer.token, body: orderOf(free) });
  expect((await report()).total).toMatchObject({ orders: 1, units: 1, total_sales: 0, average_order: 0 });
  const paid = await call(`PUT /admin/orders/${body.data.id}`, { as: admin.token, body: { status: "processing" } });
  expect(paid.status).toBe(200);
  expect((await report()).total).toMatchObject({ orders: 2, units: 2, total_sales: money(24.9) });
});

it("reaches the same sums whenever it adds up, and when it starts again", async () => {
  const [first, second] = [await threeCups(), await threeCups()];
  await report();
  await admin.refund(first.id, { amount: money(5) });
  await Promise.all([report(), report(), addUpAllSales(db)]);
  await admin.refund(second.id, { items: [{ id: second.item, quantity: 2 }] });
  await report();
  await db.update(salesProgress).set({ historyId: 0, refundLineId: 0 });
  await db.delete(sales);
  await addUpAllSales(db);
  const anew = await sums();
  await addUpAnew();
  expect(await sums()).toEqual(anew);
  const shop = anew.filter(({ dimension }) => dimension === "shop");
  const countries = anew.filter(({ dimension }) => dimension === "country");
  for (const name of [
    "orders",
    "units",
    "returnedUnits",
    "goods",
    "returnedGoods",
    "shipping",
    "returnedShipping",
    "tax",
    "returnedTax",
  ] as const) {
    const sum = (rows: typeof anew) => rows.reduce((all, row) => all + row[name], 0);
    expect(sum(countries), name).toBe(sum(shop));
  }
});

it("does not treat tax that is not due as a discount", async () => {
  const buyer = await aUser({ wallet: 10_000 });
  const sent = orderOf(await aProduct({ price: 1_190 }));
  const body = { ...sent, shipping_address: { ...sent.shipping_address, zip: "0010", country: "NO" } };
  const { data } = (await call("POST /orders", { as: buyer.token, body })).body;
  expect(data).toMatchObject({ discount_total: expect.any(Number), discounts: [{ name: "Tax not due" }] });
  expect((await report()).total).toMatchObject({ net_sales: money(10), discounts: 0 });
});

it("counts an order for the country it was shipped to, also without its address", async () => {
  const buyer = await aUser({ wallet: 10_000 });
  const paper = await aProduct({ price: 1_000 });
  const sent = orderOf(paper, 3);
  const to = (country: string) => ({ shipping_address: { ...sent.shipping_address, zip: "75001", country } });
  const { data } = (await call("POST /orders", { as: buyer.token, body: { ...sent, ...to("FR") } })).body;
  const { body: address } = await call("POST /account/addresses", {
    as: buyer.token,
    body: to("FR").shipping_address,
  });
  const { shipping_address: _, ...rest } = orderOf(paper, 1, { shipping_address_id: address.data.id });
  expect((await call("POST /orders", { as: buyer.token, body: rest })).status).toBe(201);
  await admin.refund(data.id, { items: [{ id: data.items[0].id, quantity: 2 }] });
  expect((await report()).countries).toMatchObject([{ country: "FR", orders: 2, units: 2 }]);

  // As when an account is erased.
  await db.update(orders).set({ shippingAddress: null }).where(eq(orders.id, data.id));
  await addUpAnew();
  const ofCountry = { dimension: "country", key: "FR", orders: 2, units: 4, returnedUnits: 2 } as const;
  expect(await db.select().from(sales)).toEqual(expect.arrayContaining([expect.objectContaining(ofCountry)]));
});

it("accepts any days, and reads whole months as one", async () => {
  await threeCups();
  await report();
  const day = (date: string, orders: number) =>
    [date, date.slice(0, 7)].map((period) => ({ dimension: "shop" as const, period, key: "", orders }));
  const ofCountry = day("2020-02-10", 4).map((row) => ({ ...row, dimension: "country" as const, key: "FR" }));
  for (const row of [...day("2020-01-31", 1), ...day("2020-02-10", 2), ...day("2020-03-01", 5), ...ofCountry]) {
    await db.insert(sales).values(row);
  }
  const { total, previous, days, countries } = await report("?from=2020-02-01&to=2020-02-29");
  expect([total.orders, previous.total.orders, days.length]).toEqual([2, 1, 29]);
  expect(days[9]).toMatchObject({ day: "2020-02-10", orders: 2 });
  expect(countries).toMatchObject([{ country: "FR", orders: 4 }]);
  expect((await report("?from=2020-02-01&to=2020-02-09")).countries).toEqual([]);
  const yearly = await report("?from=2021-02-10&to=2021-02-11&compare_to=previous_year");
  expect(yearly.previous).toMatchObject({ from: "2020-02-10", to: "2020-02-11", total: { orders: 2 } });
});

it.each([
  ["?from=2026-02-30&to=2026-03-01", "from"],
  ["?from=2026-03-02&to=2026-03-01", "to"],
  ["?from=2020-01-01&to=2023-01-02", "to"],
  ["?from=9999-12-31", "from"],
  ["?to=0000-01-15", "to"],
  ["?days=7", "days"],
  ["?compare_to=yesterday", "compare_to"],
])("refuses the days %s", async (query, field) => {
  expectRefusal(await call(`GET /admin/reports/sales${query}`, { as: admin.token }), 400, field);
});

it("shows costs and profit to staff and keys that may write products, and to no other key", async () => {
  await threeCups();
  await addUpAnew();
  const read = async (permissions: string[]) => {
    const { key } = await aKey({ permissions });
    return (await call("GET /admin/reports/sales", { as: key })).body.data;
  };
  const hidden = { cost: null, gross_profit: null, margin: null };
  const { total, previous, days, products: sold, categories, countries } = await read(["orders:read"]);
  for (const part of [total, previous.total, ...days, ...sold, ...categories, ...countries]) {
    expect(part).toMatchObject(hidden);
  }
  const shown = { cost: expect.any(Number), gross_profit: expect.any(Number) };
  expect((await read(["orders:read", "products:write"])).total).toMatchObject(shown);
  const viewer = await aUser({ role: "viewer" });
  expect((await call("GET /admin/reports/sales", { as: viewer.token })).body.data.total).toMatchObject(shown);
});

it("counts what gift cards pay, and not the cards", async () => {
  const buyer = await aUser({ wallet: 20_000 });
  const [card, cup] = [
    await aProduct({ type: "gift_card", price: 5_000, stock: null }),
    await aProduct({ price: 1_190 }),
  ];
  const placed = async (items: [typeof card, number][]) => {
    const lines = items.map(([{ id, price }, quantity]) => ({ product_id: id, quantity, price: money(price / 100) }));
    const body = { ...orderOf(cup), items: lines };
    return (await call("POST /orders", { as: buyer.token, body, headers: onPurpose() })).body.data;
  };
  const alone = await placed([[card, 1]]);
  const mixed = await placed([
    [card, 2],
    [cup, 1],
  ]);
  await addUpAllSales(db);
  const sold = await report();
  expect(sold.total).toMatchObject({ orders: 1, units: 1, net_sales: money(10), total_sales: money(16.8) });
  for (const { id, items } of [alone, mixed]) await admin.refund(id, { items: [{ id: items[0].id, quantity: 1 }] });
  await addUpAllSales(db);
  expect(await report()).toEqual(sold);
  expect((await sums()).some(({ dimension, key }) => dimension === "product" && key === String(card.id))).toBe(false);
});
