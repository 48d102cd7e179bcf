import { countries } from "../parts/countries.ts";
import { Field, inputOf, Labelled } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";
import type { AddressKind } from "./order-form.ts";

/** Contact details of a guest. */
export const Contact = ({ form, withName }: { form: Form; withName: boolean }) => (
  <fieldset class="panel fields">
    <legend>Your details</legend>
    <p>
      You order as a guest. <a href="/sign-in?next=/checkout">Sign in</a> or{" "}
      <a href="/sign-up?next=/checkout">create an account</a> to find the order in every browser.
    </p>
    <Field form={form} name="customer.email" label="E-mail" type="email" autocomplete="email" />
    {withName && <Field form={form} name="customer.name" label="Name" autocomplete="name" />}
  </fieldset>
);

type AddressProps = { of: AddressKind; form: Form; name: string | undefined };

/** The shipping address, or the billing address if nothing is shipped. `name` is suggested as the recipient. */
export const Address = ({ of: kind, form, name: suggested }: AddressProps) => {
  const withName = suggested ? { ...form, values: { [`${kind}.name`]: suggested, ...form.values } } : form;
  const [legend, section] =
    kind === "shipping_address" ? ["Delivery address", "shipping"] : ["Billing address", "billing"];
  const field = (name: string, label: string, autocomplete: string, required = true) => (
    <Field
      form={withName}
      name={`${kind}.${name}`}
      label={label}
      autocomplete={`${section} ${autocomplete}`}
      required={required}
    />
  );
  return (
    <fieldset class="panel fields address">
      <legend>{legend}</legend>
      {field("name", "Name", "name")}
      {field("address", "Street and number", "street-address")}
      {field("city", "City", "address-level2")}
      {field("zip", "Postcode", "postal-code", false)}
      <Country form={form} name={`${kind}.country`} autocomplete={`${section} country`} />
      <Region form={form} name={`${kind}.region`} autocomplete={`${section} address-level1`} />
      <Field
        form={form}
        name={`${kind}.phone`}
        label="Phone (optional)"
        type="tel"
        autocomplete={`${section} tel`}
        hint="With country code, such as +44"
        required={false}
      />
    </fieldset>
  );
};

type PartProps = { form: Form; name: string; autocomplete: string };

const Country = ({ form, name, autocomplete }: PartProps) => (
  <Labelled form={form} name={name} label="Country">
    <select {...inputOf(form, name)} required autocomplete={autocomplete}>
      <option value="">Choose</option>
      {countries.map((country) => (
        <option
          value={country.code}
          selected={country.code === form.values[name]}
          class={country.hasRegions ? "with-regions" : undefined}
        >
          {country.name}
        </option>
      ))}
    </select>
  </Labelled>
);

/** The style sheet shows the field for countries with states or provinces. It always shows if it has a value or an error. */
const Region = ({ form, name, autocomplete }: PartProps) => {
  const isWanted = Boolean(form.values[name]) || form.errors[name] !== undefined;
  return (
    <div class={isWanted ? undefined : "region"}>
      <Field form={form} name={name} label="State or province" autocomplete={autocomplete} required={false} />
    </div>
  );
};
