import type { Schema } from "storefront/client";
import * as z from "zod";

type NewOrder = Schema["NewOrder"];
type Values = Record<string, string>;
/** Taxes of what is sent follow from where it goes, of everything else from where the bill does. */
export type AddressKind = "shipping_address" | "billing_address";
export type Buyer = "guest" | "shopper";

/** What the buyer saw when they pressed the button, as the page of the checkout wrote it. */
const Seen = z.array(z.object({ product_id: z.int(), quantity: z.int(), price: z.number() }));

export const writeSeen = ({ items }: Schema["Cart"]): string =>
  JSON.stringify(items.map(({ product_id, quantity, unit_price }) => ({ product_id, quantity, price: unit_price })));

const PaymentMethod = z.enum(["wallet", "credit_card", "paypal"]).catch("credit_card");

/** The order that a form asks for. Who pressed twice asks for the same one twice, whatever is in the cart by then. */
export const orderOf = (values: Values, buyer: Buyer): NewOrder => ({
  items: Seen.catch([]).parse(parsed(values.seen ?? "")),
  payment_method: PaymentMethod.parse(values.payment_method),
  expected_total: Number(values.total),
  ...choicesOf(values, buyer),
});

/** What an order has in common with its quote. */
export function choicesOf(values: Values, buyer: Buyer) {
  const shipping_address = addressOf(values, "shipping_address");
  const billing_address = addressOf(values, "billing_address");
  const email = values["customer.email"];
  // Where there is an address, its name is the only one that was asked for.
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

/** Undefined for a form that asks for none. */
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

/** As the API writes them. */
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
