import { beforeEach, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { anAdministrator, fieldsOf, type Page } from "../support/panel.ts";
import { aMethod, aTaxRate, aZone } from "../support/settings.ts";
import { aProduct, aUser, orderOf } from "../support/shop.ts";

const anAdmin = shared(() => anAdministrator());

let admin: Awaited<ReturnType<typeof anAdministrator>>;

beforeEach(async () => {
  admin = await anAdmin();
});

const read = async (path: string) => (await call(`GET /admin/${path}`, { as: admin.token })).body.data;

/** Expects a form to succeed: the next page confirms it. */
async function expectDone(answer: Page, words: string): Promise<Page> {
  expect(answer.status, answer.html).toBe(303);
  const next = await admin.get(String(answer.location));
  expect(next.html).toContain(words);
  return next;
}

/** A form as the page shows it, with changes. */
const formOf = async (page: string, change: Record<string, string>, action = page) => ({
  ...fieldsOf(await admin.get(page), action),
  ...change,
});

const address = {
  "address.name": "Lamp & Co",
  "address.address": "Torstraße 1",
  "address.zip": "10119",
  "address.city": "Berlin",
  "address.country": "germany",
};

describe("the shop", () => {
  it("says that the address is optional before it asks for it", async () => {
    const { html } = await admin.get("/admin/shop");
    expect(html).toMatch(/<legend>Address<\/legend><span class="hint"[^>]*>Leave all fields empty.*address\.name/s);
  });

  it("is saved, and loses its address when every field of it is cleared", async () => {
    const sent = await formOf("/admin/shop", {
      name: "Lamps",
      home_country: "DE",
      prices_include_tax: "true",
      ...address,
    });
    await expectDone(await admin.post("/admin/shop", sent), "The shop&#39;s settings were saved.");
    expect((await admin.get("/admin")).html).toMatch(/<title>Home · Lamps<.*class="brand"[^>]*><span>Lamps</s);
    expect(await read("shop")).toMatchObject({
      name: "Lamps",
      home_country: "DE",
      prices_include_tax: true,
      address: { city: "Berlin", zip: "10119", company: null, country: "DE" },
    });
    expect(await formOf("/admin/shop", {})).toMatchObject({ "address.country": ["DE"] });
    const unknown = await admin.post("/admin/shop", await formOf("/admin/shop", { "address.country": "Atlantis" }));
    expect([unknown.status, unknown.html]).toEqual([
      400,
      expect.stringMatching(/id="admin-shop-address-country-errors"/),
    ]);
    const emptied = Object.fromEntries(Object.keys(address).map((name) => [name, ""]));
    await expectDone(await admin.post("/admin/shop", await formOf("/admin/shop", emptied)), "settings were saved");
    expect(await read("shop")).toMatchObject({ name: "Lamps", address: null });
  });

  it("shows the number of the next order, which can be raised but not lowered", async () => {
    const user = await aUser({ wallet: 100_000 });
    const { body } = await call("POST /orders", { as: user.token, body: orderOf(await aProduct()) });
    const next = Number(body.data.number.slice(1)) + 1;
    expect(await formOf("/admin/shop", {})).toMatchObject({ order_number_start: [String(next)] });
    const lower = await admin.post("/admin/shop", await formOf("/admin/shop", { order_number_start: "7" }));
    expect([lower.status, lower.html]).toEqual([400, expect.stringContaining(`must be at least ${next}, because #`)]);
    expect(lower.html).toMatch(/value="7"[^>]*name="order_number_start"/);
    const raised = { order_number_prefix: "EU-", order_number_start: "5000" };
    await expectDone(await admin.post("/admin/shop", await formOf("/admin/shop", raised)), "settings were saved");
    expect(await read("shop")).toMatchObject({ order_number_prefix: "EU-", order_number_start: 5000 });
  });

  it("lets the prefix of order numbers be emptied", async () => {
    const bare = await formOf("/admin/shop", { order_number_prefix: "" });
    await expectDone(await admin.post("/admin/shop", bare), "settings were saved");
    expect(await read("shop")).toMatchObject({ order_number_prefix: "" });
    const prefixed = await formOf("/admin/shop", { order_number_prefix: "#" });
    await expectDone(await admin.post("/admin/shop", prefixed), "settings were saved");
  });

  it("shows errors beside their fields", async () => {
    const half = await formOf("/admin/shop", { name: "Lamps", "address.city": "Berlin", home_country: "US" });
    const { status, html } = await admin.post("/admin/shop", half);
    expect(status).toBe(400);
    expect(html).toContain('id="admin-shop-address-name-errors"');
    expect(html, "of the group").not.toContain('id="admin-shop-address-errors"');
    expect(html).toContain('value="Berlin"');
    expect(html).toMatch(/id="admin-shop-address-zip-errors"/);
    const foreign = await formOf("/admin/shop", { home_country: "US", home_region: "Bavaria" });
    expect((await admin.post("/admin/shop", foreign)).html).toContain("is not a state or province of the country");
  });
});

describe("shipping", () => {
  it("has zones made from names and codes, and methods in them", async () => {
    const typed = "DE, austria\nus-ny; CH; United Kingdom";
    const created = await admin.post("/admin/shipping-zones", { name: "Here", places: typed });
    const { html } = await expectDone(created, "Here was created");
    expect(html).toContain("AT, CH, DE, GB, US-NY</textarea>");
    const path = String(created.location);
    const method = {
      name: "Parcel",
      kind: "weight",
      brackets: "1000 = 4,90\n5000=8.90",
      free_from: "50",
      enabled: "true",
    };
    await expectDone(await admin.post(`${path}/methods`, method), "$4.90 up to 1 kg, $8.90 up to 5 kg");
    const list = await admin.get("/admin/shipping-zones");
    expect(list.html).toContain("Austria · Germany · Switzerland · United Kingdom · United States, NY");
    await expectDone(await admin.post(`${path}/methods`, { name: "Shop", kind: "pickup" }), "Shop was created");
    const [zone] = (await read("shipping-zones")).filter(({ name }: { name: string }) => name === "Here");
    expect(await read(`shipping-methods?zone_id=${zone.id}`)).toMatchObject([
      {
        name: "Parcel",
        brackets: [{ up_to_grams: 1000, price: 4.9 }, { up_to_grams: 5000 }],
        free_from: 50,
        enabled: true,
      },
      { name: "Shop", kind: "pickup", price: 0, min_days: null, enabled: false },
    ]);
  });

  it("drops a price that was typed for another kind of method", async () => {
    const { id } = await aZone({ name: "Faroes", places: [{ country: "FO" }] });
    const path = `/admin/shipping-zones/${id}/methods`;
    const typed = { price: "3.90", brackets: "1000 = 4.90", enabled: "true" };
    await expectDone(await admin.post(path, { ...typed, name: "Parcel", kind: "weight" }), "$4.90 up to 1 kg");
    await expectDone(await admin.post(path, { ...typed, name: "Letter", kind: "flat_rate" }), "$3.90");
  });

  it("warns of a zone that nothing ships to, until it has a method", async () => {
    const { id } = await aZone({ name: "Islands", places: [{ country: "IS" }] });
    const warned = async () => {
      const { html } = await admin.get("/admin/shipping-zones?per_page=100");
      return /Islands<\/a>(.*?)<\/section>/s.exec(html)?.[1]?.includes("nothing ships there");
    };
    expect(await warned()).toBe(true);
    const method = await aMethod({ zone_id: id, enabled: false });
    expect(await warned()).toBe(true);
    await call(`PUT /admin/shipping-methods/${method.id}`, { as: admin.token, body: { enabled: true } });
    expect(await warned()).toBe(false);
  });

  it("says which entry is not a country, and which belongs to another zone", async () => {
    await aZone({ name: "North", places: [{ country: "NO" }] });
    const wrong = await admin.post("/admin/shipping-zones", { name: "x", places: "SE, Atlantis" });
    expect(wrong.status).toBe(400);
    expect(wrong.html).toContain("Countries and regions 2</a>: “ATLANTIS” is not a country code");
    const taken = await admin.post("/admin/shipping-zones", { name: "x", places: "SE, NO" });
    expect(taken.html).toContain("Countries and regions 2</a>: belongs to the zone North");
  });

  it("has methods and zones edited and deleted", async () => {
    const { id, zone_id } = await aMethod({ name: "Letter", price: 2 });
    const [method, zone] = [`/admin/shipping-methods/${id}`, `/admin/shipping-zones/${zone_id}`];
    await expectDone(
      await admin.post(method, await formOf(method, { price: "3,50", max_days: "4" })),
      "Letter was saved",
    );
    expect(await read(`shipping-methods/${id}`)).toMatchObject({ price: 3.5, max_days: 4, kind: "flat_rate" });
    expect((await admin.post(method, await formOf(method, { kind: "weight" }))).html).toContain(
      "are required for weight-based rates",
    );
    const dearer = await formOf(method, { kind: "weight", price: "", brackets: "500 = x" });
    expect((await admin.post(method, dearer)).html).toContain("must be a number");
    await expectDone(
      await admin.post(zone, await formOf(zone, { name: "Renamed", rest_of_world: "true" })),
      "Renamed was saved",
    );
    expect((await admin.post(`${zone}/delete`, {})).html).toContain("Delete them first");
    await expectDone(await admin.post(`${method}/delete`, {}), "The method was deleted");
    await expectDone(await admin.post(`${zone}/delete`, {}), "The zone was deleted");
  });
});

describe("taxes", () => {
  it("are sorted by the names of countries, which differ in order from their codes", async () => {
    for (const country of ["CH", "DE", "ES", "EE"]) await aTaxRate({ country, rate: 20 });
    const { html } = await admin.get("/admin/tax-rates?per_page=100");
    const shown = [...html.matchAll(/data-label="Where"[^>]*><a[^>]*>([^<,]+)/g)].map(([, name]) => name);
    expect(shown).toEqual(expect.arrayContaining(["Estonia", "Germany", "Spain", "Switzerland"]));
    expect(shown).toEqual(shown.toSorted());
  });

  it("are created, edited and deleted by form", async () => {
    const sent = { name: "Sales tax", country: "US", region: "New York", tax_class: "standard", rate: "8,875 %" };
    const { html } = await expectDone(
      await admin.post("/admin/tax-rates", sent),
      "Sales tax of United States, NY was created",
    );
    expect(html).toContain("8.875 %");
    const [rate] = await read("tax-rates?country=US");
    expect(rate).toMatchObject({ region: "NY", rate: 8.875, taxes_shipping: false });
    const path = `/admin/tax-rates/${rate.id}`;
    await expectDone(await admin.post(path, await formOf(path, { rate: "9", taxes_shipping: "true" })), "was saved");
    expect(await read(`tax-rates/${rate.id}`)).toMatchObject({ rate: 9, taxes_shipping: true, region: "NY" });
    await expectDone(await admin.post(`${path}/delete`, {}), "The rate was deleted");
  });

  it("are refused beside the field, with the typed values", async () => {
    const { status, html } = await admin.post("/admin/tax-rates", { name: "VAT", country: "", rate: "190" });
    expect(status).toBe(400);
    expect(html).toContain("must be at most 100");
    expect(html).toContain('value="190"');
    expect(html).toMatch(/Country<\/a>: is required/);
  });

  it("are filtered by country", async () => {
    await aTaxRate({ name: "Moms", country: "SE", rate: 25 });
    await aTaxRate({ name: "Arvonlisävero", country: "FI", rate: 25.5 });
    const { html } = await admin.get("/admin/tax-rates?country=FI");
    expect(html).toContain("Arvonlisävero");
    expect(html).not.toContain("Moms");
  });
});

it("is reached from the audit log", async () => {
  expect((await admin.get("/admin/shop/1")).location).toBe("/admin/shop");
});
