import type { Schema } from "@storefront-worker/api/client";
import * as z from "zod";
import { addressParts, regionIn } from "../parts/address-parts.ts";
import type { Values } from "../parts/form.ts";
import { codesIn, type Problem } from "./problems.ts";

type OrderCreate = Schema["OrderCreate"];
type QuoteRequest = Schema["QuoteRequest"];
/** Tax depends on the shipping address for shipped goods, and on the billing address for everything else. */
export type AddressKind = "shipping_address" | "billing_address";

/** The items and prices shown to the buyer on the checkout page. */
const Seen = z.array(z.object({ product_id: z.int(), quantity: z.int(), price: z.number() }));

export const writeSeen = ({ items }: Schema["Cart"]): string =>
  JSON.stringify(items.map(({ product_id, quantity, unit_price }) => ({ product_id, quantity, price: unit_price })));

const PaymentMethod = z
  .enum(["wallet", "credit_card", "paypal", "test_card", "bank_transfer", "invoice", "cash"])
  .catch("bank_transfer");

const Asked = z.enum(["shipping_address", "billing_address"]).optional().catch(undefined);

/** The kind of address that the form requires. */
export const askedIn = ({ asked }: Values): AddressKind | undefined => Asked.parse(asked);

/** The order in a submitted form. A form submitted twice requests the same order, even if the cart has changed. */
export function orderOf(values: Values, isGuest: boolean): OrderCreate {
  // A form with an address has the name there.
  const name = (askedIn(values) ? values["address.name"] : values["customer.name"])?.trim() ?? "";
  return {
    items: Seen.catch([]).parse(parsed(values.seen ?? "")),
    payment_method: PaymentMethod.parse(values.payment_method),
    expected_total: Number(values.total),
    ...(values.download_consent === "yes" && { download_consent: true }),
    ...(values.accepted_terms && { accepted_terms: Number(values.accepted_terms) }),
    ...(isGuest && { customer: { email: values["customer.email"] ?? "", name } }),
    ...addressed(values, wholeAddress),
    ...chosen(values),
  };
}

/** Fields that affect the total, as far as they are filled in. The rest of an address changes no price. */
export const quotedOf = (values: Values, isGuest: boolean): Omit<QuoteRequest, "cart"> => ({
  ...(isGuest && hasEmail(values) && { customer: { email: values["customer.email"] ?? "", name: "-" } }),
  ...addressed(values, placeOf),
  ...chosen(values),
});

const hasEmail = (values: Values): boolean => /^\S+@\S+\.\S+$/.test(values["customer.email"]?.trim() ?? "");

/** The id of the chosen address of the address book. Undefined for another address. */
export const savedAddress = ({ address_id }: Values): number | undefined => Number(address_id) || undefined;

type Postal = NonNullable<OrderCreate["shipping_address"]>;
/** Prefixes of an address's field names: the required one, or a separate billing address. */
type Prefix = "address" | "billing";

/** True if goods are shipped to one address and billed to another. */
const hasOtherBilling = (values: Values): boolean =>
  askedIn(values) === "shipping_address" && values.other_billing === "yes";

function addressed(values: Values, written: (values: Values, prefix: Prefix) => Postal | undefined) {
  const kind = askedIn(values);
  if (!kind) return {};
  const id = savedAddress(values);
  const address = id === undefined ? written(values, "address") : undefined;
  const billing = hasOtherBilling(values) ? written(values, "billing") : undefined;
  return {
    ...(id !== undefined && { [`${kind}_id`]: id }),
    ...(address && { [kind]: address }),
    ...(billing && { billing_address: billing }),
  };
}

/** Empties what was written for the previous country of an address, unless it was changed together with the country. */
export function forNewCountries(values: Values, before: Values): Values {
  const names = (["address", "billing"] as const)
    .filter((prefix) => before[`${prefix}.country`] && before[`${prefix}.country`] !== values[`${prefix}.country`])
    .flatMap((prefix) => ["address", "address2", "city", "region", "zip"].map((part) => `${prefix}.${part}`))
    .filter((name) => values[name] && values[name] === before[name]);
  return { ...values, ...Object.fromEntries(names.map((name) => [name, ""])) };
}

const partOf = (values: Values, prefix: Prefix, part: string): string => values[`${prefix}.${part}`]?.trim() ?? "";

export function wholeAddress(values: Values, prefix: Prefix): Postal {
  const value = (part: string) => partOf(values, prefix, part);
  return {
    name: value("name"),
    company: value("company") || null,
    address: value("address"),
    address2: value("address2") || null,
    city: value("city"),
    zip: value("zip"),
    region: regionOf(values, prefix),
    country: value("country") || null,
    phone: value("phone") || null,
  };
}

/** Undefined until a country is chosen. */
function placeOf(values: Values, prefix: Prefix): Postal | undefined {
  const country = partOf(values, prefix, "country");
  if (!country) return undefined;
  const zip = partOf(values, prefix, "zip") || "0";
  return { name: "-", address: "-", city: "-", zip, region: regionOf(values, prefix), country };
}

/** A country without regions has none, whatever was chosen for the previous country. */
function regionOf(values: Values, prefix: Prefix): string | null {
  const part = addressParts(partOf(values, prefix, "country")).find(({ part }) => part === "region");
  const written = partOf(values, prefix, "region");
  if (!part) return null;
  return (part.options ? regionIn(part.options, written) : written) || null;
}

function chosen(values: Values) {
  const [method, codes] = [Number(values.shipping_method), codesIn(values.discount_codes)];
  return { ...(method > 0 && { shipping_method: method }), ...(codes.length > 0 && { discount_codes: codes }) };
}

/** The required fields of an order that are empty. The API validates their values. */
export function missingIn(values: Values, isGuest: boolean): Problem[] {
  const kind = askedIn(values);
  const isWritten = kind !== undefined && savedAddress(values) === undefined;
  const customer = [...(isGuest ? ["customer.email"] : []), ...(isGuest && !kind ? ["customer.name"] : [])];
  const names = [
    ...customer.filter((name) => !values[name]?.trim()),
    ...(isWritten ? emptyIn(values, "address") : []),
    ...(hasOtherBilling(values) ? emptyIn(values, "billing") : []),
  ];
  return names.map((field) => ({ field, code: "required", message: "is required" }));
}

/** The required fields of an address that are empty. */
function emptyIn(values: Values, prefix: Prefix): string[] {
  const country = partOf(values, prefix, "country");
  if (country === "") return [`${prefix}.country`];
  const filled = (part: string) => (part === "region" ? regionOf(values, prefix) : partOf(values, prefix, part));
  return addressParts(country)
    .filter(({ part, isRequired }) => isRequired && !filled(part))
    .map(({ part }) => `${prefix}.${part}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
