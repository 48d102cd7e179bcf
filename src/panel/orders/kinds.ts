import { flag, type Kind, number, optional, orNull, text } from "../forms/kinds.ts";

type Values = Record<string, readonly string[]>;

const kinds: Record<string, Kind> = {
  status: optional,
  note: optional,
  "shipment.carrier": text,
  "shipment.tracking_number": orNull(optional),
  "shipment.tracking_url": orNull(optional),
  "shipping_address.name": text,
  "shipping_address.address": text,
  "shipping_address.city": text,
  "shipping_address.zip": text,
};

/** Of what can change of an order, the fields that the form has. */
export const changeKinds = (values: Values): Record<string, Kind> =>
  Object.fromEntries(Object.entries(kinds).filter(([name]) => name in values));

/** How many units of a line go back. */
export const quantityOf = (itemId: number): string => `quantity-${itemId}`;

/** A field for each line; those that were left empty or at 0 keep what they have. */
export const refundKinds = (values: Values): Record<string, Kind> => ({
  items: () =>
    Object.entries(values)
      .filter(([name, [typed = ""]]) => name.startsWith(quantityOf(0).slice(0, -1)) && !/^0*$/.test(typed.trim()))
      .map(([name, typed]) => ({ id: Number(name.split("-")[1]), quantity: number(typed) })),
  restock: flag,
  note: optional,
});
