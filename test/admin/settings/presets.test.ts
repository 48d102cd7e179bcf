import { beforeEach, describe, expect, it } from "vitest";
import { shippingMethods, shippingZones, shop, taxRates } from "../../../src/platform/db/schema.ts";
import { administration } from "../../support/administration.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { aTaxRate, aZone } from "../../support/settings.ts";
import { db } from "../../support/shop.ts";

const { ask } = administration();

beforeEach(async () => {
  await db.batch([db.delete(shippingMethods), db.delete(shippingZones), db.delete(taxRates), db.delete(shop)]);
});

const inEu = { home_country: "DE", shipping_prices: { home: 4.9, eu: 9.9, world: 19.9 } };
const inUs = { home_region: "NY", states: ["CA", "OR"], shipping_prices: { home: 5 } };

const zones = async () => (await ask("GET /admin/shipping-zones")).body.data;
const rates = async (country: string) =>
  (await ask(`GET /admin/tax-rates?country=${country}&per_page=100`)).body.data.map((rate: Record<string, unknown>) => [
    rate.region,
    rate.tax_class,
    rate.name,
    rate.rate,
    rate.taxes_shipping,
  ]);

describe("the preset of the European Union", () => {
  it("writes the shop, three zones with a method each, and the rates of 27 countries, and reports them", async () => {
    const { status, body } = await ask("POST /admin/shop/presets/eu", inEu);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data).toMatchObject({
      preset: "eu",
      figures_as_of: "2026-01-01",
      home_country: "DE",
      home_region: null,
      prices_include_tax: true,
    });
    expect((await ask("GET /admin/shop")).body.data).toMatchObject({
      name: "Storefront",
      home_country: "DE",
      prices_include_tax: true,
    });
    const made = await zones();
    expect(
      made.map(({ name, places, rest_of_world }: Record<string, unknown[]>) => [name, places?.length, rest_of_world]),
    ).toEqual([
      ["European Union", 26, false],
      ["Home", 1, false],
      ["Rest of the world", 0, true],
    ]);
    expect(made[0].places).not.toContainEqual({ country: "DE", region: null });
    const methods = (await ask("GET /admin/shipping-methods")).body.data;
    expect(methods).toMatchObject([
      { zone_id: made[1].id, name: "Standard", kind: "flat_rate", price: 4.9, brackets: [], enabled: true },
      { zone_id: made[0].id, price: 9.9 },
      { zone_id: made[2].id, price: 19.9 },
    ]);
    expect(await rates("DE")).toEqual([
      [null, "standard", "VAT", 19, true],
      [null, "reduced", "VAT", 7, true],
    ]);
    expect(await rates("FI")).toEqual([
      [null, "standard", "VAT", 25.5, true],
      [null, "reduced", "VAT", 13.5, true],
    ]);
    expect(await rates("DK")).toEqual([[null, "standard", "VAT", 25, true]]);
    const all = (await ask("GET /admin/tax-rates?per_page=100")).body.data;
    expect(new Set(all.map(({ country }: { country: string }) => country)).size).toBe(27);
    expect(body.data.tax_rates).toHaveLength(all.length);
    const [entry] = (await ask("GET /admin/audit-log?subject=shop&subject_id=1")).body.data;
    expect([entry.action, entry.before, entry.after]).toEqual(["shop.set_up", null, body.data]);
  });

  it("writes only the home country's rates, which also apply in the others below the threshold", async () => {
    const { body } = await ask("POST /admin/shop/presets/eu", { ...inEu, vat: "home" });
    expect(await rates("DE")).toHaveLength(2);
    expect(await rates("FR")).toEqual([]);
    expect(body.data.tax_rates).toHaveLength(2);
  });

  it("ships nothing where no price is given", async () => {
    await ask("POST /admin/shop/presets/eu", { ...inEu, shipping_prices: { home: 0 } });
    expect((await zones()).map(({ name }: { name: string }) => name)).toEqual(["Home"]);
  });
});

describe("the preset of the United States", () => {
  it("writes the base rates of the named states, if they have a sales tax", async () => {
    const { body } = await ask("POST /admin/shop/presets/us", inUs);
    expect(body.data).toMatchObject({ preset: "us", home_country: "US", home_region: "NY", prices_include_tax: false });
    expect(await rates("US")).toEqual([
      ["CA", "standard", "Sales tax", 7.25, false],
      ["NY", "standard", "Sales tax", 4, true],
    ]);
    expect((await zones()).map(({ name }: { name: string }) => name)).toEqual(["United States"]);
    expect((await ask("GET /admin/shop")).body.data).toMatchObject({ home_country: "US", home_region: "NY" });
  });
});

