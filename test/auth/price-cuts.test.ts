import { afterEach, describe, expect, it } from "vitest";
import document from "../../public/openapi.json";
import { beginSession, signPanelToken } from "../../src/panel/session/token.ts";
import { signAccessToken } from "../../src/platform/auth/tokens.ts";
import { call } from "../support/call.ts";
import { aCheckedImport, runJob } from "../support/jobs.ts";
import { aVisitor, fieldsOf } from "../support/panel.ts";
import { aRate, aShippingMethod, aZone, noRules, settleShop } from "../support/pricing.ts";
import { aParent, aProduct, aUser, aVariant, settings } from "../support/shop.ts";

// Everything that lowers what buyers pay requires a recent password, and what raises it does not.

afterEach(async () => {
  await noRules();
});

/** An administrator whose session last saw a password an hour ago. */
async function aStaleAdministrator() {
  const { id: userId, sessionId } = await aUser({ role: "admin" });
  return (await signAccessToken(settings, { userId, sessionId, authenticatedAt: Date.now() - 3_600_000 })).token;
}

type Request = () => Promise<{ line: string; body?: unknown }>;
type Cases = { lowers?: Record<string, Request>; raises?: Record<string, Request> };

let made = 0;

const changeProduct =
  (body: object, columns: Parameters<typeof aProduct>[0] = {}) =>
  async () => ({
    line: `PUT /admin/products/${(await aProduct({ price: 1_000, weightGrams: 500, ...columns })).id}`,
    body,
  });
const changeVariant = (price: number) => async () => ({
  line: `PUT /admin/products/${(await aVariant(await aParent(), { price: 1_000 })).id}`,
  body: { price },
});
async function aParentWithVariant() {
  const parent = await aParent();
  await aVariant(parent, { price: 1_000 });
  return parent;
}
async function inheritTaxClass() {
  const variant = await aVariant(await aParent({ taxClass: "exempt" }), { taxClass: "standard" });
  return { line: `PUT /admin/products/${variant.id}`, body: { inherits: ["tax_class"] } };
}
const addVariants = (price: number) => async () => ({
  line: `POST /admin/products/${(await aParentWithVariant()).id}/variants`,
  body: { generate: true, price },
});
const addVariant = (price: number) => async () => ({
  line: `POST /admin/products/${(await aParentWithVariant()).id}/variants`,
  body: {
    sku: `CUT-${++made}`,
    price,
    option_values: [
      { name: "Size", value: "L" },
      { name: "Color", value: "Red" },
    ],
  },
});
const bulkPrice = (percent: number) => async () => ({
  line: "POST /admin/products/bulk-actions",
  body: { ids: [(await aProduct()).id], change: { price_percent: percent } },
});
const undo = (percent: number) => async () => {
  const { token: as } = await aUser({ role: "admin" });
  const { line, body } = await bulkPrice(percent)();
  const { id } = (await call(line, { as, body })).body.data;
  await runJob(id);
  return { line: `POST /admin/jobs/${id}/undo`, body: {} };
};
const startImport = (resource: "products" | "customers", csv: string) => async () => {
  const { token: as } = await aUser({ role: "admin" });
  const { id } = await aCheckedImport(csv, { as, resource });
  return { line: `POST /admin/imports/${resource}/${id}/start`, body: {} };
};
const brackets = [
  { upToGrams: 1_000, price: 500 },
  { upToGrams: 5_000, price: 900 },
];
const byWeight =
  (...prices: [grams: number, price: number][]) =>
  async () => ({
    line: `PUT /admin/shipping-methods/${(await aShippingMethod({ kind: "weight", price: 0, brackets })).id}`,
    body: { brackets: prices.map(([up_to_grams, price]) => ({ up_to_grams, price })) },
  });
const changeMethod =
  (body: object, columns: Parameters<typeof aShippingMethod>[0] = {}) =>
  async () => ({
    line: `PUT /admin/shipping-methods/${(await aShippingMethod({ price: 500, ...columns })).id}`,
    body,
  });
