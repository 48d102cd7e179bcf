import { decimalsOf, shopCurrency } from "../../domain/currency.ts";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { formatAmount, toMinor } from "../../domain/money.ts";
import { type FieldKind, number } from "./kinds.ts";

/**
 * "1,234" and "1.234" mean a thousand or a fraction, depending on the user. A wrong guess changes a price by a factor of a
 * thousand.
 */
const AMBIGUOUS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/** Digits grouped in threes by one separator, then a point or comma before the decimals. */
const GROUPED = /^([+-]?)([1-9]\d{0,2}(?:([.,' \u00a0\u202f’])\d{3})(?:\3\d{3})*)(?:([.,])(\d+))?$/;

/** An amount with a decimal point or comma: "12.50", "12,50", "1,234.50", "1.234,50". */
export const money =
  (name: string): FieldKind =>
  ([value = ""]) => {
    const typed = value.trim();
    const decimals = decimalsOf(shopCurrency());
    if (AMBIGUOUS.test(typed) && decimals > 0) {
      // The panel fills forms with such amounts.
      if (decimals === 3 && typed.includes(".")) return number([typed]);
      throw ambiguous(name, typed);
    }
    const [, sign = "", whole = "", separator, decimal, fraction = ""] = GROUPED.exec(typed) ?? [];
    if (separator === undefined || separator === decimal) return number([typed.replace(",", ".")]);
    return number([`${sign}${whole.replaceAll(separator, "")}${fraction && `.${fraction}`}`]);
  };

function ambiguous(name: string, typed: string) {
  const plain = typed.replace(/[.,]/, "");
  const words = `is ambiguous. Enter ${plain} or, for the larger amount, ${formatAmount(toMinor(Number(plain)))}`;
  return badRequest(fieldError(name, "invalid", words));
}
