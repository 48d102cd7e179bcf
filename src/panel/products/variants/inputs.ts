import type { ProductRow } from "../../../catalogue/products/schemas.ts";
import type { CountedVariant } from "../../../catalogue/products/variants/change-many.ts";
import { formatAmount } from "../../../domain/money.ts";
import { describeValues } from "../../../domain/option-values.ts";
import { inheritable, type ProductOption } from "../../../platform/db/schema.ts";
import { kindsOf } from "../../forms/conversion.ts";
import { changedIn } from "../../forms/edit.ts";
import { type FormInput, type FormInputs, optionsOf, orNone } from "../../forms/inputs.ts";
import { type FieldKind, type Initial, listKind, money, number, text, type Values } from "../../forms/kinds.ts";
import { type ProductChoices, productInputs, productKinds } from "../inputs.ts";

const optionFields = ["option_values.0", "option_values.1", "option_values.2"] as const;

/** Name of the input for the value of an option, by position. */
export const optionField = (place: number) => optionFields[place] ?? optionFields[0];

/** The inputs of a variant: those of a product, its values for the product's options, and the fields it inherits. */
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
const valueInputs = ([first, second, third]: ProductRow["options"]) =>
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

/** Converters of a variant's form. Inherited fields are left out, whatever their inputs contain. */
export function variantKinds({ optionValues }: Pick<ProductRow, "optionValues">, values: Values) {
  const { options: _options, category_id: _category, tags: _tags, ...kinds } = productKinds(values);
  const own = Object.entries(kinds).filter(([name]) => !values.inherits?.includes(name.split(".")[0] ?? name));
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

const statuses = [
  ["active", "Active"],
  ["draft", "Draft"],
] as const;

/** Empty text remains, so that the schema refuses it by its field. */
const filled =
  (kind: FieldKind): FieldKind =>
  (values) =>
    kind(values) ?? "";

const cells = ["sku", "price", "compare_at_price", "on_hand", "status"] as const;
type Cell = (typeof cells)[number];

export const cellOf = (id: number, cell: Cell): string => `variants.${id}.${cell}`;

const cellInputs = (id: number): Record<Cell, FormInput> => ({
  sku: { as: "text", label: "SKU", required: true, maxlength: 100 },
  price: { as: "money", label: "Price", required: true, read: filled(money(cellOf(id, "price"))) },
  compare_at_price: { as: "money", label: "Compare-at price" },
  on_hand: { as: "number", label: "On hand", read: filled(number) },
  status: { as: "choice", label: "Status", options: statuses, required: true },
});

/** Fields that set a value for all selected variants. */
const setInputs = {
  "set.price": { as: "money", label: "Price" },
  "set.compare_at_price": { as: "money", label: "Compare-at price" },
  "set.on_hand": { as: "number", label: "On hand" },
  "set.image": { as: "choice", label: "Picture", options: [] },
  "set.status": { as: "choice", label: "Status", options: orNone("Leave unchanged", statuses) },
} satisfies FormInputs;

/** The picture of a variant that shows those of its product. */
const FOLLOWS = "product";

export type VariantsInputs = FormInputs<"ids" | "reason" | keyof typeof setInputs>;

/** Inputs of the table of variants: one for each cell. */
export const variantsInputs = (
  rows: readonly CountedVariant[],
  images: readonly { url: string; alt: string }[],
): VariantsInputs => ({
  ids: { as: "group", label: "Selected variants" },
  ...setInputs,
  "set.image": {
    ...setInputs["set.image"],
    options: [
      ["", "Leave unchanged"],
      [FOLLOWS, "Same as the product"],
      ...images.map(({ url, alt }, place) => [url, alt || `Image ${place + 1}`] as const),
    ],
  },
  ...Object.fromEntries(
    rows.flatMap(({ id, optionValues }): [string, FormInput][] => [
      [`variants.${id}`, { as: "group", label: describeValues(optionValues) }],
      ...cells.map((cell): [string, FormInput] => [cellOf(id, cell), cellInputs(id)[cell]]),
      [`variants.${id}.image`, { as: "text", label: "Picture" }],
    ]),
  ),
  reason: {
    as: "text",
    label: "Reason for stock changes",
    placeholder: "Stock count",
    maxlength: 200,
  },
});

/** Values of the cells. */
export const variantsValues = (rows: readonly CountedVariant[]): Record<string, Initial> =>
  Object.fromEntries(
    rows.flatMap(({ id, sku, price, compareAtPrice, onHand, status }) => [
      [cellOf(id, "sku"), sku],
      [cellOf(id, "price"), formatAmount(price)],
      [cellOf(id, "compare_at_price"), compareAtPrice === null ? null : formatAmount(compareAtPrice)],
      [cellOf(id, "on_hand"), onHand],
      [cellOf(id, "status"), status],
    ]),
  );

/** Name of the button that sets values for the selected variants. */
export const applyField = "apply";

/** The form after values were set in the cells of its selected rows. */
export function withSetValues(values: Values): Values {
  if (!values[applyField]) return values;
  const set = ["price", "compare_at_price", "on_hand", "image", "status"].flatMap((cell) => {
    const typed = values[`set.${cell}`]?.[0]?.trim();
    return typed ? (values.ids ?? []).map((id) => [`variants.${id}.${cell}`, [typed]]) : [];
  });
  return { ...values, ...Object.fromEntries(set) };
}

/** Converters of the changed cells, and of the reason if it is given. */
export function variantsKinds(ids: readonly number[], values: Values): Record<string, FieldKind> {
  const image: FieldKind = ([url]) => (url === FOLLOWS ? null : url);
  const all = ids.flatMap((id) =>
    Object.entries({ ...kindsOf(cellInputs(id)), image }).map(
      ([cell, kind]) => [`variants.${id}.${cell}`, kind] as const,
    ),
  );
  const changed = new Set(
    changedIn(
      values,
      all.map(([name]) => name).filter((name) => name in values),
    ),
  );
  return {
    ...Object.fromEntries(all.filter(([name]) => changed.has(name))),
    ...(values.reason?.[0]?.trim() && { reason: text }),
  };
}

/** A form that adds one variant. */
export const additionInputs = (options: ProductOption[]) =>
  ({
    ...valueInputs(options),
    price: { as: "money", label: "Price", required: true },
    stock_quantity: { as: "number", label: "Stock", hint: "Leave empty if stock is not counted.", read: number },
    sku: {
      as: "text",
      label: "SKU",
      hint: "Leave empty to create one from the product's SKU and the values.",
      maxlength: 100,
    },
  }) satisfies FormInputs;

/** A form that generates missing variants. */
export const generateInputs = {
  price: { as: "money", label: "Price of each", required: true },
  sku_pattern: {
    as: "text",
    label: "SKU pattern",
    hint: "{sku} is the product's SKU. An option's name in braces is its value.",
    maxlength: 100,
    required: true,
  },
  stock_quantity: { as: "number", label: "Stock of each", hint: "Leave empty if stock is not counted.", read: number },
} satisfies FormInputs;
