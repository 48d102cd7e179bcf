import type { ProductRow } from "../../../catalogue/products/schemas.ts";
import { inheritable, type ProductOption } from "../../../platform/db/schema.ts";
import { type FormInput, type FormInputs, optionsOf } from "../../forms/inputs.ts";
import { type FieldKind, listKind, type Values } from "../../forms/kinds.ts";
import { type ProductChoices, productInputs, productKinds } from "../inputs.ts";

const optionFields = ["option_values.0", "option_values.1", "option_values.2"] as const;

/** Name of the input for the value of an option by its place. */
export const optionField = (place: number) => optionFields[place] ?? optionFields[0];

/** The inputs of a variant: those of a product, its values for the product's options, and which fields it inherits. */
export function variantInputs(options: ProductRow["options"], choices: ProductChoices) {
  const fields = productInputs(choices);
  return {
    ...fields,
    inherits: {
      as: "choices",
      label: "Same as the product",
      options: inheritable.map((name) => [name, fields[name].label] as const),
    },
    ...valueInputs(options),
  } satisfies FormInputs;
}

/** Inputs of a variant's values: a choice for each option. */
export const valueInputs = ([first, second, third]: ProductRow["options"]) =>
  ({
    option_values: { as: "group", label: "Option values" },
    "option_values.0": valueInput(first),
    "option_values.1": valueInput(second),
    "option_values.2": valueInput(third),
  }) satisfies FormInputs;

/** A product with fewer options shows fewer of the inputs. */
const valueInput = ({ name, values }: ProductOption = { name: "", values: [] }): FormInput => ({
  as: "choice",
  label: name,
  options: values.map((value) => [value, value] as const),
  required: true,
});

/** The values that a form has for options, by their names. */
export const valuesIn = (names: readonly string[], values: Values) =>
  names.map((name, place) => ({ name, value: values[optionField(place)]?.[0] ?? "" }));

/** Converters of a variant's form. Inherited fields are left out, whatever their inputs hold. */
export function variantKinds({ optionValues }: Pick<ProductRow, "optionValues">, values: Values) {
  const { options: _options, category_id: _category, tags: _tags, ...kinds } = productKinds(values);
  const own = Object.entries(kinds).filter(([name]) => !values.inherits?.includes(name));
  const ofOptions = optionValues.map((_, place) => [optionField(place), () => undefined] as const);
  return {
    ...Object.fromEntries<FieldKind>([...own, ...ofOptions]),
    inherits: listKind,
    option_values: () =>
      valuesIn(
        optionValues.map(({ name }) => name),
        values,
      ),
  };
}

/** Text for the values of an input: the labels of choices, or the values with their unit. */
export function wordsOf(input: FormInput, values: readonly string[] = []): string {
  const labels = new Map(optionsOf(input));
  const words = values.filter(Boolean).map((value) => labels.get(value) ?? value);
  const unit = "unit" in input && input.unit ? ` ${input.unit}` : "";
  return words.length === 0 ? "none" : words.join(", ") + unit;
}
