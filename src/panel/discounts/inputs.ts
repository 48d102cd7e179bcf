import { discountFields } from "../../checkout/discounts/fields.ts";
import { hasField } from "../../checkout/discounts/rules.ts";
import type { NamedId } from "../choices.ts";
import { inputsOf, kindsOf } from "../forms/conversion.ts";
import { byId, choosing, type FormInput, type FormState } from "../forms/inputs.ts";
import type { FieldKind, Values } from "../forms/kinds.ts";

const declared = inputsOf(discountFields);

/** The discount's form, by API field. */
export const discountInputs = (categories: readonly NamedId[]) =>
  ({
    ...declared,
    category_ids: choosing(declared.category_ids, byId(categories)),
    product_ids: {
      as: "picker",
      label: "Products",
      hint: "Names or SKUs, separated by commas.",
      kinds: ["product"],
      many: true,
    },
  }) satisfies Record<keyof typeof discountFields, FormInput>;

/** Converters of the discount's form. Input in fields of another kind is dropped. */
export const discountFieldKinds = ({ kind: [kind = ""] = [] }: Values): Record<string, FieldKind> =>
  Object.fromEntries(
    Object.entries(kindsOf(discountInputs([]))).map(([name, read]) => [name, hasField(kind, name) ? read : () => null]),
  );

/** The state of a discount's form. */
export type DiscountForm = FormState<keyof typeof discountFields>;
