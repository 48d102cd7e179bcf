import type { Schema } from "storefront/client";
import * as z from "zod";

type NewOrder = Schema["NewOrder"];
type Values = Record<string, string>;
/** Tax depends on the shipping address of goods that are shipped, and on the billing address of everything else. */
export type AddressKind = "shipping_address" | "billing_address";
export type Buyer = "guest" | "shopper";

/** The items and prices that the checkout page showed to the buyer. */
const Seen = z.array(z.object({ product_id: z.int(), quantity: z.int(), price: z.number() }));

export const writeSeen = ({ items }: Schema["Cart"]): string =>
  JSON.stringify(items.map(({ product_id, quantity, unit_price }) => ({ product_id, quantity, price: unit_price })));

const PaymentMethod = z.enum(["wallet", "credit_card", "paypal"]).catch("credit_card");

/** The order in a submitted form. A form submitted twice asks for the same order, even if the cart has changed. */
export const orderOf = (values: Values, buyer: Buyer): NewOrder => ({
  items: Seen.catch([]).parse(parsed(values.seen ?? "")),
  payment_method: PaymentMethod.parse(values.payment_method),
  expected_total: Number(values.total),
  ...choicesOf(values, buyer),
});

/** The fields that an order shares with its quote. */
export function choicesOf(values: Values, buyer: Buyer) {
  const shipping_address = addressOf(values, "shipping_address");
  const billing_address = addressOf(values, "billing_address");
  const email = values["customer.email"];
  // A form with an address asks for the name there.
  const name = (shipping_address ?? billing_address)?.name ?? values["customer.name"] ?? "";
  const method = Number(values.shipping_method);
  const discount_codes = codesIn(values);
  return {
    ...(buyer === "guest" && email !== undefined && { customer: { email, name } }),
    ...(shipping_address && { shipping_address }),
    ...(billing_address && { billing_address }),
    ...(method > 0 && { shipping_method: method }),
    ...(discount_codes.length > 0 && { discount_codes }),
  };
}

/** Undefined if the form has no address. */
function addressOf(values: Values, kind: AddressKind) {
  if (values[`${kind}.name`] === undefined) return undefined;
  const value = (name: string) => values[`${kind}.${name}`]?.trim() ?? "";
  return {
    name: value("name"),
    address: value("address"),
    city: value("city"),
    zip: value("zip"),
    region: value("region") || null,
    country: value("country") || null,
    phone: value("phone") || null,
  };
}

/** Discount codes in the API's spelling. */
export const codesIn = ({ discount_codes = "" }: Values): string[] => [
  ...new Set(
    discount_codes
      .toUpperCase()
      .split(",")
      .map((code) => code.trim())
      .filter(Boolean),
  ),
];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
