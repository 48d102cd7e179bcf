import type { Schema } from "@storefront-worker/api/client";
import { Field } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";
import { meantEmail } from "./meant-email.ts";

type Props = { form: Form; profile: Schema["Profile"] | null; withName: boolean };

/** The order's buyer: the signed-in shopper, or a guest with an e-mail address. */
export const Contact = ({ form, profile, withName }: Props) => (
  <fieldset class="panel fields step">
    <legend>Contact</legend>
    {profile ? (
      <p>
        {profile.name} <span class="quiet">{profile.email}</span>
      </p>
    ) : (
      <>
        <Field
          form={form}
          name="customer.email"
          label="E-mail"
          type="email"
          autocomplete="email"
          maxlength={254}
          hint="We send the confirmation and a link to your order to this address."
        />
        <Suggestion form={form} />
        {withName && <Field form={form} name="customer.name" label="Full name" autocomplete="name" maxlength={100} />}
        <p class="quiet">
          You order as a guest. <a href="/sign-in?next=/checkout">Sign in</a> or{" "}
          <a href="/sign-up?next=/checkout">create an account</a> to keep your orders together.
        </p>
      </>
    )}
  </fieldset>
);

/** Replaces an address that was refused by the one that was probably meant. */
const Suggestion = ({ form }: { form: Form }) => {
  const meant = form.errors["customer.email"] && meantEmail(form.values["customer.email"]);
  return (
    <>
      <input type="hidden" name="asked_email" value={form.values.asked_email} />
      {meant && (
        <button class="soft" type="submit" name="update" value="email">
          Use {meant}
        </button>
      )}
    </>
  );
};
