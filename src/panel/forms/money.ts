import { badRequest, fieldError } from "../../domain/errors.ts";
import { type FieldKind, number } from "./kinds.ts";

/** "1,234" and "1.234" are a thousand or one and a bit, depending on who types. Guessed wrong, a price is off by a thousand. */
const AMBIGUOUS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/** Digits in groups of three by one and the same separator, then a point or a comma before the cents. */
const GROUPED = /^([+-]?)([1-9]\d{0,2}(?:([.,' \u00a0\u202f’])\d{3})(?:\3\d{3})*)(?:([.,])(\d{1,2}))?$/;

/** An amount with a decimal point or comma: "12.50", "12,50", "1,234.50", "1.234,50". */
export const money =
  (name: string): FieldKind =>
  ([value = ""]) => {
    const typed = value.trim();
    if (AMBIGUOUS.test(typed)) throw ambiguous(name, typed);
    const [, sign = "", whole = "", separator, decimal, cents = ""] = GROUPED.exec(typed) ?? [];
    if (separator === undefined || separator === decimal) return number([typed.replace(",", ".")]);
    return number([`${sign}${whole.replaceAll(separator, "")}${cents && `.${cents}`}`]);
  };

function ambiguous(name: string, typed: string) {
  const plain = typed.replace(/[.,]/, "");
  const words = `can be read in two ways: write ${plain} or ${plain}.00 for the larger amount`;
  return badRequest(fieldError(name, "invalid", words));
}
