import * as z from "zod";
import {
  ChosenValues,
  Inherits,
  MAX_BRAND,
  MAX_DESCRIPTION,
  MAX_PRODUCT_NAME,
  MAX_SEO_DESCRIPTION,
  MAX_SEO_TITLE,
} from "../../../catalogue/products/public.ts";
import { MAX_CATEGORY_NAME, namesInPath } from "../../../domain/category-path.ts";
import { Id, line, Moment, Text, trimmed } from "../../../domain/fields.ts";
import { limits } from "../../../domain/limits.ts";
import type { OptionValue } from "../../../domain/option-values.ts";
import { Slug } from "../../../domain/slug.ts";
import { beginningInWords } from "../../../domain/text.ts";
import type { RowFailure } from "../../../platform/jobs/run-slice.ts";
import { ImportedId, type ImportRecord } from "../reading/record.ts";
import { failuresOf, fitted, inSmallLetters, type TextLimits } from "../record-fields.ts";

const Step = z.object({ id: ImportedId.optional(), name: Text, slug: Slug.optional() });

/** Fields of a product in responses that requests may not send. Useful for exports from another shop. */
const ProductPreview = z.object({
  id: ImportedId.optional(),
  category: z.union([Text, Step.extend({ path: z.array(Step).optional() })]).nullish(),
  category_slug: Slug.optional(),
  currency: z.string().optional(),
  in_stock: z.boolean().optional(),
  files: z.array(z.object({ id: Id })).optional(),
  created_at: Moment.optional(),
  updated_at: Moment.optional(),
  parent_id: z.int().nullish(),
  parent_sku: line(100).nullish(),
  option_values: ChosenValues.optional(),
  inherits: Inherits.optional(),
  price_range: z.unknown().optional(),
  prior_price: z.unknown().optional(),
  variant_count: z.unknown().optional(),
  variants: z.unknown().optional(),
});
type ProductPreview = z.output<typeof ProductPreview>;

/** A unit price in a response, whose price is computed. */
const ShownMeasures = z.looseObject({ price: z.number() }).transform(({ price: _, ...measures }) => measures);

/** A category on a row's path. Its id and slug apply if it has to be created. */
export type PathStep = { id?: number | undefined; name: string; slug?: string | undefined };

/** A row's category by its path from the top or, without one, by its slug. */
type NamedCategory = { path: PathStep[] } | { slug: string };

/** SKUs are never cut: two products' rows could become one. */
const TEXT_LIMITS: TextLimits = {
  name: { most: MAX_PRODUCT_NAME, isLine: true },
  sku: { most: Number.POSITIVE_INFINITY, isLine: true },
  description: { most: MAX_DESCRIPTION, isLine: false },
  brand: { most: MAX_BRAND, isLine: true },
  seo_title: { most: MAX_SEO_TITLE, isLine: true },
  seo_description: { most: MAX_SEO_DESCRIPTION, isLine: true },
};

const ENUMERATED = ["type", "status", "tax_class", "condition", "withdrawal"];

/** A row that is a variant: the SKU of its product, unless the shop knows it, and the row's own data. */
type VariantOf = {
  parentSku: string | null;
  values: OptionValue[] | null;
  /** The fields that the variant inherits. Null if the row does not say. */
  inherits: readonly string[] | null;
  isBelowParent: boolean;
};

type ImageList = NonNullable<ImportRecord["partialImages"]>;

/** A row, with the product fields to write separate from everything else. */
export type ProductRecord = {
  line: number;
  sku: string;
  sent: Record<string, unknown>;
  category: NamedCategory | null;
  variantOf: VariantOf | null;
  id: number | undefined;
  createdAt: number | undefined;
  updatedAt: number | undefined;
  warnings: RowFailure[];
  /** The images that could be fetched if some failed. They do not replace a product's existing images. */
  partialImages?: ImageList | undefined;
} & Pick<ImportRecord, "ifNew" | "onlyUpdates" | "adjustment">;

const failure = (line: number, field: string, code: string, message: string) => ({
  failures: [{ line, field, code, message }],
});

