import { AddressFields, CountryField } from "../parts/address-fields.tsx";
import { addressParts, rareParts } from "../parts/address-parts.ts";
import { Tick } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";
import { Refusal } from "../parts/refusal.tsx";

type Props = { form: Form; title: string; action: string };

export const AddressForm = ({ form, title, action }: Props) => {
  const { country = "" } = form.values;
  const fields = ["country", ...[...addressParts(country), ...rareParts].map(({ part }) => part)];
  return (
    <>
      <h1>{title}</h1>
      <section class="panel">
        <Refusal form={form} fields={fields} />
        <form method="post" action={action} class="fields">
          {/* Enter in a field presses the form's first button: let it be the one that saves. */}
          <button type="submit" class="unseen" tabindex={-1}>
            Save
          </button>
          <CountryField form={form} />
          <AddressFields form={form} />
          {country && (
            <>
              <Tick form={form} name="default" label="Use as default" />
              <div class="choices">
                <button type="submit">Save address</button>
                <a class="button soft" href="/account/addresses">
                  Cancel
                </a>
              </div>
            </>
          )}
        </form>
      </section>
    </>
  );
};
