import type { FieldError } from "../domain/errors.ts";
import { addressPath, OPTION_PATH } from "./fulfillment.ts";
import type { Message } from "./protocol.ts";

/** Codes of the protocol for the shop's own, where it has one. Others are passed on. */
const CODES: Record<string, string> = {
  required: "missing",
  insufficient_stock: "out_of_stock",
  not_for_sale: "item_unavailable",
  choose_variant: "item_unavailable",
  account_required: "item_unavailable",
  shipping_unavailable: "address_undeliverable",
  no_shipping_method: "address_undeliverable",
};

/** A problem of an order as a message that the agent can act on. */
export const problemMessage = ({ field, code, message }: FieldError): Message => ({
  type: "error",
  code: CODES[code] ?? code,
  path: pathOf(field),
  content: sentence(field, message),
  severity: "recoverable",
});

/** A message about a field has no subject: it becomes a sentence. Others are sentences already. */
function sentence(field: string, message: string): string {
  const [name = ""] = field.split(".").slice(-1);
  const subject = /^(is|must|needs|has|cannot|belongs|does|requires) ?/.test(message)
    ? `${SUBJECTS[name] ?? name} `
    : "";
  const text = subject + message;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const SUBJECTS: Record<string, string> = {
  product_id: "the item",
  shipping_address: "the shipping address",
  shipping_method: "the shipping option",
  zip: "the postal code",
  address: "the street address",
  name: "the buyer's name",
  email: "the buyer's e-mail address",
};

function pathOf(field: string): string {
  const [first, index, part] = field.split(".");
  if (first === "items") return `$.line_items[${index}].${part === "quantity" ? "quantity" : "item.id"}`;
  if (first === "customer") return index === "email" ? "$.buyer.email" : "$.buyer.first_name";
  if (first === "shipping_address") return addressPath(field);
  if (first === "shipping_method") return OPTION_PATH;
  if (first === "payment_method") return "$.payment.instruments[0].handler_id";
  return "$";
}

export const isOfItem = ({ field }: FieldError): boolean => field.startsWith("items.");
