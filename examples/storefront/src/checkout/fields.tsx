import { Field } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";

/** Fields that show by themselves what is wrong with them. */
export const fieldNames = [
  ...["customer.email", "customer.name"],
  ...["shipping_address.name", "shipping_address.address", "shipping_address.city", "shipping_address.zip"],
  "payment_method",
];

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
export const Address = ({ form, name }: { form: Form; name: string | undefined }) => {
  const suggested = name === undefined ? form : { ...form, values: { "shipping_address.name": name, ...form.values } };
  return (
    <fieldset class="panel fields">
      <legend>Delivery address</legend>
      <Field form={suggested} name="shipping_address.name" label="Name" autocomplete="shipping name" />
      <Field
        form={form}
        name="shipping_address.address"
        label="Street and number"
        autocomplete="shipping street-address"
      />
      <Field form={form} name="shipping_address.city" label="City" autocomplete="shipping address-level2" />
      <Field form={form} name="shipping_address.zip" label="Postcode" autocomplete="shipping postal-code" />
    </fieldset>
  );
};
