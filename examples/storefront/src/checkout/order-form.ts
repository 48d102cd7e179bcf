import type { Schema } from "storefront/client";
import * as z from "zod";

type NewOrder = Schema["NewOrder"];

/** What the buyer saw when they pressed the button, as the page of the checkout wrote it. */
const Seen = z.array(z.object({ product_id: z.int(), quantity: z.int(), price: z.number() }));

export const writeSeen = ({ items }: Schema["Cart"]): string =>
  JSON.stringify(items.map(({ product_id, quantity, unit_price }) => ({ product_id, quantity, price: unit_price })));

export const address = ["name", "address", "city", "zip"] as const;

/** The order that a form asks for. Who pressed twice asks for the same one twice, whatever is in the cart by then. */
export function orderOf(values: Record<string, string>): NewOrder {
  const lineOf = (name: (typeof address)[number]) => values[`shipping_address.${name}`] ?? "";
  const sent = values["shipping_address.name"] !== undefined;
  return {
    items: Seen.catch([]).parse(parsed(values.seen ?? "")),
    payment_method: "wallet",
    ...(sent && {
      shipping_address: {
        name: lineOf("name"),
        address: lineOf("address"),
        city: lineOf("city"),
        zip: lineOf("zip"),
      },
    }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
