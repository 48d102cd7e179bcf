import * as z from "zod";
import { badRequest, type FieldError, fieldError } from "../../../domain/errors.ts";
import { line } from "../../../domain/fields.ts";
import { MAX_OPTIONS, type OptionValue } from "../../../domain/option-values.ts";
import { inheritable, type ProductOption } from "../../../platform/db/schema.ts";
import type { ProductWithVariants, VariantRow } from "../schemas.ts";

const MAX_VALUES = 250;

/** Normalized, so that an accented letter is equal whether it was typed as one character or two. */
const composed = (most: number) => line(most).overwrite((text) => text.normalize());

const differ = (texts: readonly string[]): boolean =>
  new Set(texts.map((text) => text.toLowerCase())).size === texts.length;

/** Options of a product, such as Size and Color, with their values in the order in which shops show them. */
export const ProductOptions = z
  .array(
    z.strictObject({
      name: composed(50),
      values: z.array(composed(100)).min(1).max(MAX_VALUES).refine(differ, { error: "must not repeat a value" }),
    }),
  )
  .max(MAX_OPTIONS)
  .refine((options) => differ(options.map(({ name }) => name)), { error: "must not repeat a name" });

/** The values of a variant, in any order. */
export const ChosenValues = z
  .array(z.strictObject({ name: composed(50), value: composed(100) }))
  .max(MAX_OPTIONS)
  .describe("One value for each option of the product");

/** Fields of a variant that follow its product. */
export const Inherits = z
  .array(z.enum(inheritable))
  .max(inheritable.length)
  .describe("Fields that a variant inherits from its product. A field sent with a new value is no longer inherited");

/** Values in the order of the options. Throws if one is missing, unknown or named twice. */
export function valuesInOrder(options: readonly ProductOption[], chosen: readonly OptionValue[]): OptionValue[] {
  const errors: FieldError[] = chosen.flatMap(({ name, value }, index) => {
    const option = options.find((one) => one.name === name);
    if (!option)
      return [fieldError(`option_values.${index}.name`, "unknown_reference", "is not an option of the product")];
    if (option.values.includes(value)) return [];
    return [
      fieldError(
        `option_values.${index}.value`,
        "unknown_reference",
        `is not a value of ${name}. Add it to the product's options first`,
      ),
    ];
  });
  const ordered = options.flatMap(({ name }) => {
    const values = chosen.filter((one) => one.name === name);
    if (values.length !== 1) errors.push(fieldError("option_values", "required", `must have one value for ${name}`));
    return values;
  });
  if (errors.length > 0) throw badRequest(errors);
  return ordered;
}

/** Number of combinations of the options' values. Three options with 250 values each have 15 million. */
export const countCombinations = (options: readonly ProductOption[]): number =>
  options.reduce((product, { values }) => product * values.length, 1);

const PRODUCT = "sku";

/**
 * SKU pattern of generated variants: the SKU of the product and the value of each option. An option whose name cannot
 * be used in a pattern is named by its position.
 */
export const defaultSkuPattern = (options: readonly ProductOption[]): string => {
  const names = options.map(({ name }, place) => (name === PRODUCT || /[{}]/.test(name) ? String(place + 1) : name));
  return [PRODUCT, ...names].map((name) => `{${name}}`).join("-");
};

/** The SKU of a variant by a pattern. */
export function skuByPattern(
  pattern: string,
  { sku, values }: { sku: string; values: readonly OptionValue[] },
): string {
  const words = new Map([
    ...values.map(({ value }, place) => [String(place + 1), value] as const),
    ...values.map(({ name, value }) => [name, value] as const),
    [PRODUCT, sku],
  ]);
  const filled = pattern.normalize().replaceAll(/\{([^{}]+)\}/g, (text, name: string) => words.get(name) ?? text);
  return filled.replaceAll(/\s+/g, "-");
}

/** Every combination of the options' values. */
export const valueCombinations = (options: readonly ProductOption[]): OptionValue[][] =>
  options.reduce<OptionValue[][]>(
    (rows, { name, values }) => rows.flatMap((row) => values.map((value) => [...row, { name, value }])),
    [[]],
  );

/**
 * Pairs each old entry with its new name. A missing entry was renamed if a new one is at its position. Undefined if it
 * was removed.
 */
function renames(before: readonly string[], after: readonly string[]): Map<string, string | undefined> {
  return new Map(
    before.map((name, place) => {
      if (after.includes(name)) return [name, name];
      const there = after[place];
      return [name, there !== undefined && !before.includes(there) ? there : undefined];
    }),
  );
}

/**
 * The values of each variant after its product gets new options, by the variant's id. Names and values may be renamed,
 * reordered and added. Existing variants get the first value of a new option. Throws if a variant has a value that was
 * removed.
 */
export function valuesAfter(
  product: ProductWithVariants,
  options: readonly ProductOption[],
): Map<number, OptionValue[]> {
  const { options: before, variants } = product;
  if (variants.length > 0 && options.length === 0) {
    throw badRequest(
      fieldError("options", "in_use", "cannot be removed while the product has variants. Delete these first"),
    );
  }
  const names = renames(nameOf(before), nameOf(options));
  const sources = options.map(({ name, values }) => {
    const source = before.find((option) => names.get(option.name) === name);
    return { name, values, source, renamed: source && renames(source.values, values) };
  });
  // One error for each removed value, however many variants have it.
  const errors = new Map<string, FieldError>();
  const moved = (variant: VariantRow): OptionValue[] =>
    sources.map(({ name, values, source, renamed }, place) => {
      const was = variant.optionValues.find((one) => one.name === source?.name)?.value;
      const value = was === undefined ? values[0] : renamed?.get(was);
      const key = `${place} ${was}`;
      if (value === undefined && !errors.has(key)) {
        const words = `must keep ${was}, which variant ${variant.sku} uses`;
        errors.set(key, fieldError(`options.${place}.values`, "in_use", words));
      }
      return { name, value: value ?? "" };
    });
  const after = new Map(variants.map((variant) => [variant.id, moved(variant)]));
  if (errors.size > 0) throw badRequest([...errors.values()].slice(0, 20));
  if (new Set([...after.values()].map((values) => JSON.stringify(values))).size < after.size) {
    throw badRequest(
      fieldError("options", "in_use", "would leave several variants with the same values. Delete these first"),
    );
  }
  return after;
}

const nameOf = (options: readonly ProductOption[]): string[] => options.map(({ name }) => name);
