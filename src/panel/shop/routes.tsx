import { type Context, Hono } from "hono";
import * as z from "zod";
import { type ShopRow, ShopUpdate, type shopFields } from "../../back-office/shop/fields.ts";
import { changeShop, readLastOrder, readShop } from "../../back-office/shop/shop.ts";
import { rememberTimeZone, zoneName } from "../../domain/time.ts";
import type { Options } from "../../platform/administration/fields.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { rememberShopName } from "../../platform/db/time-zone.ts";
import { etagOf } from "../../platform/http/version.ts";
import { redirectWithFlash } from "../flash.ts";
import { submitForm } from "../forms/attempt.ts";
import { type Failed, type FormInput, formFor, kindsOf } from "../forms/inputs.ts";
import { number } from "../forms/kinds.ts";
import { Allowed } from "../kit/allowed.tsx";
import { countryOptions } from "../kit/countries.ts";
import { Columns, Field, Fields, Group } from "../kit/fields.tsx";
import { Button, Form, LinkButton, SaveBar } from "../kit/form.tsx";
import { AuditLink, PageHeader } from "../kit/page-parts.tsx";
import { addressFieldsOf, addressInputs, addressValues } from "../orders/inputs.ts";
import { type PanelEnv, page } from "../page.tsx";

const zones = new Map(
  ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")].map(
    (zone) => [zone, zoneName(zone)] as const,
  ),
);

/** Engines list each zone under one name, but the API accepts aliases as well: "Asia/Kolkata" is Asia/Calcutta. */
const zonesWith = (saved: string): Options => (zones.has(saved) ? zones : [[saved, zoneName(saved)], ...zones]);

/** The form of the shop's settings by API field, without those for agents. The address is optional as a whole. */
const shopInputs = {
  name: { as: "text", label: "Name", required: true, maxlength: 100 },
  home_country: {
    as: "choice",
    label: "Home country",
    hint: "Used for orders without a country, and to tax pickup orders.",
    options: countryOptions("Not set"),
  },
  home_region: {
    as: "text",
    label: "Home region",
    hint: "State or province, if taxes depend on it, such as NY.",
    maxlength: 100,
  },
  prices_include_tax: {
    as: "flag",
    label: "Prices include tax",
    hint: "Common in the European Union. If off, tax is added at checkout, as in the United States.",
  },
  contact: {
    as: "lines",
    label: "How buyers reach you",
    rows: 2,
    hint: "E-mail address, telephone number, hours. Shown at the end of e-mails and on the order pages of guests.",
  },
  time_zone: {
    as: "choice",
    label: "Time zone",
    hint: "Used in the panel, in e-mails and on invoices, and for the days of the sales report.",
    options: zones,
    required: true,
  },
  order_number_prefix: {
    as: "text",
    label: "Prefix",
    maxlength: 12,
    hint: "Such as # or EU-. Earlier orders keep their numbers.",
  },
  order_number_start: {
    as: "number",
    label: "Next number",
    required: true,
    hint: "Can only be raised. Numbers count up without gaps.",
    read: number,
  },
  address: {
    as: "group",
    label: "Address",
    hint: "Leave all fields empty, or enter at least a name, an address, a city and, if the country uses them, a postal code.",
  },
} satisfies Record<Exclude<keyof typeof shopFields, `${"agent" | "alert"}_${string}`>, FormInput>;

const inputs = { ...shopInputs, ...addressInputs("address", { isOptional: true }) };

const rarely = ["company", "address2", "region", "phone"];
const [usualParts, rarelyUsed] = [false, true].map((isRare) =>
  addressFieldsOf("address").filter((name) => rarely.includes(name.slice("address.".length)) === isRare),
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
      return redirectWithFlash(c, SHOP, "The shop's settings were saved.");
    }),
  )
  // Resolves the audit log's reference.
  .get("/shop/1", administer("settings:read"), (c) => c.redirect(SHOP, 303));

async function shopPage(c: Context<PanelEnv>, failed: Failed | null) {
  const [shop, lastOrder] = await Promise.all([readShop(c.var.db, c.var.settings.email), readLastOrder(c.var.db)]);
  const { currency } = c.var.settings;
  return page(c, "Shop", <ShopPage {...{ shop, lastOrder, failed, currency }} />);
}

const SHOP = "/admin/shop";

type ShopPageProps = {
  shop: ShopRow;
  lastOrder: Awaited<ReturnType<typeof readLastOrder>>;
  failed: Failed | null;
  currency: string;
};

const ShopPage = ({ shop, lastOrder, failed, currency }: ShopPageProps) => {
  const time_zone = { ...inputs.time_zone, options: zonesWith(shop.timeZone) };
  const form = formFor(failed, SHOP, {
    inputs: { ...inputs, time_zone },
    values: shopValues(shop, lastOrder?.sequence ?? 0),
    etag: etagOf(shop.updatedAt),
  });
  return (
    <>
      <PageHeader title="Shop">
        <AuditLink subject="shop" id={1} />
        <Allowed to="settings:write">
          <LinkButton href="/admin/set-up">Set up shipping and taxes</LinkButton>
        </Allowed>
      </PageHeader>
      <Form form={form} needs="settings:write">
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
            <section class="card">
              <h2>Order numbers</h2>
              <Columns form={form} names={["order_number_prefix", "order_number_start"]} />
            </section>
          </div>
          <div>
            <section class="card">
              <h2>Location</h2>
              <Fields form={form} names={["home_country", "home_region", "time_zone"]} />
            </section>
            <section class="card">
              <h2>Prices</h2>
              <p>Prices are in {currency}. The deployment sets the currency.</p>
              <Field form={form} name="prices_include_tax" />
            </section>
          </div>
        </div>
        <SaveBar>
          <Button>Save settings</Button>
        </SaveBar>
      </Form>
    </>
  );
};

const shopValues = (
  { name, address, homeCountry, homeRegion, pricesIncludeTax, timeZone, ...texts }: ShopRow,
  last: number,
) => ({
  name,
  home_country: homeCountry,
  home_region: homeRegion,
  prices_include_tax: pricesIncludeTax,
  contact: texts.contact,
  time_zone: timeZone,
  order_number_prefix: texts.orderNumberPrefix,
  order_number_start: Math.max(texts.orderNumberStart, last + 1),
  ...addressValues("address", address),
});