/** Splits a record into its parts, or returns what is wrong with it. */
export function toProductRecord(record: ImportRecord, currency: string): ProductRecord | { failures: RowFailure[] } {
  const { line, failures, partialImages, ifNew, onlyUpdates, adjustment, isBelowParent = false } = record;
  if (failures) return { failures };
  const { fields, warnings } = fitted(line, inSmallLetters(record.fields ?? {}, ENUMERATED), TEXT_LIMITS);
  const shown = ProductPreview.safeParse(fields);
  if (!shown.success) return { failures: failuresOf(line, shown.error.issues, fields) };
  const { data } = shown;
  if (data.currency !== undefined && data.currency.trim().toUpperCase() !== currency)
    return failure(line, "currency", "invalid_value", `must be the shop's currency, ${currency}`);
  const sku = typeof fields.sku === "string" ? fields.sku.trim() : "";
  if (sku === "") return failure(line, "sku", "required", "is required to identify the product");
  const sent: Record<string, unknown> = { ...fields, sku };
  for (const name of Object.keys(ProductPreview.shape)) delete sent[name];
  const measures = ShownMeasures.safeParse(fields.unit_pricing);
  if (measures.success) sent.unit_pricing = measures.data;
  if (data.files) sent.file_ids ??= data.files.map(({ id }) => id);
  const variantOf = variantIn(data, isBelowParent);
  const category = variantOf ? null : categoryOf(data, fields);
  if (category && "path" in category) category.path = fittedPath(line, category.path, warnings);
  if (data.category === null) sent.category_id ??= null;
  if (category) delete sent.category_id;
  for (const name of variantOf ? ["options", "category_id", "tags", ...(variantOf.inherits ?? [])] : [])
    delete sent[name];
  const dates = { createdAt: data.created_at, updatedAt: data.updated_at };
  const asRead = { partialImages, ifNew, onlyUpdates, adjustment };
  return { line, sku, sent, category, variantOf, id: data.id, ...dates, warnings, ...asRead };
}

function variantIn(
  { parent_id, parent_sku, option_values, inherits }: ProductPreview,
  isBelowParent: boolean,
): VariantOf | null {
  if (!parent_sku && !parent_id) return null;
  return {
    parentSku: parent_sku || null,
    values: option_values && option_values.length > 0 ? option_values : null,
    inherits: inherits ?? null,
    isBelowParent,
  };
}

function categoryOf(
  { category, category_slug: slug }: ProductPreview,
  { category_id }: Record<string, unknown>,
): NamedCategory | null {
  if (!category) return slug === undefined || typeof category_id === "number" ? null : { slug };
  if (typeof category === "object" && category.path?.length) return { path: category.path };
  const own =
    typeof category === "object" ? category : { id: ImportedId.safeParse(category_id).data, name: category, slug };
  const names = namesInPath(own.name);
  if (names.length === 0) return null;
  return { path: names.map((name, at) => (at === names.length - 1 ? { ...own, name } : { name })) };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const CONTROLS = /[\x00-\x1f\x7f-\x9f]+/g;

/** Shortens names and removes levels beyond the limits, with a warning. */
function fittedPath(line: number, path: PathStep[], warnings: RowFailure[]): PathStep[] {
  const cut = path.slice(0, limits.CATEGORY_LEVELS).map((step) => {
    const name = trimmed(step.name.replaceAll(/[>\s]+/g, " ").replaceAll(CONTROLS, " "));
    return { ...step, name: beginningInWords(name, MAX_CATEGORY_NAME) };
  });
  const about = { line, field: "category", code: "too_big", isWarning: true } as const;
  if (path.length > cut.length)
    warnings.push({ ...about, message: `has more than ${limits.CATEGORY_LEVELS} levels. The last ones were left out` });
  if (path.some(({ name }) => name.length > MAX_CATEGORY_NAME))
    warnings.push({
      ...about,
      message: `has a name of more than ${MAX_CATEGORY_NAME} characters, which was shortened`,
    });
  return cut;
}
