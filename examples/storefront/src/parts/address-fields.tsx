import { type AddressPart, addressParts, rareParts, regionIn } from "./address-parts.ts";
import { countries } from "./countries.ts";
import { Field, inputOf, Labelled } from "./field.tsx";
import type { Form } from "./form.ts";

type Props = {
  form: Form;
  /** Prefix of the field names, such as "billing.". */
  prefix?: string;
  /** Distinguishes several addresses on a page for a browser's autofill. */
  section?: "shipping" | "billing";
};

type CountryProps = Props & {
  /** Codes of the countries to choose from. Null for all. */
  codes?: readonly string[] | null;
};

/** The country of an address comes first, because the other fields depend on it. Without script, the button fetches them. */
export const CountryField = ({ form, prefix = "", section, codes = null }: CountryProps) => {
  const name = `${prefix}country`;
  const country = form.values[name] ?? "";
  return (
    <div class="with-button">
      <Labelled form={form} name={name} label="Country">
        <select {...inputOf(form, name)} required autocomplete={filledIn(section, "country")}>
          <option value="">Choose a country</option>
          {countries
            .filter(({ code }) => codes === null || codes.includes(code) || code === country)
            .map(({ code, name }) => (
              <option value={code} selected={code === country}>
                {name}
              </option>
            ))}
        </select>
      </Labelled>
      <button class="soft update" type="submit" name="update" value={name} formnovalidate>
        {country ? "Change" : "Continue"}
      </button>
    </div>
  );
};

/** The fields of an address in the form's country. None until a country is chosen. */
export const AddressFields = ({ form, prefix = "", section }: Props) => {
  const country = form.values[`${prefix}country`];
  if (!country) return null;
  // An invoice address needs no telephone number.
  const parts = addressParts(country).filter(({ part }) => part !== "phone" || section !== "billing");
  const isUsed = ({ part }: AddressPart) => form.values[`${prefix}${part}`] || form.errors[`${prefix}${part}`];
  return (
    <>
      <div class="parts-of-address">
        {parts.map((part) => (
          <Part part={part} form={form} prefix={prefix} section={section} />
        ))}
      </div>
      <details class="more" open={rareParts.some(isUsed)}>
        <summary>Add a flat, floor or company</summary>
        <div>
          {rareParts.map((part) => (
            <Part part={part} form={form} prefix={prefix} section={section} />
          ))}
        </div>
      </details>
    </>
  );
};

type PartProps = { part: AddressPart; form: Form; prefix: string; section: Props["section"] };

const Part = ({ part: { part, options, isRequired, ...field }, form, prefix, section }: PartProps) => {
  const name = `${prefix}${part}`;
  const autocomplete = filledIn(section, field.autocomplete);
  const chosen = options && regionIn(options, form.values[name] ?? "");
  return (
    <div class={`part-${part}`}>
      {options ? (
        <Labelled form={form} name={name} label={field.label}>
          <select {...inputOf(form, name)} required={isRequired} autocomplete={autocomplete}>
            <option value="">Choose</option>
            {options.map(({ value, label }) => (
              <option value={value} selected={value === chosen}>
                {label}
              </option>
            ))}
          </select>
        </Labelled>
      ) : (
        <Field form={form} name={name} required={isRequired} {...field} autocomplete={autocomplete} />
      )}
    </div>
  );
};

const filledIn = (section: Props["section"], name: string): string => (section ? `${section} ${name}` : name);
