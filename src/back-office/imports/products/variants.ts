import { type SQL, sql } from "drizzle-orm";
import { type EditableProduct, type ProductRow, takenFromParent } from "../../../catalogue/products/public.ts";
import { describeValues, type OptionValue } from "../../../domain/option-values.ts";
import { type InheritableField, inheritable, type ProductOption } from "../../../platform/db/schema.ts";
import type { RowFailure } from "../../../platform/jobs/run-slice.ts";
import type { JobRow } from "../../../platform/jobs/schemas.ts";
import type { ProductRecord } from "./shape.ts";

// A change of a variant changes the version of its product, and a change of a product the versions of variants that
// inherit it. If a job wrote them too, an undo must still recognize them as unedited. So the batch marks the rows that
// nobody edited since, and records their new versions at its end.

const versionOf = sql.raw("(SELECT updated_at FROM products WHERE products.id = subject_id)");

/** Marks products and variants that have the version assigned by the job. `ids` selects them. */
export const markRelated = (jobId: number, ids: SQL): SQL => sql`
  UPDATE job_changes SET version = -version
  WHERE job_id = ${jobId} AND subject_id IN (${ids}) AND version = ${versionOf}`;

/** Records the versions of the marked rows, and of others written by this batch. */
export const followRelated = (jobId: number, written: SQL): SQL => sql`
  UPDATE job_changes SET version = ${versionOf}
  WHERE job_id = ${jobId} AND (version < 0 OR subject_id IN (${written})) AND ${versionOf} IS NOT NULL`;

/** Restores a product's imported time of the last change, which its variants have changed. */
export const keepMoments = ({ id, createdAt }: Pick<JobRow, "id" | "createdAt">, written: SQL): SQL => sql`
  UPDATE products SET updated_at = abs(made.version), related_updated_at = abs(made.version)
  FROM job_changes AS made
  WHERE made.job_id = ${id} AND made.subject_id = products.id AND made.before IS NULL AND abs(made.version) < ${createdAt}
    AND (made.version < 0 OR products.id IN (${written}))`;

/** A product as an import writes it. A variant includes the values that it inherits. */
export type ImportedProduct = EditableProduct &
  Pick<ProductRow, "optionValues" | "inherits" | "ownStatus"> & { parentSku: string | null };

/** A product with options, after the rows above have been imported. */
export type ParentProduct = { id: number | null; state: ImportedProduct; newCategory: string | null };

/** Values of the variant columns for a product that is not a variant. */
export const notAVariant = { optionValues: [], inherits: [], ownStatus: null, parentSku: null };

export const importedStateOf = ({ files, ...row }: ProductRow, parentSku: string | null): ImportedProduct => ({
  ...row,
  fileIds: files.map(({ id }) => id),
  parentSku,
});

/** Products with options by SKU: those in the shop, overridden by those that a slice writes. */
export class ParentProducts {
  readonly #written = new Map<string, ParentProduct>();
  readonly #bySku: ReadonlyMap<string, ProductRow>;
  readonly #byId: ReadonlyMap<number, ProductRow>;

  constructor(found: ReadonlyMap<string, ProductRow>) {
    this.#bySku = found;
    this.#byId = new Map([...found.values()].map((product) => [product.id, product]));
  }

  write(parent: ParentProduct): void {
    if (parent.state.options.length > 0) this.#written.set(parent.state.sku, parent);
  }

  /** Finds the product that a row names, or that an existing variant belongs to. */
  find({ variantOf }: ProductRecord, product: ProductRow | undefined): ParentProduct | undefined {
    const sku = this.#byId.get(product?.parentId ?? 0)?.sku ?? variantOf?.parentSku;
    if (!sku) return undefined;
    const row = this.#bySku.get(sku);
    const written = this.#written.get(sku);
    if (written || !row) return written;
    return { id: row.id, state: importedStateOf(row, null), newCategory: null };
  }
}

const failed = (line: number, field: string, code: string, message: string): RowFailure => ({
  line,
  field,
  code,
  message,
});

