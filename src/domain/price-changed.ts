import { type FieldError, fieldError } from "./errors.ts";
import { formatAmount, toDecimal } from "./money.ts";

/** The refusal of a price that is no longer the catalogue's, with the one that is. `price` is in minor units. */
export const priceChanged = (field: string, { name, price }: { name: string; price: number }): FieldError =>
  fieldError(field, "price_changed", `the price of ${name} is now ${formatAmount(price)}`, { price: toDecimal(price) });
