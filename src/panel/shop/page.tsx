import type { ShopRow } from "../../back-office/shop/fields.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Failed, type FormState, formFor } from "../forms/state.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { countryOptions } from "../kit/countries.ts";
import { Checkbox, Field, Fieldset, Select } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { addressParts, addressValues } from "../orders/kinds.ts";

export const SHOP = "/admin/shop";

export const ShopPage = ({ shop, failed }: { shop: ShopRow; failed: Failed | null }) => {
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