/** Says why a row cannot be a variant of its product. A check does not know products that it would create in an earlier slice. */
export function problemOfVariant(
  { line, variantOf }: ProductRecord,
  product: ProductRow | undefined,
  parent: ParentProduct | undefined,
  isCheck: boolean,
): RowFailure | null {
  const field = "parent_sku";
  if (!parent) {
    const { parentSku = null, isBelowParent = false } = variantOf ?? {};
    if (isCheck && isBelowParent) return null;
    const message =
      parentSku === null
        ? "names a product that is not in the file"
        : `${parentSku} is neither a product of the shop nor imported above this row`;
    return failed(line, field, "unknown_reference", message);
  }
  const { sku, options } = parent.state;
  if (options.length === 0)
    return failed(
      line,
      field,
      "not_applicable",
      `${sku} has no options such as Size. Add them to its row, above this one`,
    );
  if (product && product.parentId === null)
    return failed(
      line,
      field,
      "not_applicable",
      "cannot be set: the row's SKU already belongs to a product that is not a variant. Delete that product or change its SKU first",
    );
  if (product && variantOf?.parentSku && variantOf.parentSku !== sku)
    return failed(line, field, "not_applicable", "the variant with this SKU belongs to another product");
  return null;
}

const isSameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The values of a variant as its product spells them, in the order of the options, or why they do not fit. */
export function optionValuesOf(
  line: number,
  chosen: readonly OptionValue[],
  options: readonly ProductOption[],
): OptionValue[] | RowFailure {
  const values: OptionValue[] = [];
  for (const { name, values: known } of options) {
    const found = chosen.filter((one) => isSameText(one.name, name));
    const [first] = found;
    if (!first || found.length > 1) return failed(line, "option_values", "required", `must have one value for ${name}`);
    const value = known.find((each) => isSameText(each, first.value));
    if (value === undefined)
      return failed(
        line,
        "option_values",
        "unknown_reference",
        `${first.value || "an empty value"} is not a value of ${name}. Add it to the row of the product`,
      );
    values.push({ name, value });
  }
  if (values.length === chosen.length) return values;
  const other = chosen.find(({ name }) => !options.some((option) => isSameText(option.name, name)));
  return failed(line, "option_values", "unknown_reference", `${other?.name} is not an option of the product`);
}

/** Fields that a variant inherits after a row is written. By default, a new value makes its field the variant's own. */
export function inheritsAfter(
  { variantOf, sent }: Pick<ProductRecord, "variantOf" | "sent">,
  before: readonly InheritableField[],
  isNew: (field: InheritableField) => boolean,
): InheritableField[] {
  const listed = variantOf?.inherits ?? null;
  const isOwn = (field: InheritableField) => sent[field] !== undefined && (listed !== null || isNew(field));
  return inheritable.filter((field) => listed?.includes(field) || (before.includes(field) && !isOwn(field)));
}

/** A variant with its inherited values. */
export function inheriting(variant: ImportedProduct, { state: parent, newCategory }: ParentProduct) {
  const state: ImportedProduct = { ...variant, ...takenFromParent(parent, variant), parentSku: parent.sku };
  return { state, newCategory };
}

/**
 * The options of a product after a row: in the order of the row, followed by existing ones, because variants may use
 * their values. The shop's spelling is kept.
 */
export function optionsAfter(
  line: number,
  { options: before, variantCount }: Pick<ProductRow, "options" | "variantCount">,
  sent: readonly ProductOption[],
): ProductOption[] | RowFailure {
  if (variantCount === 0) return [...sent];
  const isSame =
    sent.length === before.length && before.every(({ name }, at) => isSameText(name, sent[at]?.name ?? ""));
  if (!isSame) {
    const names = before.map(({ name }) => name).join(", ");
    return failed(
      line,
      "options",
      "not_applicable",
      `must be ${names}, in this order, because the product has variants`,
    );
  }
  return before.map(({ name, values }, at) => {
    const wanted = (sent[at]?.values ?? []).map((value) => values.find((each) => isSameText(each, value)) ?? value);
    return { name, values: [...wanted, ...values.filter((value) => !wanted.includes(value))] };
  });
}

/** Finds variants of one product with the same values within a slice. */
export class TakenValues {
  readonly #skus = new Map<string, string>();

  problem(line: number, { parentSku, optionValues, sku }: ImportedProduct): RowFailure | null {
    const key = JSON.stringify([parentSku, optionValues]);
    const taken = this.#skus.get(key);
    this.#skus.set(key, taken ?? sku);
    if (taken === undefined || taken === sku) return null;
    const message = `${describeValues(optionValues)} is variant ${taken} already`;
    return failed(line, "option_values", "option_values_taken", message);
  }
}
