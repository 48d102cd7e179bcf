import { type Context, Hono } from "hono";
import * as z from "zod";
import { ShopUpdate, shopFields } from "../../back-office/shop/fields.ts";
import {
  changeShop,
  readAmountsInUse,
  readLastOrder,
  readShop,
  whyCurrencyStays,
} from "../../back-office/shop/shop.ts";
import { rememberTimeZone, zoneName } from "../../domain/time.ts";
import type { Options } from "../../platform/administration/fields.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { rememberShopName } from "../../platform/db/time-zone.ts";
import { etagOf } from "../../platform/http/version.ts";
import { submitForm } from "../forms/attempt.ts";
import { inputsOf, kindsOf, valuesOf } from "../forms/conversion.ts";
import { choosing, type Failed, type FormInputs, formFor } from "../forms/inputs.ts";
import { text } from "../forms/kinds.ts";
import { currencyName, currencyOptions } from "../kit/currencies.ts";
import { Columns, Field, Fields, Group } from "../kit/fields.tsx";
import { Form, LinkButton } from "../kit/form.tsx";
import { AuditLink, Card, PageHeader } from "../kit/page-parts.tsx";
import { addressFieldsOf, addressInputs, addressValues } from "../orders/inputs.ts";
import { type PanelEnv, page } from "../page.tsx";

const zones = new Map(
  ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")].map(
    (zone) => [zone, zoneName(zone)] as const,
  ),
);

/** Engines list each zone under one name, but the API accepts aliases as well: "Asia/Kolkata" is Asia/Calcutta. */
const zonesWith = (saved: string): Options => (zones.has(saved) ? zones : [[saved, zoneName(saved)], ...zones]);

const {
  terms_required: _terms,
  agent_access: _access,
  agent_hosts: _hosts,
  alert_email: _email,
  alert_error_percent: _percent,
  color: _color,
  sender_name: _sender,
  reply_to: _replies,
  language: _language,
  ...fields
} = shopFields;

const declared = inputsOf(fields);

/** The form of the shop's settings by API field, without those for agents, alerts and e-mails. The address is optional as a whole. */
const inputs = {
  ...declared,
  name: { ...declared.name, required: true, read: text },
  address: {
    as: "group",
    label: "Address",
    hint: "Leave all fields empty, or enter at least a name, an address, a city and, if the country uses them, a postal code.",
  },
  ...addressInputs("address", { isOptional: true }),
} satisfies FormInputs;

const legal = [
  "vat_id",
  "tax_number",
  "registration",
  "iban",
  "invoice_email",
  "small_business",
  "business_terms",
] as const;

/** The shop's VAT ID is a setting of its own. */
const addressParts = addressFieldsOf("address").filter((name) => name !== "address.vat_id");
const rarely = ["company", "address2", "region", "phone"];
const [usualParts, rarelyUsed] = [false, true].map((isRare) =>
  addressParts.filter((name) => rarely.includes(name.slice("address.".length)) === isRare),
) as [AddressFields, AddressFields];
type AddressFields = ReturnType<typeof addressFieldsOf<"address">>;

/** An address without input is null. */
const ShopForm = z.preprocess((sent) => {
  const { address, ...others } = Object(sent);
  return address && !Object.values(address).some(Boolean) ? { ...others, address: null } : sent;
}, ShopUpdate);

export const shopPages = new Hono<PanelEnv>()
  .get("/shop", administer("settings:read"), (c) => shopPage(c, null))
  .post(
    "/shop",
    administer("settings:write"),
    submitForm(shopPage, async (c, sent) => {
      const change = sent.readChange(ShopForm, kindsOf(inputs));
      const { name, timeZone } = await changeShop(writeContextOf(c), { change, ifMatch: sent.ifMatch });
      rememberShopName(name);
      rememberTimeZone(timeZone);
      return "The shop's settings were saved.";
    }),
  )
  // Resolves the audit log's reference.
  .get("/shop/1", administer("settings:read"), (c) => c.redirect(SHOP, 303));

const SHOP = "/admin/shop";

async function shopPage(c: Context<PanelEnv>, failed: Failed | null) {
  const { db, settings } = c.var;
  const [shop, lastOrder, inUse] = await Promise.all([
    readShop(db, settings.email),
    readLastOrder(db),
    readAmountsInUse(db),
  ]);
  const orderNumberStart = Math.max(shop.orderNumberStart, (lastOrder?.sequence ?? 0) + 1);
  const form = formFor(failed, SHOP, {
    inputs: {
      ...inputs,
      time_zone: choosing(inputs.time_zone, zonesWith(shop.timeZone)),
      currency: choosing(inputs.currency, currencyOptions(shop.currency)),
    },
    values: { ...valuesOf(fields, { ...shop, orderNumberStart }), ...addressValues("address", shop.address) },
    etag: etagOf(shop.updatedAt),
  });
  return page(
    c,
    "Shop",
    <>
      <PageHeader>
        <AuditLink subject="shop" id={1} />
        <LinkButton needs="settings:write" href="/admin/set-up">
          Set up shipping and taxes
        </LinkButton>
      </PageHeader>
      <Form form={form} needs="settings:write" save="Save settings">
        <div class="editor">
          <div>
            <section class="card">
              <Fields form={form} names={["name", "contact"]} />
            </section>
            <section class="card">
              <Group form={form} name="address">
                <Columns form={form} names={usualParts} />
                <details class="more" open={rarelyUsed.some((name) => form.values[name]?.[0])}>
                  <summary>Company, second line, region and phone</summary>
                  <Columns form={form} names={rarelyUsed} />
                </details>
              </Group>
            </section>
            <Card title="Order numbers">
              <Columns form={form} names={["order_number_prefix", "order_number_start"]} />
            </Card>
            <Card title="Invoices">
              <Columns form={form} names={["invoice_moment", "invoice_prefix", ...legal]} />
            </Card>
          </div>
          <div>
            <Card title="Location">
              <Fields form={form} names={["home_country", "home_region", "time_zone"]} />
            </Card>
            <Card title="Prices">
              {inUse.length === 0 ? (
                <Field form={form} name="currency" />
              ) : (
                <p>
                  Prices are in {currencyName(shop.currency)}.{" "}
                  <span class="muted">The currency {whyCurrencyStays(inUse)}.</span>
                </p>
              )}
              <Field form={form} name="prices_include_tax" />
            </Card>
            <Card title="Withdrawal">
              <Fields form={form} names={["withdrawal_days", "delivery_days"]} />
            </Card>
          </div>
        </div>
      </Form>
    </>,
  );
}
