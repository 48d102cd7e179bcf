import type { StorefrontError } from "@storefront-worker/api/client";
import * as z from "zod";
import { addressParts, rareParts } from "../parts/address-parts.ts";
import type { Values } from "../parts/form.ts";

/** Maximum bytes of the displayed problems, and maximum characters of each, because they pass through a cookie. */
const MOST_BYTES = 1_100;
const LONGEST = 160;

/** A problem with a field, in the form that the API's errors and quotes share. */
const Problem = z.object({ field: z.string(), code: z.string(), message: z.string() });
export type Problem = z.output<typeof Problem>;
export const Problems = z.array(Problem);

/** The first problems, as many as fit. */
export function fewest(problems: readonly Problem[]): Problem[] {
  let left = MOST_BYTES;
  const short = problems.map((one) => ({ ...one, message: one.message.slice(0, LONGEST).toWellFormed() }));
  return short.filter((problem) => {
    left -= new TextEncoder().encode(JSON.stringify(problem)).length;
    return left >= 0;
  });
}

/** Converts an error response to the problems that a quote would list. */
export function problemsOf({ message, errors, details }: StorefrontError): Problem[] {
  const problems = Object.entries(errors).flatMap(([field, messages]) => {
    const codes = details.filter((detail) => detail.field === field).map(({ code }) => code);
    return messages.map((words, index) => ({ field, code: codes[index] ?? "", message: words }));
  });
  return problems.length > 0 ? problems : [{ field: "order", code: "", message }];
}

/** A problem in words for shoppers, with the form's field if there is one. */
export type ProblemSentence = { name: string | null; sentence: string };

/**
 * The form's field for a field of an order. An address that the form does not require is the separate billing address.
 */
function nameOf(field: string, values: Values): string {
  const name = field.replace(/^(shipping|billing)_address(?=\.|$)/, (kind) =>
    kind === (values.asked ?? kind) ? "address" : "billing",
  );
  if (/^(shipping|billing)_address_id$/.test(name)) return "address_id";
  if (name === "address" || name === "billing") return `${name}.country`;
  if (/^discount_codes(\.|$)/.test(name)) return "discount_code";
  return name;
}

/** Names of fields in the form. Problems with other fields concern the whole order. */
const isShown = (name: string): boolean =>
  /^(address|billing|customer)\./.test(name) ||
  ["address_id", "shipping_method", "payment_method", "discount_code", "accepted_terms"].includes(name);

/** Sentences for shoppers, by field and error code. */
const sentences: Record<string, string> = {
  "address.country required": "Choose a country",
  "address.country shipping_unavailable": "We do not ship to this country yet",
  "address.country no_shipping_method": "No shipping method is available for this order and address",
  "address.phone invalid": "Enter the phone number with its country code, such as +44 117 496 0123",
  "accepted_terms required": "Accept the terms before you order",
  "accepted_terms stale": "The terms have changed. Read and accept them before you order",
  "customer.email required": "Enter your e-mail address",
  "customer.email invalid_format": "Enter an e-mail address such as ada@example.com",
  "customer.name required": "Enter your name",
  "expected_total total_changed": "The total has changed. Check it before you order",
  "payment_method required": "Choose how to pay",
  "shipping_method unknown_reference": "This shipping method is not available for the address. Choose another one",
  "shipping_method not_applicable": "Nothing in the cart is shipped any more. Check the total",
};

/** Sentences for problems with any field, whose API messages are for programmers. */
const sentencesByCode: Record<string, string> = {
  choose_variant: "A product now comes in several variants. Choose one in your cart",
  not_for_sale: "A product is no longer for sale. Remove it from your cart",
};

/** Problems in the order of the form, in words, each once. */
export function tellOf(problems: readonly Problem[], values: Values): ProblemSentence[] {
  // Other problems explain a changed total.
  const said = problems.length > 1 ? problems.filter(({ code }) => code !== "total_changed") : problems;
  const told = said.map((problem) => toldOf(problem, values));
  return told.filter(({ sentence }, index) => told.findIndex((other) => other.sentence === sentence) === index);
}

function toldOf({ field, code, message }: Problem, values: Values): ProblemSentence {
  const name = nameOf(field, values);
  const index = /^discount_codes\.(\d+)$/.exec(field)?.[1];
  if (index !== undefined) return { name, sentence: `${codesIn(values.discount_codes)[Number(index)]} ${message}` };
  const [, prefix, part] = /^(address|billing)\.(.+)$/.exec(name) ?? [];
  const place = part === undefined ? name : `address.${part}`;
  const sentence = sentenceOf({ field: place, code, message }, values[`${prefix}.country`] ?? "");
  return {
    name: isShown(name) ? name : null,
    sentence: prefix === "billing" ? `Invoice address: ${small(sentence)}` : sentence,
  };
}

function sentenceOf({ field, code, message }: Problem, country: string): string {
  const part = [...addressParts(country), ...rareParts].find(({ part }) => field === `address.${part}`);
  const label = part?.label.replace(/ \(optional\)$/, "");
  const known = sentences[`${field} ${code}`] ?? sentencesByCode[code];
  if (known) return known;
  if (part && code === "required") return `${part.options ? "Choose" : "Enter"} the ${small(label)}`;
  if (part?.options && code === "invalid") return `Choose the ${small(label)}`;
  return capital(label ? `${label} ${message}` : message);
}

/** Messages by the form's fields. */
export function errorsOf(told: readonly ProblemSentence[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const { name, sentence } of told) if (name !== null) errors[name] = [...(errors[name] ?? []), sentence];
  return errors;
}

/** Codes as the API writes them. */
export const codesIn = (written = ""): string[] => [
  ...new Set(
    written
      .toUpperCase()
      .split(",")
      .map((code) => code.trim())
      .filter(Boolean),
  ),
];

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
const small = (words = ""): string =>
  /^[A-Z]{2}/.test(words) || words === "Eircode" ? words : words.charAt(0).toLowerCase() + words.slice(1);
