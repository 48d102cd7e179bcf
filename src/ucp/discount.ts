import type { Quote } from "../checkout/orders/checkout/quote.ts";
import type { FieldError } from "../domain/errors.ts";
import { toMinor } from "../domain/money.ts";
import type { Message } from "./protocol.ts";

/** The codes as sent, and the discounts that apply, with and without codes. */
export const discountsOfSession = (codes: readonly string[], { discounts }: Quote) => ({
  codes,
  applied: discounts.map(({ code, name, amount }) => ({
    ...(code === null ? { automatic: true } : { code }),
    title: name,
    amount: toMinor(amount),
  })),
});

const CODES: Record<string, string> = {
  unknown_discount_code: "discount_code_invalid",
  discount_not_applicable: "discount_code_user_ineligible",
  discount_used_up: "discount_code_expired",
};

/** Codes that do not apply are warnings: the order can be placed without them. */
export const rejectedCode = ({ field, code, message }: FieldError): Message => ({
  type: "warning",
  code: CODES[code] ?? "discount_code_invalid",
  path: `$.discounts.codes[${field.split(".")[1]}]`,
  content: `The discount code ${message}`,
});