const changeRate =
  (body: object, columns: Parameters<typeof aRate>[0] = {}) =>
  async () => ({
    line: `PUT /admin/tax-rates/${(await aRate(columns)).id}`,
    body,
  });
const changeShop = (body: object) => async () => {
  await settleShop({ homeCountry: "DE", pricesIncludeTax: false });
  return { line: "PUT /admin/shop", body };
};
const discount = (percent: number) => async () => ({
  line: "POST /admin/discounts",
  body: { name: "Sale", code: `CUT${++made}`, kind: "percentage", percent },
});
const changeDiscount = (percent: number) => async () => {
  const { token: as } = await aUser({ role: "admin" });
  const { line, body } = await discount(60)();
  return { line: `PUT /admin/discounts/${(await call(line, { as, body })).body.data.id}`, body: { percent } };
};

/** By operation of the administration. */
const pricing: Record<string, Cases> = {
  updateProduct: {
    lowers: {
      "a lower price": changeProduct({ price: 9.99 }),
      "a lower price of a variant": changeVariant(9.99),
      "another tax class": changeProduct({ tax_class: "exempt" }),
      "a lower weight": changeProduct({ weight_grams: 1 }),
      "no weight": changeProduct({ weight_grams: null }),
      "no shipping": changeProduct({ requires_shipping: false }, { requiresShipping: true }),
      "an inherited tax class": inheritTaxClass,
    },
    raises: {
      "a higher price": changeProduct({ price: 10.01 }),
      "a higher price of a variant": changeVariant(10.01),
      "a higher weight": changeProduct({ weight_grams: 501 }),
      "another name": changeProduct({ name: "Renamed" }),
    },
  },
  createVariants: {
    lowers: { "a cheaper variant": addVariant(9.99), "cheaper variants": addVariants(9.99) },
    raises: { "a variant at that price": addVariant(10), "dearer variants": addVariants(10.01) },
  },
  bulkUpdateProducts: { lowers: { "lower prices": bulkPrice(-1) }, raises: { "higher prices": bulkPrice(1) } },
  undoJob: { lowers: { "undoing a rise": undo(10) }, raises: { "undoing a cut": undo(-10) } },
  startProductImport: { lowers: { products: startImport("products", `sku,name,price\nCUT-${++made},Lamp,1.00\n`) } },
  startCustomerImport: {
    lowers: { customers: startImport("customers", "email,name,tax_exempt_reason\nexempt@shop.test,Ada,Reseller\n") },
  },
  createDiscount: { lowers: { "more than half": discount(51) }, raises: { half: discount(50) } },
  updateDiscount: { lowers: { "more than before": changeDiscount(61) }, raises: { less: changeDiscount(50) } },
  updateCustomer: {
    lowers: {
      "a tax exemption": async () => ({
        line: `PUT /admin/users/${(await aUser()).id}`,
        body: { tax_exempt_reason: "Reseller" },
      }),
    },
    raises: {
      "the end of a tax exemption": async () => ({
        line: `PUT /admin/users/${(await aUser({ taxExemptReason: "Reseller" })).id}`,
        body: { tax_exempt_reason: null },
      }),
    },
  },
  createCustomer: {
    lowers: {
      "an exempt customer": async () => ({
        line: "POST /admin/users",
        body: { email: `exempt-${++made}@shop.test`, name: "Ada", tax_exempt_reason: "Reseller" },
      }),
    },
    raises: {
      "a customer": async () => ({
        line: "POST /admin/users",
        body: { email: `taxed-${++made}@shop.test`, name: "Ada" },
      }),
    },
  },
  updateShop: {
    lowers: {
      "prices that include tax": changeShop({ prices_include_tax: true }),
      "another home country": changeShop({ home_country: "US" }),
      "a VAT ID, with which businesses abroad pay no tax": changeShop({ vat_id: "DE123456789" }),
      "no tax of a small business": changeShop({ small_business: true }),
    },
    raises: { "another time zone": changeShop({ time_zone: "Europe/Berlin" }) },
  },
  createShippingMethod: {
    lowers: {
      "another method": async () => ({
        line: "POST /admin/shipping-methods",
        body: { zone_id: (await aZone()).id, name: "Cheap", kind: "flat_rate", price: 0.01 },
      }),
    },
  },
  updateShippingMethod: {
    lowers: {
      "a lower price": changeMethod({ price: 4.99 }),
      "free shipping": changeMethod({ free_from: 100 }),
      "free shipping from less": changeMethod({ free_from: 9 }, { freeFrom: 1_000 }),
      "a lower bracket": byWeight([1_000, 5], [5_000, 8.99]),
      "a wider cheap bracket": byWeight([2_000, 5], [5_000, 9]),
      "heavier parcels": byWeight([1_000, 5], [5_000, 9], [9_000, 12]),
      "a disabled method": changeMethod({ enabled: true }, { enabled: false }),
      "another kind": changeMethod({ kind: "pickup" }),
      "another zone": async () => changeMethod({ zone_id: (await aZone()).id })(),
    },
    raises: {
      "a higher price": changeMethod({ price: 5.01 }),
      "free shipping from more": changeMethod({ free_from: 11 }, { freeFrom: 1_000 }),
      "no free shipping": changeMethod({ free_from: null }, { freeFrom: 1_000 }),
      "higher brackets": byWeight([1_000, 6], [5_000, 10]),
      "no heavy parcels": byWeight([1_000, 5]),
      "the end of the method": changeMethod({ enabled: false }),
    },
  },
  deleteShippingMethod: {
    lowers: {
      "a method": async () => ({ line: `DELETE /admin/shipping-methods/${(await aShippingMethod()).id}` }),
    },
  },
  createShippingZone: {
    raises: {
      "a zone, which has no methods yet": async () => ({
        line: "POST /admin/shipping-zones",
        body: { name: "North", places: [{ country: "NO" }] },
      }),
    },
  },
  updateShippingZone: {
    lowers: {
      "other places": async () => ({
        line: `PUT /admin/shipping-zones/${(await aZone()).id}`,
        body: { places: [{ country: "FR" }] },
      }),
      "the rest of the world": async () => ({
        line: `PUT /admin/shipping-zones/${(await aZone()).id}`,
        body: { rest_of_world: true },
      }),
    },
    raises: {
      "another name": async () => ({ line: `PUT /admin/shipping-zones/${(await aZone()).id}`, body: { name: "Else" } }),
    },
  },
  deleteShippingZone: {
    lowers: { "a zone": async () => ({ line: `DELETE /admin/shipping-zones/${(await aZone()).id}` }) },
  },
  createTaxRate: {
    lowers: {
      "a rate of a region": async () => ({
        line: "POST /admin/tax-rates",
        body: { name: "Sales tax", country: "US", region: "NY", rate: 1 },
      }),
      "a rate of a class that was taxed at the standard rate": async () => {
        await aRate({ country: "DE", rate: 190_000 });
        return { line: "POST /admin/tax-rates", body: { name: "VAT", country: "DE", tax_class: "reduced", rate: 0 } };
      },
      "a rate of a country that was taxed like the home country": async () => ({
        line: "POST /admin/tax-rates",
        body: { name: "VAT", country: "FR", rate: 1 },
      }),
    },
  },
  updateTaxRate: {
    lowers: {
      "a lower rate": changeRate({ rate: 18 }),
      "untaxed shipping": changeRate({ taxes_shipping: false }),
      "another class": changeRate({ tax_class: "reduced" }),
      "another country": changeRate({ country: "AT" }),
      "another region": changeRate({ region: "CA" }, { country: "US", region: "NY" }),
    },
    raises: { "a higher rate": changeRate({ rate: 20 }), "another name": changeRate({ name: "MwSt" }) },
  },
  deleteTaxRate: { lowers: { "a rate": async () => ({ line: `DELETE /admin/tax-rates/${(await aRate()).id}` }) } },
};

