import type { Schema } from "storefront/client";
import * as z from "zod";

type NewOrder = Schema["NewOrder"];

/** What the buyer saw when they pressed the button, as the page of the checkout wrote it. */
const Seen = z.array(z.object({ product_id: z.int(), quantity: z.int(), price: z.number() }));

export const writeSeen = ({ items }: Schema["Cart"]): string =>
  JSON.stringify(items.map(({ product_id, quantity, unit_price }) => ({ product_id, quantity, price: unit_price })));

const PaymentMethod = z.enum(["wallet", "credit_card", "paypal"]).catch("credit_card");

/** The order that a form asks for. Who pressed twice asks for the same one twice, whatever is in the cart by then. */
export function orderOf(values: Record<string, string>, buyer: "guest" | "shopper"): NewOrder {
  const value = (name: string) => values[name] ?? "";
  const shipping_address = {
    name: value("shipping_address.name"),
    address: value("shipping_address.address"),
    city: value("shipping_address.city"),
    zip: value("shipping_address.zip"),
  };
  const isShipped = values["shipping_address.name"] !== undefined;
  // Where there is an address, its name is the only one that was asked for.
  const customer = { email: value("customer.email"), name: isShipped ? shipping_address.name : value("customer.name") };
  return {
    items: Seen.catch([]).parse(parsed(value("seen"))),
    payment_method: PaymentMethod.parse(value("payment_method")),
    ...(buyer === "guest" && { customer }),
    ...(isShipped && { shipping_address }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
