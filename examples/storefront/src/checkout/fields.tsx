import { countries } from "../parts/countries.ts";
import { Field, inputOf, Labelled } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";

/** Who a guest's order is for. */
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

/** Where the order is sent; `name` is who is suggested. */
export const Address = ({ form, name: suggested }: { form: Form; name: string | undefined }) => {
  const withName = suggested ? { ...form, values: { "shipping_address.name": suggested, ...form.values } } : form;
  const field = (name: string, label: string, autocomplete: string) => (
    <Field form={withName} name={`shipping_address.${name}`} label={label} autocomplete={`shipping ${autocomplete}`} />
  );
  return (
    <fieldset class="panel fields address">
      <legend>Delivery address</legend>
      {field("name", "Name", "name")}
      {field("address", "Street and number", "street-address")}
      {field("city", "City", "address-level2")}
      {field("zip", "Postcode", "postal-code")}
      <Country form={form} />
      <Region form={form} />
      <Field
        form={form}
        name="shipping_address.phone"
        label="Phone (optional)"
        type="tel"
        autocomplete="shipping tel"
        hint="With the country's code, such as +44. For the carrier alone."
        required={false}
      />
    </fieldset>
  );
};

const Country = ({ form }: { form: Form }) => {
  const name = "shipping_address.country";
  return (
    <Labelled form={form} name={name} label="Country">
      <select {...inputOf(form, name)} required autocomplete="shipping country">
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
};

/** The style sheet shows it for countries whose addresses name one; what stands in it or is wrong with it always shows. */
const Region = ({ form }: { form: Form }) => {
  const name = "shipping_address.region";
  const isWanted = Boolean(form.values[name]) || form.errors[name] !== undefined;
  return (
    <div class={isWanted ? undefined : "region"}>
      <Field
        form={form}
        name={name}
        label="State or province"
        autocomplete="shipping address-level1"
        required={false}
      />
    </div>
  );
};
