import { knownCarriers } from "../../checkout/orders/shipments/carriers.ts";
import type { Address } from "../../domain/address.ts";
import { badRequest, type FieldErrors, fieldError } from "../../domain/errors.ts";
import { TAGS_HINT } from "../../domain/tags.ts";
import { kindsOf } from "../forms/conversion.ts";
import type { FormInput, FormInputs } from "../forms/inputs.ts";
import {
  countryOrCode,
  type FieldKind,
  flagKind,
  money,
  number,
  optional,
  orNull,
  text,
  type Values,
} from "../forms/kinds.ts";

/** Parts of a postal address on the order page, in writing order. */
const addressParts = {
  name: { as: "text", label: "Name", required: true, maxlength: 100, read: text },
  company: { as: "text", label: "Company", maxlength: 100 },
  address: { as: "text", label: "Address", required: true, maxlength: 200, read: text },
  address2: { as: "text", label: "Address, second line", maxlength: 200 },
  zip: { as: "text", label: "Postal code", maxlength: 20 },
  city: { as: "text", label: "City", required: true, maxlength: 100, read: text },
  region: { as: "text", label: "Region", maxlength: 100 },
  country: { as: "country", label: "Country", read: orNull(countryOrCode) },
  phone: { as: "text", label: "Phone", maxlength: 40 },
  vat_id: { as: "text", label: "VAT ID", maxlength: 30 },
} satisfies Record<keyof Address, FormInput>;

type AddressField<Noun extends string> = `${Noun}.${keyof Address}`;

/** Inputs of the address `noun`, which may be left out if it `isOptional`. */
export const addressInputs = <Noun extends string>(noun: Noun, { isOptional = false } = {}) =>
  Object.fromEntries(
    Object.entries<FormInput>(addressParts).map(([part, { required = false, ...input }]) => [
      `${noun}.${part}`,
      { ...input, required: required && !isOptional },
    ]),
  ) as FormInputs<AddressField<Noun>>;

/** Names of the address's inputs. */
export const addressFieldsOf = <Noun extends string>(noun: Noun) =>
  Object.keys(addressParts).map((part) => `${noun}.${part}`) as AddressField<Noun>[];

/** Inputs of a change to another status. */
export const moveInputs = {
  note: {
    as: "text",
    label: "Note",
    hint: "Added to the order's history. The customer can read it.",
    maxlength: 500,
    read: optional,
  },
} satisfies FormInputs;

/** Inputs for cancelling an unpaid order that was partly shipped. */
export const endSentInputs = {
  restock: { as: "flag", label: "The sent items came back: return them to stock" },
  ...moveInputs,
} satisfies FormInputs;

/** The field for the tags of an order. */
export const tagsInput = {
  tags: { as: "tags", label: "Tags", hint: TAGS_HINT, placeholder: "Gift, Urgent" },
} satisfies FormInputs;

const orderFieldKinds: Record<string, FieldKind> = {
  status: optional,
  payment_status: optional,
  ...kindsOf(endSentInputs),
  ...kindsOf(tagsInput),
  ...kindsOf(addressInputs("shipping_address")),
  ...kindsOf(addressInputs("billing_address")),
};

/** Kinds of the form's fields for a change of an order. */
export const changeKinds = (values: Values): Record<string, FieldKind> =>
  Object.fromEntries(Object.entries(orderFieldKinds).filter(([name]) => name in values));

export const trackingInputs = {
  carrier: { as: "text", label: "Carrier", required: true, maxlength: 100, suggestions: knownCarriers },
  tracking_number: { as: "text", label: "Tracking number", maxlength: 100 },
  tracking_url: {
    as: "url",
    label: "Tracking link",
    maxlength: 2000,
    hint: "Made for known carriers if left empty.",
  },
} satisfies FormInputs;

/** Field for the units of a line in a refund or parcel. */
export const quantityOf = (itemId: number) => `quantity-${itemId}` as const;

export type UnitsField = ReturnType<typeof quantityOf>;

type UnitsLine = { id: number; label: string; unit: string };

/** Inputs for units of lines, by the line's id and label. The unit shows how many there are. */
export const unitsInputs = (lines: readonly UnitsLine[]): FormInputs<UnitsField> =>
  Object.fromEntries(
    lines.map(({ id, label, unit }) => [quantityOf(id), { as: "number", label, unit } satisfies FormInput]),
  );

/** Fields of lines with typed units, in the order sent to the API. */
const chosenIn = (values: Values): string[] =>
  Object.keys(values).filter((name) => /^quantity-\d+$/.test(name) && !/^0*$/.test(values[name]?.[0]?.trim() ?? ""));

/** Units of lines with typed quantities. */
export const chosenUnits = (values: Values) =>
  chosenIn(values).map((name) => ({ id: Number(name.split("-")[1]), quantity: number(values[name] ?? []) }));

/** A parcel with the typed units. Zero units must not become the API's "everything unshipped". */
export const shipmentKinds = (values: Values): Record<string, FieldKind> => ({
  items: () => {
    const chosen = chosenUnits(values);
    if (chosen.length === 0) throw badRequest(fieldError("items", "required", "enter the number of units sent"));
    return chosen;
  },
  ...kindsOf(trackingInputs),
});

/**
 * Units by line and shipping, or an amount. An empty form must not become the API's "everything that remains", because
 * nobody chose it.
 */
export const refundKinds = (values: Values): Record<string, FieldKind> => ({
  items: () => {
    const chosen = chosenUnits(values);
    if (chosen.length === 0 && (values.amount?.[0]?.trim() || values.shipping?.[0] === "true")) return undefined;
    if (chosen.length === 0) throw badRequest(fieldError("items", "required", "enter units to refund, or an amount"));
    return chosen;
  },
  shipping: ([chosen]) => (chosen ? chosen === "true" : undefined),
  amount: money("amount"),
  restock: flagKind,
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

/** Field values for the address `noun`. */
export const addressValues = <Noun extends string>(noun: Noun, address: Partial<Address> | null) =>
  Object.fromEntries(
    Object.keys(addressParts).map((part) => [`${noun}.${part}`, Reflect.get(address ?? {}, part) ?? ""]),
  ) as Record<AddressField<Noun>, string>;
