import { expect, it } from "vitest";
import { administration } from "../../support/administration.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { aTaxRate } from "../../support/settings.ts";

const { ask } = administration();

const count = async () => (await ask("GET /admin/tax-rates")).body.pagination.total_items;

it("is created, edited and deleted, each with its changes in the audit log", async () => {
  const rate = await aTaxRate({ name: "Sales tax", country: "us", region: "New York", rate: 8.875 });
  expect(rate).toMatchObject({
    name: "Sales tax",
    country: "US",
    region: "NY",
    tax_class: "standard",
    rate: 8.875,
    taxes_shipping: true,
  });
  const path = `/admin/tax-rates/${rate.id}`;
  const edited = await ask(`PUT ${path}`, { rate: 4.0001, taxes_shipping: false });
  expect((await ask(`GET ${path}`)).body.data).toEqual(edited.body.data);
  await ask(`DELETE ${path}`);
  expect((await ask(`GET ${path}`)).status).toBe(404);
  const log = (await ask(`GET /admin/audit-log?subject=tax_rate&subject_id=${rate.id}`)).body.data;
  const first = {
    name: "Sales tax",
    country: "US",
    region: "NY",
    tax_class: "standard",
    rate: 8.875,
    taxes_shipping: true,
  };
  expect(log.map(({ action, before, after }: Record<string, unknown>) => [action, before, after])).toEqual([
    ["tax_rate.delete", { ...first, rate: 4.0001, taxes_shipping: false }, null],
    ["tax_rate.update", { rate: 8.875, taxes_shipping: true }, { rate: 4.0001, taxes_shipping: false }],
    ["tax_rate.create", null, first],
  ]);
});

it("has a unique name within its place and class", async () => {
  const vat = { name: "VAT", country: "IT", rate: 22 };
  await aTaxRate(vat);
  const refused = await ask("POST /admin/tax-rates", vat);
  expectRefusal(refused, 400, "name");
  expect(refused.body.code).toBe("tax_rate_exists");
  for (const other of [{ name: "Other" }, { country: "ES" }, { tax_class: "reduced" }, { region: "Lazio" }]) {
    expect((await ask("POST /admin/tax-rates", { ...vat, ...other })).status).toBe(201);
  }
  expectRefusal(await ask("POST /admin/tax-rates", { ...vat, region: "lazio" }), 400, "name");
  const { id } = await aTaxRate({ ...vat, tax_class: "zero", rate: 0 });
  expect((await ask(`PUT /admin/tax-rates/${id}`, { tax_class: "standard" })).body.code).toBe("tax_rate_exists");
});

it("loses its region when its country changes, and keeps it otherwise", async () => {
  const { id } = await aTaxRate({ country: "US", region: "CA", rate: 7.25 });
  const put = async (body: unknown) => (await ask(`PUT /admin/tax-rates/${id}`, body)).body;
  expect((await put({ rate: 7.5 })).data.region).toBe("CA");
  expect((await put({ region: "Nevada" })).data.region).toBe("NV");
  expect((await put({ region: "Bavaria" })).errors).toHaveProperty("region");
  expect((await put({ country: "GB" })).data).toMatchObject({ country: "GB", region: null });
  expect((await put({ country: "US", region: "TX" })).data).toMatchObject({ country: "US", region: "TX" });
  expect((await put({ region: null })).data.region).toBeNull();
});

it("is listed by country, with a filter for the country", async () => {
  await aTaxRate({ country: "SE", rate: 25 });
  const { body } = await ask("GET /admin/tax-rates?country=se");
  expect(body.data.map(({ country }: { country: string }) => country)).toEqual(["SE"]);
  expect(body.pagination.total_items).toBe(1);
  const all = (await ask("GET /admin/tax-rates?per_page=100")).body.data;
  const countries = all.map(({ country }: { country: string }) => country);
  expect(countries).toEqual(countries.toSorted());
  expectRefusal(await ask("GET /admin/tax-rates?country=Sweden"), 400, "country");
});

it.each([
  ["rate", { rate: 100.01 }],
  ["rate", { rate: -1 }],
  ["rate", { rate: 0.00001 }],
  ["rate", { rate: "19" }],
  ["rate", { rate: undefined }],
  ["country", { country: "XX" }],
  ["country", { country: undefined }],
  ["region", { country: "CA", region: "Bavaria" }],
  ["region", { region: "" }],
  ["tax_class", { tax_class: "exempt" }],
  ["tax_class", { tax_class: "luxury" }],
  ["name", { name: "" }],
  ["taxes_shipping", { taxes_shipping: "yes" }],
])("is refused for its %s: %j", async (field, wrong) => {
  const before = await count();
  expectRefusal(await ask("POST /admin/tax-rates", { name: "Tax", country: "GR", rate: 24, ...wrong }), 400, field);
  expect(await count()).toBe(before);
});
