import { beforeEach, describe, expect, it } from "vitest";
import { shippingMethods, shippingZones, taxRates } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { anAdministrator } from "../support/panel.ts";
import { aTaxRate } from "../support/settings.ts";
import { db } from "../support/shop.ts";

const anAdmin = shared(() => anAdministrator());

let admin: Awaited<ReturnType<typeof anAdministrator>>;

beforeEach(async () => {
  admin = await anAdmin();
  await db.batch([db.delete(shippingMethods), db.delete(shippingZones), db.delete(taxRates)]);
});

const count = async (path: string) =>
  (await call(`GET /admin/${path}`, { as: admin.token })).body.pagination.total_items;

const eu = {
  home_country: "DE",
  vat: "destination",
  "shipping_prices.home": "4,90",
  "shipping_prices.eu": "9.90",
  "shipping_prices.world": "",
};

describe("setting the shop up", () => {
  it("shows everything that will be written, and writes nothing before confirmation", async () => {
    const shown = await admin.post("/admin/set-up/eu", eu);
    expect(shown.status).toBe(200);
    for (const words of [
      "This will be created",
      "as of 1 Jan 2026",
      "53 tax rates",
      "$4.90",
      "25.5 %",
      "include tax",
    ]) {
      expect(shown.html).toContain(words);
    }
    expect(shown.html).toContain('<input type="hidden" name="shipping_prices.home" value="4,90"/>');
    expect(shown.html).not.toContain("All other places");
    expect([await count("shipping-zones"), await count("tax-rates")]).toEqual([0, 0]);
    const done = await admin.post("/admin/set-up/eu", { ...eu, confirm: "true" });
    expect([done.status, done.location]).toEqual([303, "/admin"]);
    const home = await admin.get("/admin");
    expect(home.html).toContain("The shop is set up, with 2 shipping zones and 53 tax rates.");
    const { html } = await admin.get("/admin/shop");
    expect(html).toContain('<option value="DE" selected="">Germany</option>');
    expect([await count("shipping-zones"), await count("tax-rates")]).toEqual([2, 53]);
  });

  it("begins with the shop's country, so that it is asked once", async () => {
    await admin.post("/admin/shop", { name: "Shop", home_country: "AT", time_zone: "UTC" });
    for (const preset of ["eu", "country"]) {
      expect((await admin.get(`/admin/set-up/${preset}`)).html.includes('value="AT" selected')).toBe(preset === "eu");
    }
    await admin.post("/admin/shop", { name: "Shop", home_country: "", time_zone: "UTC" });
  });

  it("leads back to the form, with the typed values", async () => {
    const { status, html } = await admin.post("/admin/set-up/eu", { ...eu, change: "true" });
    expect(status).toBe(200);
    expect(html).toContain('value="4,90"');
    expect(html).toContain('<option value="DE" selected="">');
  });

  it("in the United States asks for the states", async () => {
    const sent = { home_region: "NY", states: "OR", "shipping_prices.home": "0", confirm: "true" };
    expect((await admin.post("/admin/set-up/us", sent)).status).toBe(303);
    const { body } = await call("GET /admin/tax-rates", { as: admin.token });
    expect(body.data).toMatchObject([{ country: "US", region: "NY", rate: 4 }]);
    await db.batch([db.delete(shippingMethods), db.delete(shippingZones), db.delete(taxRates)]);
    const none = await admin.post("/admin/set-up/us", { ...sent, home_region: "OR", confirm: [] });
    expect(none.html).toContain("The states you chose have no sales tax");
  });

  it("in the United Kingdom, Switzerland, Canada or Australia asks for the country", async () => {
    expect((await admin.get("/admin/set-up")).html).toContain('href="/admin/set-up/country"');
    const sent = { home_country: "CH", "shipping_prices.home": "7", confirm: "true" };
    expect((await admin.post("/admin/set-up/country", sent)).status).toBe(303);
    const { body } = await call("GET /admin/tax-rates", { as: admin.token });
    expect(body.data.map(({ rate }: { rate: number }) => rate).toSorted()).toEqual([2.6, 8.1]);
  });

  it("is refused beside the field, with the typed values", async () => {
    const { status, html } = await admin.post("/admin/set-up/eu", {
      ...eu,
      home_country: "",
      "shipping_prices.home": "",
    });
    expect(status).toBe(400);
    expect(html).toMatch(/The shop&#39;s country<\/a>: is required/);
    expect(html).toMatch(/Domestic shipping<\/a>: /);
    expect(html).toContain('value="9.90"');
  });

  it("is refused with an explanation if there are zones or rates", async () => {
    await aTaxRate();
    expect((await admin.get("/admin/set-up")).html).toContain("A preset cannot add to them");
    const { status, html } = await admin.post("/admin/set-up/eu", { ...eu, confirm: "true" });
    expect(status).toBe(409);
    expect(html).toContain("Shipping zones or tax rates already exist");
    expect(await count("shipping-zones")).toBe(0);
  });
});
