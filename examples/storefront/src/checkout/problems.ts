import type { StorefrontError } from "storefront/client";
import { codesIn } from "./order-form.ts";

/** A problem with a field, in the form that the API's errors and quotes share. */
export type Problem = { field: string; code: string; message: string };

/** Converts an error response to the problems that a quote would list. */
export const problemsOf = ({ errors, details }: StorefrontError): Problem[] =>
  Object.entries(errors).flatMap(([field, messages]) => {
    const codes = details.filter((detail) => detail.field === field).map(({ code }) => code);
    return messages.map((message, index) => ({ field, code: codes[index] ?? "", message }));
  });

const NEEDED = "Enter it, because shipping or tax depends on it";
const UNKNOWN = "Enter a valid state or province";

/** Sentences for shoppers, by field and error code. Other problems keep the API's message. */
const words: Record<string, string> = {
  "expected_total total_changed": "The total has changed. Check it before you order",
  "shipping_address no_shipping_method": "No shipping method is available for this order and address",
  "shipping_address shipping_unavailable": "We do not ship to this address",
  "shipping_address.region required": NEEDED,
  "shipping_address.region invalid": UNKNOWN,
  "billing_address.region required": NEEDED,
  "billing_address.region invalid": UNKNOWN,
  "shipping_method unknown_reference": "This method is not available for the address. Choose another one",
  "shipping_method not_applicable": "Nothing in the cart is shipped any more. Choose again",
};

/** The form's field for a field of an order. */
const asked: Record<string, string> = { shipping_address: "shipping_address.country" };

/** Error messages by the form's fields. */
export function errorsOf(problems: readonly Problem[], values: Record<string, string>): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  const add = (name: string, sentence: string) => {
    errors[name] = [...(errors[name] ?? []), sentence];
  };
  // Other problems explain a changed total.
  const said = problems.length > 1 ? problems.filter(({ code }) => code !== "total_changed") : problems;
  for (const { field, code, message } of said) {
    const sentence = words[`${field} ${code}`] ?? message;
    const index = /^discount_codes\.(\d+)$/.exec(field)?.[1];
    if (index === undefined) add(asked[field] ?? field, sentence);
    else add("discount_codes", `${codesIn(values)[Number(index)]} ${sentence}`);
  }
  return errors;
}
