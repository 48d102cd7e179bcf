import type { discountFields } from "../../checkout/discounts/fields.ts";
import { hasField } from "../../checkout/discounts/rules.ts";
import { type FieldKind, flag, moment, number, numbers, optional, orNull, percent, text } from "../forms/kinds.ts";
import { money } from "../forms/money.ts";
import type { Values } from "../forms/values.ts";

const all: Record<keyof typeof discountFields, FieldKind> = {
  name: text,
  code: orNull(optional),
  kind: text,
  percent: orNull(percent),
  amount: orNull(money("amount")),
  buy_quantity: orNull(number),
  get_quantity: orNull(number),
  product_ids: numbers,
  category_ids: numbers,
  minimum_subtotal: orNull(money("minimum_subtotal")),
  first_order_only: flag,
  starts_at: orNull(moment),
  ends_at: orNull(moment),
  max_uses: orNull(number),
  max_uses_per_customer: orNull(number),
  combinable: flag,
  priority: ([typed = ""]) => number([typed.trim() || "0"]),
  enabled: flag,
};

/** The discount's form by API field. Input in fields of another kind is dropped. */
export const discountKinds = ({ kind: [kind = ""] = [] }: Values): Record<string, FieldKind> =>
  Object.fromEntries(Object.entries(all).map(([name, read]) => [name, hasField(kind, name) ? read : () => null]));
