import type { taxRateFields } from "../../checkout/taxes/fields.ts";
import type { TaxClass } from "../../platform/db/schema.ts";
import { type FieldKind, flag, optional, orNull, percent, text } from "../forms/kinds.ts";
import type { FormState } from "../forms/state.ts";
import { countryOptions } from "../kit/countries.ts";
import { Checkbox, Field, Select } from "../kit/fields.tsx";

export const taxRateKinds: Record<keyof typeof taxRateFields, FieldKind> = {
  name: text,
  country: optional,
  region: orNull(optional),
  tax_class: text,
  rate: percent,
  taxes_shipping: flag,
};

const classes = { standard: "Standard", reduced: "Reduced", zero: "Zero rate" } satisfies Partial<
  Record<TaxClass, string>
>;

export const classLabels: Partial<Record<TaxClass, string>> = classes;

export const TaxRateFields = ({ form }: { form: FormState }) => (
  <>
    <div class="columns">
      <Select form={form} name="country" label="Country" options={countryOptions("Choose one")} required />
      <Field
        form={form}
        name="region"
        label="Region"
        hint="A state or province; left empty, the country as a whole. Where a region has rates, its country's do not apply."
        maxlength={100}
      />
      <Field form={form} name="name" label="Name" hint="As orders show it: VAT." required maxlength={100} />
      <Select
        form={form}
        name="tax_class"
        label="Of products of the class"
        options={Object.entries(classes)}
        required
      />
      <Field form={form} name="rate" label="Rate in per cent" inputmode="decimal" hint="19, or 8.875" required />
    </div>
    <Checkbox
      form={form}
      name="taxes_shipping"
      label="Taxes shipping too"
      hint="The shipping of what it taxes, in proportion."
    />
  </>
);
