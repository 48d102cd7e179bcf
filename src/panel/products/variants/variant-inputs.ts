import type { ProductRow } from "../../../catalogue/products/schemas.ts";
import { inheritable } from "../../../platform/db/schema.ts";
import { type FormInput, type FormInputs, optionsOf } from "../../forms/inputs.ts";
import { type FieldKind, listKind, type Values } from "../../forms/kinds.ts";
import { type ProductChoices, productInputs, productKinds } from "../inputs.ts";

type OptionField = `option_values.${0 | 1 | 2}`;

export const optionField = (place: number): OptionField => `option_values.${place}` as OptionField;

/** The inputs of a variant: those of a product, its values for the product's options, and which fields it inherits. */
export function variantInputs(options: ProductRow["options"], choices: ProductChoices) {
  const fields = productInputs(choices);
  const chosen = options.map(({ name, values }, place) => [
    optionField(place),
    { as: "choice", label: name, options: values.map((value) => [value, value] as const), required: true },
  ]);
  return {
    ...fields,
    inherits: {
      as: "choices",
      label: "Same as the product",
      options: inheritable.map((name) => [name, fields[name].label] as const),
    },
    option_values: { as: "group", label: "Option values" },
    ...(Object.fromEntries(chosen) as FormInputs<OptionField>),
  } satisfies FormInputs;
}

/** Converters of a variant's form. Inherited fields are left out, whatever their inputs hold. */
export function variantKinds({ optionValues }: Pick<ProductRow, "optionValues">, values: Values) {
  const { options: _options, category_id: _category, ...kinds } = productKinds(values);
  const own = Object.entries(kinds).filter(([name]) => !values.inherits?.includes(name));
  const ofOptions = optionValues.map((_, place) => [optionField(place), () => undefined] as const);
  return {
    ...Object.fromEntries<FieldKind>([...own, ...ofOptions]),
    inherits: listKind,
    option_values: () =>
      optionValues.map(({ name }, place) => ({ name, value: values[optionField(place)]?.[0] ?? "" })),
  };
}

/** Text for the values of an input: the labels of choices, or the values with their unit. */
export function wordsOf(input: FormInput, values: readonly string[] = []): string {
  const labels = new Map(optionsOf(input));
  const words = values.filter(Boolean).map((value) => labels.get(value) ?? value);
  const unit = "unit" in input && input.unit ? ` ${input.unit}` : "";
  return words.length === 0 ? "none" : words.join(", ") + unit;
}
