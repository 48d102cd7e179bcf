import { expect, it } from "vitest";
import { userFields } from "../../src/accounts/users/fields.ts";
import { shopFields } from "../../src/back-office/shop/fields.ts";
import { categoryFields } from "../../src/catalogue/categories/categories.ts";
import { productFields } from "../../src/catalogue/products/fields.ts";
import { discountFields } from "../../src/checkout/discounts/fields.ts";
import { methodFields } from "../../src/checkout/shipping/methods.ts";
import { zoneFields } from "../../src/checkout/shipping/zones.ts";
import { taxRateFields } from "../../src/checkout/taxes/tax-rates.ts";
import { fileFields } from "../../src/downloads/files/admin-schemas.ts";
import { licenseKeyFields } from "../../src/downloads/license-keys/admin-schemas.ts";
import { packageFields } from "../../src/downloads/packages/admin-schemas.ts";
import { apiKeyFields } from "../../src/integrations/api-keys/fields.ts";
import { webhookFields } from "../../src/integrations/webhooks/endpoints.ts";
import { inputs as paymentInputs } from "../../src/panel/payments/routes.tsx";
import { shared } from "../support/callers.ts";
import { aLicenseKey } from "../support/license-keys.ts";
import { anAdministrator } from "../support/panel.ts";
import { aDiscount } from "../support/pricing.ts";
import { aMethod, aTaxRate, aZone } from "../support/settings.ts";
import { aCategory, aFile, aKey, aPackage, aProduct, aUser } from "../support/shop.ts";
import { aWebhook } from "../webhooks/support.ts";

const anAdmin = shared(() => anAdministrator());

// A field that the form reads but does not show would be cleared whenever somebody saves the page.

const { logo, color, sender_name, reply_to, language } = shopFields;
const design = { logo, color, sender_name, reply_to, language };

/** A page for each noun, its fields, and the fields that are edited elsewhere. */
const forms: Record<string, { fields: object; elsewhere?: string[]; page: () => Promise<string> }> = {
  product: { fields: productFields, page: async () => `products/${(await aProduct({ stock: null })).id}` },
  category: {
    fields: categoryFields,
    page: async () => `categories/${(await aCategory(`Cups ${crypto.randomUUID()}`)).id}`,
  },
  discount: { fields: discountFields, page: async () => `discounts/${(await aDiscount()).id}` },
  file: { fields: fileFields, elsewhere: ["product_ids"], page: async () => `files/${(await aFile()).id}` },
  package: {
    fields: packageFields,
    page: async () => `packages/${(await aPackage((await aUser()).id, [(await aFile()).id])).id}`,
  },
  "license key": { fields: licenseKeyFields, page: async () => `license-keys/${(await aLicenseKey()).id}` },
  user: { fields: userFields, elsewhere: ["role"], page: async () => `customers/${(await aUser()).id}` },
  shop: {
    fields: shopFields,
    elsewhere: [
      "address",
      "agent_access",
      "terms_required",
      "agent_hosts",
      "alert_email",
      "alert_error_percent",
      // On the page until there are prices, as there are here.
      "currency",
      ...Object.keys(design),
    ],
    page: async () => "shop",
  },
  "shop's e-mails": { fields: design, page: async () => "emails/design" },
  "shipping zone": { fields: zoneFields, page: async () => `shipping-zones/${(await aZone()).id}` },
  "shipping method": {
    fields: methodFields,
    elsewhere: ["zone_id"],
    page: async () => `shipping-methods/${(await aMethod()).id}`,
  },
  "payment method": {
    fields: paymentInputs,
    // Shown in test mode only.
    elsewhere: ["test_card.offered", "test_card.guests"],
    page: async () => "payments",
  },
  "tax rate": { fields: taxRateFields, page: async () => `tax-rates/${(await aTaxRate()).id}` },
  webhook: { fields: webhookFields, page: async () => `webhooks/${(await aWebhook()).id}` },
  "API key": { fields: apiKeyFields, page: async () => `api-keys/${(await aKey()).id}` },
};

it.each(Object.entries(forms))("the form of a %s has an input for every field", async (noun, form) => {
  await aFile();
  await aCategory(`Chosen for ${noun}`);
  const { html } = await (await anAdmin()).get(`/admin/${await form.page()}`);
  const named = new Set(
    [...html.matchAll(/<(?:input|select|textarea)[^>]* name="(?:find\.)?([^"]+)"/g)].map(([, name]) =>
      name?.replace(/^(options|license|unit_pricing)\..*/, "$1"),
    ),
  );
  // The browser would silently truncate pasted text.
  expect(html).not.toMatch(/\smaxlength=/i);
  const expected = Object.keys(form.fields).filter((name) => !form.elsewhere?.includes(name));
  expect([...named]).toEqual(expect.arrayContaining(expected));
});

/** Fields of a page's forms that have a character limit, with the form's address. */
const limitedIn = (html: string) =>
  html.split("<form ").flatMap((form) => {
    const action = /action="([^"]+)"/.exec(form)?.[1] ?? "";
    const fields = form.matchAll(/<(?:input|textarea)[^>]* data-maxlength="(\d+)"[^>]* id="([^"]+)" name="([^"]+)"/g);
    return [...fields].map(([, most, id, name = ""]) => ({ action, most: Number(most), id, name }));
  });

it.each(Object.entries(forms))(
  "the form of a %s refuses a text that is too long, names its field and keeps it",
  async (_, form) => {
    const { get, post } = await anAdmin();
    const limited = limitedIn((await get(`/admin/${await form.page()}`)).html);
    for (const { action, most, id, name } of limited) {
      const tooLong = "é".repeat(most + 1);
      const { status, html } = await post(action, { [name]: tooLong });
      expect([action, name, status]).toEqual([action, name, 400]);
      expect(html).toMatch(new RegExp(`<a href="#${id}">[^<]+</a>: must have at most ${most} characters`));
      expect(html).toContain(tooLong);
    }
  },
);
