import { type AddressPart, addressParts, rareParts, regionIn } from "../checkout/address-parts.ts";
import { countries } from "../parts/countries.ts";
import { Field, inputOf, Labelled } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";
import { Refusal } from "../parts/refusal.tsx";

type Props = { form: Form; title: string; action: string };

/** The country comes first: it decides which fields an address has. */
export const AddressForm = ({ form, title, action }: Props) => {
  const country = form.values.country ?? "";
  const parts = country ? addressParts(country) : [];
  const isRareUsed = rareParts.some(({ part }) => form.values[part] || form.errors[part]);
  return (
    <>
      <h1>{title}</h1>
      <section class="panel">
        <Refusal form={form} fields={["country", ...[...parts, ...rareParts].map(({ part }) => part)]} />
        <form method="post" action={action} class="fields">
          {/* Enter in a field presses the form's first button: let it be the one that saves. */}
          <button type="submit" class="unseen" tabindex={-1}>
            Save
          </button>
          <div class="with-button">
            <Labelled form={form} name="country" label="Country">
              <select {...inputOf(form, "country")} required autocomplete="country">
                <option value="">Choose a country</option>
                {countries.map(({ code, name }) => (
                  <option value={code} selected={code === country}>
                    {name}
                  </option>
                ))}
              </select>
            </Labelled>
            <button class="soft" type="submit" name="update" value="country" formnovalidate>
              {country ? "Change" : "Continue"}
            </button>
          </div>
          {country && (
            <>
              <div class="parts-of-address">
                {parts.map((part) => (
                  <Part part={part} form={form} />
                ))}
              </div>
              <details class="more" open={isRareUsed}>
                <summary>Add a flat, floor or company</summary>
                <div>
                  {rareParts.map((part) => (
                    <Part part={part} form={form} />
                  ))}
                </div>
              </details>
              <label class="tick">
                <input type="checkbox" name="default" value="yes" checked={form.values.default === "yes"} />
                Use as default
              </label>
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

const Part = ({ part: { part, options, isRequired, ...field }, form }: { part: AddressPart; form: Form }) => (
  <div class={`part-${part}`}>
    {options ? (
      <Labelled form={form} name={part} label={field.label}>
        <select {...inputOf(form, part)} required={isRequired} autocomplete={field.autocomplete}>
          <option value="">Choose</option>
          {options.map(({ value, label }) => (
            <option value={value} selected={value === regionIn(options, form.values[part] ?? "")}>
              {label}
            </option>
          ))}
        </select>
      </Labelled>
    ) : (
      <Field form={form} name={part} required={isRequired} {...field} />
    )}
  </div>
);
