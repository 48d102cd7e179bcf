import type { Schema } from "@storefront-worker/api/client";
import { AddressFields, CountryField } from "../parts/address-fields.tsx";
import { linesOf } from "../parts/address-lines.tsx";
import { Tick } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";
import type { AddressKind } from "./order-form.ts";

export type SavedAddress = Schema["AccountAddress"];

type Props = { of: AddressKind; form: Form; quote: Schema["Quote"]; saved: SavedAddress[]; isShopper: boolean };

/** The shipping address, or the billing address if nothing is shipped: one of the address book, or another. */
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
      {kind === "shipping_address" && <Billing form={form} />}
    </fieldset>
  );
};

const Saved = ({ address: { id, name, ...place }, isChosen }: { address: SavedAddress; isChosen: boolean }) => (
  <label class="option">
    <input type="radio" name="address_id" value={String(id)} checked={isChosen} id={`address_id-${id}`} />
    <span dir="auto">
      {name}
      <span class="quiet">{linesOf({ ...place, name: "" }).join(", ")}</span>
    </span>
  </label>
);

const Another = ({ of: kind, form, quote, isShopper }: Omit<Props, "saved">) => {
  const isShipped = kind === "shipping_address";
  const props = { form, prefix: "address.", section: isShipped ? "shipping" : "billing" } as const;
  const country = form.values["address.country"] ?? "";
  const doubt = form.values["address.zip"] && quote.warnings.find(({ field }) => field === `${kind}.zip`);
  return (
    <div class="fields another-address">
      <CountryField {...props} codes={isShipped ? quote.shipping_countries : null} />
      <div class="fields" data-live="address" data-country={country}>
        <AddressFields {...props} />
        {country && isShopper && <Tick form={form} name="save_address" label="Save this address in my account" />}
      </div>
      <div data-live="doubt">{doubt && <p class="hint">{doubt.message}. Please check it.</p>}</div>
    </div>
  );
};

/** A separate billing address for shipped goods. Its fields appear once the box is ticked. */
const Billing = ({ form }: { form: Form }) => {
  const props = { form, prefix: "billing.", section: "billing" } as const;
  return (
    <>
      <Tick form={form} name="other_billing" label="Send the invoice to another address" />
      <div class="fields billing-address">
        <CountryField {...props} />
        <div class="fields" data-live="billing" data-country={form.values["billing.country"] ?? ""}>
          <AddressFields {...props} />
        </div>
      </div>
    </>
  );
};