it("keeps the shop's name and address, and increments its version", async () => {
  const before = await ask("PUT /admin/shop", { name: "Lamp & Co" });
  await ask("POST /admin/shop/presets/us", inUs);
  const after = await ask("GET /admin/shop");
  expect(after.body.data).toMatchObject({ name: "Lamp & Co", home_country: "US" });
  expect(after.headers.get("ETag")).not.toBe(before.headers.get("ETag"));
});

it.each([
  ["zones", () => aZone()],
  ["rates", () => aTaxRate()],
])("writes nothing if there are %s", async (_, make) => {
  await make();
  const refused = await ask("POST /admin/shop/presets/eu", inEu);
  expect([refused.status, refused.body.code]).toEqual([409, "already_set_up"]);
  expect((await ask("GET /admin/shop")).body.data.updated_at).toBeNull();
  expect((await zones()).length + (await rates("DE")).length).toBe(1);
});

it("is written once, however many requests arrive at once", async () => {
  const answers = await Promise.all(
    [inEu, inUs, inEu, inUs].map((body) => ask(`POST /admin/shop/presets/${body === inEu ? "eu" : "us"}`, body)),
  );
  const [written, ...others] = answers.toSorted((one, other) => one.status - other.status);
  expect([written?.status, ...others.map(({ body }) => body.code)]).toEqual([200, ...Array(3).fill("already_set_up")]);
  expect((await ask("GET /admin/shop")).body.data.home_country).toBe(written?.body.data.home_country);
});

it("gives the same response to a repeated Idempotency-Key", async () => {
  const key = { "Idempotency-Key": crypto.randomUUID() };
  const first = await ask("POST /admin/shop/presets/eu", inEu, key);
  const again = await ask("POST /admin/shop/presets/eu", inEu, key);
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
});

it.each([
  ["eu", "home_country", { ...inEu, home_country: "US" }],
  ["eu", "home_country", { ...inEu, home_country: "toString" }],
  ["eu", "vat", { ...inEu, vat: "none" }],
  ["eu", "shipping_prices.home", { ...inEu, shipping_prices: { eu: 1 } }],
  ["eu", "shipping_prices.eu", { ...inEu, shipping_prices: { home: 1, eu: -1 } }],
  ["eu", "shipping_prices", { home_country: "DE" }],
  ["us", "home_region", { ...inUs, home_region: "Bavaria" }],
  ["us", "states.0", { ...inUs, states: ["PR"] }],
  ["us", "shipping_prices.eu", { ...inUs, shipping_prices: { home: 1, eu: 1 } }],
])("of %s is refused for its %s, and writes nothing", async (preset, field, body) => {
  expectRefusal(await ask(`POST /admin/shop/presets/${preset}`, body), 400, field);
  expect(await zones()).toEqual([]);
});

describe("the preset of a single country", () => {
  it.each([
    [
      "GB",
      true,
      [
        [null, "standard", "VAT", 20, true],
        [null, "reduced", "VAT", 5, true],
      ],
    ],
    [
      "CH",
      true,
      [
        [null, "standard", "VAT", 8.1, true],
        [null, "reduced", "VAT", 2.6, true],
      ],
    ],
    ["AU", true, [[null, "standard", "GST", 10, true]]],
  ])("writes the zone and the rates of %s", async (home_country, prices_include_tax, expected) => {
    const sent = { home_country, shipping_prices: { home: 4.9, world: 19.9 } };
    const { status, body } = await ask("POST /admin/shop/presets/country", sent);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data).toMatchObject({ preset: "country", home_country, prices_include_tax });
    expect(await rates(home_country)).toEqual(expect.arrayContaining(expected));
    expect(await rates(home_country)).toHaveLength(expected.length);
    expect((await zones()).map(({ places }: { places: unknown }) => places)).toContainEqual([
      { country: home_country, region: null },
    ]);
  });

  it("writes GST, HST and the taxes of chosen provinces for Canada, with prices that exclude them", async () => {
    const sent = { home_country: "CA", provinces: ["QC"], shipping_prices: { home: 4.9 } };
    const { body } = await ask("POST /admin/shop/presets/country", sent);
    expect(body.data.prices_include_tax).toBe(false);
    const written: unknown[][] = await rates("CA");
    const of = (region: string | null) =>
      written.filter(([place]) => place === region).map(([, , name, rate]) => [name, rate]);
    expect(of(null)).toEqual([["GST", 5]]);
    expect(of("ON")).toEqual([["HST", 13]]);
    expect(of("NS")).toEqual([["HST", 14]]);
    expect(of("QC").toSorted()).toEqual([
      ["GST", 5],
      ["QST", 9.975],
    ]);
    expect(of("BC")).toEqual([]);
  });

  it("refuses provinces of another country than Canada", async () => {
    const sent = { home_country: "GB", provinces: ["QC"], shipping_prices: { home: 4.9 } };
    expectRefusal(await ask("POST /admin/shop/presets/country", sent), 400, "provinces");
    expect(await rates("GB")).toEqual([]);
  });
});
