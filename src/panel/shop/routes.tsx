import { type Context, Hono } from "hono";
import * as z from "zod";
import { ShopChange, type ShopRow } from "../../back-office/shop/fields.ts";
import { changeShop, readShop } from "../../back-office/shop/shop.ts";
import { administer } from "../../platform/auth/gates.ts";
import { writeContextOf } from "../../platform/auth/write-context.ts";
import { etagOf } from "../../platform/http/version.ts";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { submit } from "../forms/attempt.ts";
import { type FieldKind, flag, optional, orNull, text } from "../forms/kinds.ts";
import { type Failed, type FormState, formFor } from "../forms/state.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { countryOptions } from "../kit/countries.ts";
import { Checkbox, Field, Fieldset, Select } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { addressKinds, addressParts, addressValues } from "../orders/kinds.ts";
import { page } from "../page.tsx";

const shopFieldKinds: Record<string, FieldKind> = {
  name: text,
  ...addressKinds("address"),
  home_country: orNull(optional),
  home_region: orNull(optional),
  prices_include_tax: flag,
};

/** An address without input is null. */
const ShopForm = z.preprocess((sent) => {
  const { address, ...others } = Object(sent);
  return address && !Object.values(address).some(Boolean) ? { ...others, address: null } : sent;
}, ShopChange);

export const shop = new Hono<PanelEnv>()
  .get("/shop", administer("settings:read"), (c) => shopPage(c, null))
  .post("/shop", administer("settings:write"), (c) =>
    submit(
      c,
      (failed) => shopPage(c, failed),
      async (sent) => {
        const change = sent.readChange(ShopForm, shopFieldKinds);
        await changeShop(writeContextOf(c), { change, ifMatch: sent.ifMatch });
        return redirectWithFlash(c, SHOP, "The shop's settings were saved.");
      },
    ),
  )
  // Resolves the audit log's reference.
  .get("/shop/1", administer("settings:read"), (c) => c.redirect(SHOP, 303));

async function shopPage(c: Context<PanelEnv>, failed: Failed | null) {
  const shop = await readShop(c.var.db, c.var.settings.email);
  return page(c, "Shop", <ShopPage shop={shop} failed={failed} />);
}

const SHOP = "/admin/shop";

const ShopPage = ({ shop, failed }: { shop: ShopRow; failed: Failed | null }) => {
  const form = formFor(failed, SHOP, valuesOf(shop), etagOf(shop.updatedAt));
  return (
    <>
      <PageHeader title="Shop">
        <Allowed to="administrators">
          <LinkButton href="/admin/audit-log?subject=shop">Audit log</LinkButton>
        </Allowed>
        <Allowed to="settings:write">
          <LinkButton href="/admin/set-up">Set up</LinkButton>
        </Allowed>
      </PageHeader>
      <div class="card">
        <Form form={form} needs="settings:write">
          <Field form={form} name="name" label="Name" required maxlength={100} />
          <Home form={form} />
          <Checkbox
            form={form}
            name="prices_include_tax"
            label="Prices include tax"
            hint="Common in the European Union. If off, tax is added at checkout, as in the United States."
          />
          <Address form={form} />
          <Button>Save settings</Button>
        </Form>
      </div>
    </>
  );
};

const valuesOf = ({ name, address, homeCountry, homeRegion, pricesIncludeTax }: ShopRow) => ({
  name,
  home_country: homeCountry,
  home_region: homeRegion,
  prices_include_tax: pricesIncludeTax,
  ...addressValues("address", address),
});

const Home = ({ form }: { form: FormState }) => (
  <div class="columns">
    <Select
      form={form}
      name="home_country"
      label="Home country"
      hint="Used for orders without a country, and to tax pickup orders."
      options={countryOptions("Not set")}
    />
    <Field
      form={form}
      name="home_region"
      label="Home region"
      hint="State or province, if taxes depend on it, such as NY."
      maxlength={100}
    />
  </div>
);

const Address = ({ form }: { form: FormState }) => (
  <Fieldset
    form={form}
    name="address"
    label="Address"
    hint="Leave all fields empty, or enter at least a name, an address, a city and, if the country uses them, a postal code."
  >
    <div class="columns">
      {Object.entries(addressParts).map(([part, { label, maxlength }]) => (
        <Field form={form} name={`address.${part}`} label={label} maxlength={maxlength} />
      ))}
    </div>
  </Fieldset>
);
