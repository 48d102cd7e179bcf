import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { shop } from "../../../src/platform/db/schema.ts";
import { administration } from "../../support/administration.ts";
import { callWith } from "../../support/call.ts";
import { interleaved } from "../../support/faults.ts";
import { aRefusal, expectRefusal } from "../../support/refusal.ts";
import { db } from "../../support/shop.ts";

const { admin, ask } = administration();

const put = (body: unknown, headers?: Record<string, string>) => ask("PUT /admin/shop", body, headers);

const address = { name: "Lamp & Co", address: "Torstraße 1", city: "Berlin", zip: "10119", country: "DE" };

it("has defaults until it is saved, and is then edited and read, each with its changes in the audit log", async () => {
  const unsaved = await ask("GET /admin/shop");
  expect(unsaved.body.data).toEqual({
    name: "Storefront",
    address: null,
    home_country: null,
    home_region: null,
    currency: "USD",
    prices_include_tax: false,
    contact: "",
    time_zone: "UTC",
    logo: null,
    color: "#1a56db",
    sender_name: null,
    reply_to: null,
    language: "en",
    order_number_prefix: "#",
    order_number_start: 1001,
    withdrawal_days: null,
    delivery_days: 7,
    terms_required: false,
    agent_access: "off",
    agent_hosts: [],
    alert_email: null,
    alert_error_percent: 5,
    vat_id: null,
    tax_number: null,
    small_business: false,
    business_terms: null,
    registration: null,
    iban: null,
    invoice_email: null,
    invoice_moment: "manual",
    invoice_prefix: "",
    updated_at: null,
  });
  const etag = String(unsaved.headers.get("ETag"));
  const saved = await put(
    { name: "Lamp & Co", address, home_country: "de", prices_include_tax: true },
    { "If-Match": etag },
  );
  expect(saved.body.data).toMatchObject({
    name: "Lamp & Co",
    address: { ...address, company: null, address2: null, region: null, phone: null },
    home_country: "DE",
    home_region: null,
    prices_include_tax: true,
    time_zone: "UTC",
    updated_at: expect.any(String),
  });
  expect((await put({ name: "Mine" }, { "If-Match": etag })).status).toBe(412);
  const edited = await put({ prices_include_tax: false }, { "If-Match": String(saved.headers.get("ETag")) });
  expect((await ask("GET /admin/shop")).body.data).toEqual(edited.body.data);
  const log = (await ask("GET /admin/audit-log?subject=shop&subject_id=1")).body.data;
  expect(log.map(({ action, before, after }: Record<string, unknown>) => [action, before, after])).toEqual([
    ["shop.update", { prices_include_tax: true }, { prices_include_tax: false }],
    [
      "shop.create",
      null,
      {
        name: "Lamp & Co",
        address,
        home_country: "DE",
        home_region: null,
        currency: "USD",
        prices_include_tax: true,
        contact: "",
        time_zone: "UTC",
        logo: null,
        color: "#1a56db",
        sender_name: null,
        reply_to: null,
        language: "en",
        order_number_prefix: "#",
        order_number_start: 1001,
        withdrawal_days: null,
        delivery_days: 7,
        terms_required: false,
        agent_access: "off",
        agent_hosts: [],
        alert_email: null,
        alert_error_percent: 5,
        vat_id: null,
        tax_number: null,
        small_business: false,
        business_terms: null,
        registration: null,
        iban: null,
        invoice_email: null,
        invoice_moment: "manual",
        invoice_prefix: "",
      },
    ],
  ]);
});

it("keeps the deployment's name for it until another is sent", async () => {
  await db.delete(shop);
  expect((await put({ prices_include_tax: true })).body.data.name).toBe("Storefront");
  expect((await put({ name: "Lamp & Co" })).body.data.name).toBe("Lamp & Co");
  expect((await put({ prices_include_tax: false })).body.data.name).toBe("Lamp & Co");
});

it("refuses the second of two first saves at the same moment", async () => {
  await db.delete(shop);
  const DB = interleaved(env.DB, () => put({ name: "Theirs" }));
  const refused = await callWith({ DB }, "PUT /admin/shop", { as: admin.token, body: { name: "Mine" } });
  expect(refused.status).toBe(409);
  expect(refused.body).toEqual(aRefusal("changed_meanwhile"));
  expect((await ask("GET /admin/shop")).body.data.name).toBe("Theirs");
});

it("stores the region as a code, and clears it when the country changes", async () => {
  expect((await put({ home_country: "US", home_region: "new york" })).body.data).toMatchObject({
    home_country: "US",
    home_region: "NY",
  });
  expect((await put({ name: "Lamps" })).body.data.home_region).toBe("NY");
  expect((await put({ home_country: "US" })).body.data.home_region).toBe("NY");
  expect((await put({ home_region: "US-CA" })).body.data.home_region).toBe("CA");
  expect((await put({ home_country: "CA" })).body.data.home_region).toBeNull();
  expect((await put({ home_country: "FR", home_region: "Île-de-France" })).body.data.home_region).toBe("ILE DE FRANCE");
  expect((await put({ home_country: null })).body.data).toMatchObject({ home_country: null, home_region: null });
});

it.each([
  ["home_region", { home_country: "US", home_region: "Bavaria" }],
  ["home_region", { home_country: null, home_region: "NY" }],
  ["home_region", { home_country: "US", home_region: "" }],
  ["home_country", { home_country: "XX" }],
  ["name", { name: "" }],
  ["name", { name: null }],
  ["address.zip", { address: { ...address, zip: "" } }],
  ["address.city", { address: { name: "Lamp", address: "Torstraße 1", zip: "10119" } }],
  ["prices_include_tax", { prices_include_tax: "yes" }],
  ["currency", { currency: "EURO" }],
  ["body", {}],
])("is refused for its %s: %j", async (field, body) => {
  const before = (await ask("GET /admin/shop")).body.data;
  expectRefusal(await put(body), 400, field);
  expect((await ask("GET /admin/shop")).body.data).toEqual(before);
});

/** The version of the pricing rules. */
const pricingVersion = async () =>
  (await env.DB.prepare("SELECT version FROM pricing_rules").first<string>("version")) ?? "";

it("recalculates prices when its home or tax mode changes, and not for its name", async () => {
  await put({ home_country: "DE", prices_include_tax: true });
  const versions = [await pricingVersion()];
  for (const change of [
    { name: "Other" },
    { home_country: "AT" },
    { prices_include_tax: false },
    { home_region: "Wien" },
  ]) {
    await put(change);
    versions.push(await pricingVersion());
  }
  expect(versions[1]).toBe(versions[0]);
  expect(new Set(versions).size).toBe(4);
});