/** Operations that give value away with an order or an account. Amounts are added up and asked above a limit. */
const counted = [
  ...["adminCreateOrder", "updateOrder", "createOrderEdit", "createRefund", "settleReturn", "bulkUpdateOrders"],
  ...["createDraftOrder", "updateDraftOrder", "sendDraftOrder", "completeDraftOrder"],
  ...["createDownloadPackage", "creditWallet", "createGiftCard", "updateDownloadPackage", "updateLicenseKey"],
];

/** Operations that cannot lower what buyers pay. A new product, a preset of an empty shop and a deleted discount take nothing off. */
const unpriced = [
  // Asks whatever its prices are.
  /^upsertProducts$/,
  /^create(ApiKey|Category|CustomerImport|CustomerNote|Feed|FileVersion|OrderEditQuote|OrderNote|Product|ProductImport)$/,
  /^create(SavedView|Shipment|StockAdjustment|Upload|Webhook)$/,
  /^update(ApiKey|Category|EmailText|Feed|File|Page|PaymentSettings|Return|Shipment|Webhook)$/,
  /^(adminCreateReturn|createInvoice)$/,
  /^delete(Category|Customer|Discount|DraftOrder|Feed|File|PaymentAccount|Product|SavedView|Webhook)$/,
  // Asks for a password whatever it says.
  /^update(Paypal|Stripe)Account$/,
  /^(adminCreateQuote|bulkUpdateCustomers|cancelJob|cancelSubscription|cancelUpload|clearLicenseActivations|completeUpload|disableGiftCard|removeTwoFactor|restoreCustomer|startBackup)$/,
  /^(apply.*Preset|check.*Import|invite.*|replay.*|resend.*|retry.*|revoke.*|rotate.*|testWebhook|upload.*)$/,
];

