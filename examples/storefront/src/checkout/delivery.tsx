import type { Schema } from "storefront/client";
import { countries, countryName } from "../parts/countries.ts";
import { Field, inputOf, Labelled } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";
import { type AddressPart, addressParts, rareParts, regionIn } from "./address-parts.ts";
import type { AddressKind } from "./order-form.ts";

export type SavedAddress = Schema["AccountAddress"];

type Props = { of: AddressKind; form: Form; quote: Schema["Quote"]; saved: SavedAddress[]; isShopper: boolean };

/** Where the order goes, or the bill if nothing is shipped: an address of the address book, or another one. */
export const Delivery = ({ of: kind, form, quote, saved, isShopper }: Props) => {
  const isSaved = saved.some(({ id }) => String(id) === form.values.address_id);
  return (
    <fieldset class="panel fields step">
      <legend>{kind === "shipping_address" ? "Delivery" : "Billing address"}</legend>
      <input type="hidden" name="asked" value={kind} />
      {saved.map((address) => (
        <Saved address={address} isChosen={String(address.id) === form.values.address_id} />
      ))}
      {saved.length > 0 && (
        <label class="option">
          <input type="radio" name="address_id" value="new" checked={!isSaved} class="another" id="address_id-new" />
          Another address
        </label>
      )}
      {form.errors.address_id && <span class="wrong">{form.errors.address_id.join(", ")}</span>}
      <Another of={kind} form={form} quote={quote} isShopper={isShopper} />
    </fieldset>
  );
};

const Saved = ({ address, isChosen }: { address: SavedAddress; isChosen: boolean }) => {
  const { id, name, company, address: street, address2, city, zip, region, country } = address;
  const place = [
    company,
    street,
    address2,
    [zip, city].filter(Boolean).join(" "),
    region,
    country && countryName(country),
  ];
  return (
    <label class="option">
      <input type="radio" name="address_id" value={String(id)} checked={isChosen} id={`address_id-${id}`} />
      <span>
        {name}
        <span class="quiet">{place.filter(Boolean).join(", ")}</span>
      </span>
    </label>
  );
};

/** The fields of an address. The country comes first, because the others depend on it. */
const Another = ({ of: kind, form, quote, isShopper }: Omit<Props, "saved">) => {
  const section = kind === "shipping_address" ? "shipping" : "billing";
  const country = form.values["address.country"] ?? "";
  const doubt = form.values["address.zip"] && quote.warnings.find(({ field }) => field.endsWith("_address.zip"));
  return (
    <div class="fields another-address">
      <div class="with-button">
        <Labelled form={form} name="address.country" label="Country">
          <select {...inputOf(form, "address.country")} required autocomplete={`${section} country`}>
            <option value="">Choose a country</option>
            {countries.map(({ code, name }) => (
              <option value={code} selected={code === country}>
                {name}
              </option>
            ))}
          </select>
        </Labelled>
        <button class="soft update" type="submit" name="update" value="country">
          {country ? "Change" : "Continue"}
        </button>
      </div>
      <div class="fields" data-live="address" data-country={country}>
        {country && (
          <>
            <div class="parts-of-address">
              {addressParts(country).map((part) => (
                <Part part={part} form={form} section={section} />
              ))}
            </div>
            <details class="more" open={rareParts.some(({ part }) => form.values[`address.${part}`])}>
              <summary>Add a flat, floor or company</summary>
              <div>
                {rareParts.map((part) => (
                  <Part part={part} form={form} section={section} />
                ))}
              </div>
            </details>
            {isShopper && (
              <label class="tick">
                <input
                  type="checkbox"
                  name="save_address"
                  value="yes"
                  checked={form.values.save_address === "yes"}
                  id="save_address"
                />
                Save this address in my account
              </label>
            )}
          </>
        )}
      </div>
      <div data-live="doubt">{doubt && <p class="hint">{doubt.message}. Please check it.</p>}</div>
    </div>
  );
};

type PartProps = { part: AddressPart; form: Form; section: string };

const Part = ({ part: { part, options, isRequired, ...field }, form, section }: PartProps) => {
  const name = `address.${part}`;
  const autocomplete = `${section} ${field.autocomplete}`;
  return (
    <div class={`part-${part}`}>
      {options ? (
        <Labelled form={form} name={name} label={field.label}>
          <select {...inputOf(form, name)} required={isRequired} autocomplete={autocomplete}>
            <Options options={options} chosen={regionIn(options, form.values[name] ?? "")} />
          </select>
        </Labelled>
      ) : (
        <Field form={form} name={name} required={isRequired} {...field} autocomplete={autocomplete} />
      )}
    </div>
  );
};

const Options = ({ options, chosen }: { options: NonNullable<AddressPart["options"]>; chosen: string }) => (
  <>
    <option value="">Choose</option>
    {options.map(({ value, label }) => (
      <option value={value} selected={value === chosen}>
        {label}
      </option>
    ))}
  </>
);
