import type { Address } from "../../domain/address.ts";
import { countryName } from "../../domain/countries.ts";
import { badRequest, type FieldErrors, fieldError } from "../../domain/errors.ts";
import { type FieldKind, flag, number, optional, orNull, text } from "../forms/kinds.ts";
import { money } from "../forms/money.ts";
import { countryOrCode } from "../forms/places.ts";
import type { Values } from "../forms/values.ts";

/** Kinds of the form's fields for the address `noun`. */
export const addressKinds = (noun: string): Record<string, FieldKind> =>
  Object.fromEntries(
    Object.entries(addressParts).map(([part, { required }]) => [
      `${noun}.${part}`,
      part === "country" ? orNull(countryOrCode) : required ? text : orNull(optional),
    ]),
  );

/** Parts of a postal address on the order page, in writing order. */
export const addressParts = {
  name: { label: "Name", required: true, maxlength: 100 },
  company: { label: "Company", required: false, maxlength: 100 },
  address: { label: "Address", required: true, maxlength: 200 },
  address2: { label: "Address, second line", required: false, maxlength: 200 },
  zip: { label: "Postal code", required: false, maxlength: 20 },
  city: { label: "City", required: true, maxlength: 100 },
  region: { label: "Region", required: false, maxlength: 100 },
  country: { label: "Country", required: false, maxlength: 100 },
  phone: { label: "Phone", required: false, maxlength: 40 },
} satisfies Record<keyof Address, Part>;

const orderFieldKinds: Record<string, FieldKind> = {
  status: optional,
  note: optional,
  ...addressKinds("shipping_address"),
  ...addressKinds("billing_address"),
};

/** Kinds of the form's fields for a change of an order. */
export const changeKinds = (values: Values): Record<string, FieldKind> =>
  Object.fromEntries(Object.entries(orderFieldKinds).filter(([name]) => name in values));

export const trackingKinds: Record<string, FieldKind> = {
  carrier: text,
  tracking_number: orNull(optional),
  tracking_url: orNull(optional),
};

/** Field for the units of a line in a refund or parcel. */
export const quantityOf = (itemId: number): string => `quantity-${itemId}`;

/** Fields of lines with typed units, in the order sent to the API. */
const chosenIn = (values: Values): string[] =>
  Object.keys(values).filter((name) => /^quantity-\d+$/.test(name) && !/^0*$/.test(values[name]?.[0]?.trim() ?? ""));

const chosenUnits = (values: Values) =>
  chosenIn(values).map((name) => ({ id: Number(name.split("-")[1]), quantity: number(values[name] ?? []) }));

/** A parcel holds the typed units: none is not the API's "everything unsent". */
export const shipmentKinds = (values: Values): Record<string, FieldKind> => ({
  items: () => {
    const chosen = chosenUnits(values);
    if (chosen.length === 0) throw badRequest(fieldError("items", "required", "enter the number of units sent"));
    return chosen.map(({ id, quantity }) => ({ item_id: id, quantity }));
  },
  ...trackingKinds,
});

/** Units by line, and shipping, or an amount. Neither is not the API's "everything that remains", which nobody chose. */
export const refundKinds = (values: Values): Record<string, FieldKind> => ({
  items: () => {
    const chosen = chosenUnits(values);
    if (chosen.length === 0 && (values.amount?.[0]?.trim() || values.shipping?.[0] === "true")) return undefined;
    if (chosen.length === 0) throw badRequest(fieldError("items", "required", "enter units to refund, or an amount"));
    return chosen;
  },
  shipping: ([chosen]) => (chosen ? chosen === "true" : undefined),
  amount: money("amount"),
  restock: flag,
  note: optional,
});

/** Maps errors of the sent lines to the form's fields, one for each line. */
export const lineErrors = (values: Values, errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([path, words]) => {
      const [list, index] = path.split(".");
      return [(list === "items" && chosenIn(values)[Number(index)]) || path, words];
    }),
  );

type Part = { label: string; required: boolean; maxlength: number };

/** Field values for the address `noun`. */
export const addressValues = (noun: string, address: Partial<Address> | null): Record<string, string> =>
  Object.fromEntries(
    Object.keys(addressParts).map((part) => {
      const written: string = Reflect.get(address ?? {}, part) ?? "";
      return [`${noun}.${part}`, part === "country" && written ? countryName(written) : written];
    }),
  );