it("covers every write of the administration", () => {
  const writes = Object.entries(document.paths).flatMap(([path, operations]) =>
    path.includes("/admin/")
      ? Object.entries(operations).flatMap(([method, operation]) =>
          ["post", "put", "patch", "delete"].includes(method) ? [String(Reflect.get(operation, "operationId"))] : [],
        )
      : [],
  );
  const covered = (name: string) =>
    name in pricing || counted.includes(name) || unpriced.some((names) => names.test(name));
  expect(writes.filter((name) => !covered(name))).toEqual([]);
  expect(Object.keys(pricing).filter((name) => !writes.includes(name))).toEqual([]);
});

const casesOf = (which: keyof Cases) =>
  Object.entries(pricing).flatMap(([operation, cases]) =>
    Object.entries(cases[which] ?? {}).map(([name, request]) => ({ operation, name, request })),
  );

describe("a session with an old password", () => {
  it.each(casesOf("lowers"))("is asked for it by $operation: $name", async ({ request }) => {
    const { line, body } = await request();
    const asked = await call(line, { as: await aStaleAdministrator(), body });
    expect([asked.status, asked.body.code]).toEqual([403, "reauthentication_required"]);
    const { token: as } = await aUser({ role: "admin" });
    expect((await call(line, { as, body })).status).toBeLessThan(300);
  });

  it.each(casesOf("raises"))("is not asked by $operation: $name", async ({ request }) => {
    const { line, body } = await request();
    expect((await call(line, { as: await aStaleAdministrator(), body })).status).toBeLessThan(300);
  });
});

it("is asked for it by the table of variants in the panel", async () => {
  const parent = await aParent();
  const variant = await aVariant(parent, { price: 1_000 });
  const { id: userId, sessionId } = await aUser({ role: "admin" });
  const anHourAgo = Date.now() - 3_600_000;
  const session = beginSession({ userId, sessionId, authenticatedAt: anHourAgo }, Date.now());
  const { token } = await signPanelToken(settings, session);
  const visitor = aVisitor({ "__Host-panel": token });
  const [page, table] = [`/admin/products/${parent.id}`, `/admin/products/${parent.id}/variants`];
  const save = async (price: string) =>
    visitor.post(table, { ...fieldsOf(await visitor.get(page), table), [`variants.${variant.id}.price`]: price });
  expect((await save("10.01")).status).toBe(303);
  expect((await save("9.99")).status).toBe(403);
});
