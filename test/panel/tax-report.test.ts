import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { addDays } from "../../src/domain/time.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { anAdministrator } from "../support/panel.ts";
import { aRate, settleShop } from "../support/pricing.ts";
import { asAdministrator } from "../support/settings.ts";
import { ADDRESS, aProduct, aUser, db, onPurpose } from "../support/shop.ts";

// The tax report adds up invoices and credit notes by country and rate, each on its own day.

const anAdmin = shared(() => anAdministrator());

const SHOP = {
  address: { ...ADDRESS, country: "DE" },
  homeCountry: "DE",
  pricesIncludeTax: true,
  invoiceMoment: "payment",
} as const;

beforeAll(async () => {
  await settleShop(SHOP);
  await aRate({ country: "DE", name: "USt" });
  await aRate({ country: "DE", name: "USt", taxClass: "reduced", rate: 70_000 });
});

type Goods = { price: number; taxClass?: "reduced"; type?: "service"; stock?: null };

async function anOrder(sentTo: object, goods: Goods[]) {
  const [buyer, products] = [await aUser({ wallet: 1_000_000 }), await Promise.all(goods.map(aProduct))];
  const items = products.map(({ id, price }) => ({ product_id: id, quantity: 1, price: price / 100 }));
  const body = { items, shipping_address: { ...ADDRESS, ...sentTo }, payment_method: "wallet" };
  return (await call("POST /orders", { as: buyer.token, body, headers: onPurpose() })).body.data;
}

/** The rows of the report of some days, as cells. */
async function report(from: string, to = from): Promise<string[][]> {
  const { get } = await anAdmin();
  const { status, html } = await get(`/admin/tax-report/csv?from=${from}&to=${to}`);
  expect(status).toBe(200);
  return html
    .trim()
    .split("\r\n")
    .map((line) => line.split(","))
    .slice(1);
}

const today = () => new Date().toISOString().slice(0, 10);

it("adds up net sales and tax by country and rate, and takes refunds off on their own day", async () => {
  const order = await anOrder({ country: "DE" }, [{ price: 11_900 }, { price: 1_070, taxClass: "reduced" }]);
  await anOrder({ country: "DE" }, [{ price: 23_800 }]);
  await anOrder({ country: "CH" }, [{ price: 5_000 }]);
  const sold = [
    ["CH", "No tax", "0", "", "USD", "42.02", "0", "42.02"],
    ["DE", "USt", "19", "", "USD", "300", "57", "357"],
    ["DE", "USt", "7", "", "USD", "10", "0.7", "10.7"],
  ];
  expect(await report(today())).toEqual(sold);

  const yesterday = addDays(today(), -1);
  await db.run(sql`DROP TRIGGER invoice_is_final`);
  await db.run(sql`UPDATE invoices SET issued_on = ${yesterday}`);
  const items = [{ id: order.items[0].id, quantity: 1 }];
  const as = await asAdministrator();
  await call(`POST /admin/orders/${order.id}/refunds`, { as, body: { items }, headers: onPurpose() });
  expect(await report(yesterday)).toEqual(sold);
  expect(await report(today())).toEqual([["DE", "USt", "19", "", "USD", "-100", "-19", "-119"]]);
  expect(await report(addDays(today(), -9), addDays(today(), -2))).toEqual([]);

  const { html } = await (await anAdmin()).get(`/admin/tax-report?from=${yesterday}&to=${today()}`);
  for (const words of ["Germany", "Switzerland", "No tax", "19%", "$200.00", "$38.00"]) expect(html).toContain(words);
});

it("tells sales apart that are free of tax for different reasons", async () => {
  await settleShop({ ...SHOP, vatId: "DE123456789" });
  const business = { country: "FR", company: "Lampes SAS", vat_id: "FR40123456789" };
  await anOrder(business, [{ price: 10_000 }]);
  await anOrder(business, [{ price: 20_000, type: "service", stock: null }]);
  const rows = (await report(today())).filter(([country]) => country === "FR");
  const rest = (net: string) => ["USD", net, "0", net];
  expect(rows.toSorted()).toEqual([
    ["FR", "USt", "0", "intra_community_supply", ...rest("84.03")],
    ["FR", "USt", "0", "reverse_charge", ...rest("168.07")],
  ]);
  const { html } = await (await anAdmin()).get(`/admin/tax-report?from=${today()}&to=${today()}`);
  for (const words of ["Intra-Community supply", "Reverse charge"]) expect(html).toContain(words);
});

it("says on a page without invoices how to get some, and refuses wrong days", async () => {
  const { get } = await anAdmin();
  expect((await get("/admin/tax-report?from=2001-01-01&to=2001-01-31")).html).toContain("No invoices on these days");
  expect((await get("/admin/tax-report?from=2001-02-01&to=2001-01-31")).html).toContain("must not be before");
  expect((await get("/admin/tax-report/csv?from=2001-02-01&to=2001-01-31")).status).toBe(400);
});

it("exports the sales of each day", async () => {
  await anOrder({ country: "DE" }, [{ price: 11_900 }]);
  const { html, headers } = await (await anAdmin()).get(`/admin/sales/csv?from=${addDays(today(), -1)}&to=${today()}`);
  expect(headers.get("Content-Disposition")).toContain("sales.csv");
  const [columns, ...days] = html.trim().split("\r\n");
  expect(columns).toContain("day,currency,orders,units,net_sales");
  expect(days.map((line) => line.split(",")[0])).toEqual([addDays(today(), -1), today()]);
});

it("exports the sales by product, category and country", async () => {
  await anOrder({ country: "DE" }, [{ price: 11_900 }]);
  const { get } = await anAdmin();
  for (const [part, start] of [
    ["products", "id,name,currency,orders,units,net_sales"],
    ["categories", "id,name,currency,orders,units,net_sales"],
    ["countries", "country,currency,orders,units,net_sales"],
  ]) {
    const { html, headers } = await get(`/admin/sales/${part}/csv?from=${today()}&to=${today()}`);
    expect(headers.get("Content-Type")).toContain("text/csv");
    const [columns, ...rows] = html.replace("\u{FEFF}", "").trim().split("\r\n");
    expect([part, columns, rows.length > 0]).toEqual([part, start, true]);
  }
  expect((await get("/admin/sales/countries/csv")).html).toMatch(/^DE,/m);
});
