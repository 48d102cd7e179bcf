import type { StorefrontError } from "storefront/client";
import { codesIn } from "./order-form.ts";

/** What is wrong with a field, as errors and quotes of the API say it. */
export type Problem = { field: string; code: string; message: string };

/** What the API refused, as a quote would have told it. */
export const problemsOf = ({ errors, details }: StorefrontError): Problem[] =>
  Object.entries(errors).flatMap(([field, messages]) => {
    const codes = details.filter((detail) => detail.field === field).map(({ code }) => code);
    return messages.map((message, index) => ({ field, code: codes[index] ?? "", message }));
  });

const NEEDED = "Prices depend on it: please fill it in";
const UNKNOWN = "There is none of this name";

/** Where the API's words are for programmers. */
const words: Record<string, string> = {
  "expected_total total_changed": "The total has changed: look at it again, then order",
  "shipping_address no_shipping_method": "We have no way of sending this order there",
  "shipping_address shipping_unavailable": "We do not send there",
  "shipping_address.region required": NEEDED,
  "shipping_address.region invalid": UNKNOWN,
  "billing_address.region required": NEEDED,
  "billing_address.region invalid": UNKNOWN,
  "shipping_method unknown_reference": "What you chose is not offered there: choose again",
  "shipping_method not_applicable": "Nothing is sent any more: choose again",
};

/** The field of the form that a field of an order is typed into. */
const asked: Record<string, string> = { shipping_address: "shipping_address.country" };

/** Sentences by the form's fields. */
export function errorsOf(problems: readonly Problem[], values: Record<string, string>): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  const add = (name: string, sentence: string) => {
    errors[name] = [...(errors[name] ?? []), sentence];
  };
  // Of another total there is nothing to say while it is not known.
  const said = problems.length > 1 ? problems.filter(({ code }) => code !== "total_changed") : problems;
  for (const { field, code, message } of said) {
    const sentence = words[`${field} ${code}`] ?? message;
    const index = /^discount_codes\.(\d+)$/.exec(field)?.[1];
    if (index === undefined) add(asked[field] ?? field, sentence);
    else add("discount_codes", `${codesIn(values)[Number(index)]} ${sentence}`);
  }
  return errors;
}
