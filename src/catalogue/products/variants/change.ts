import { type SQL, sql } from "drizzle-orm";
import { badRequest, type FieldError, fieldError } from "../../../domain/errors.ts";
import { type ColumnOf, columnOf } from "../../../domain/record.ts";
import { type InheritableField, inheritable, products } from "../../../platform/db/schema.ts";
import { foldedWords, searchedTexts } from "../../../platform/db/search-words.ts";
import { isSame, precondition, versionAfter } from "../../../platform/db/statements.ts";
import type { ProductUpdate } from "../admin-schemas.ts";
import { type EditableProduct, productState } from "../fields.ts";
import type { ProductRow, ProductWithVariants } from "../schemas.ts";
import { valuesAfter, valuesInOrder } from "./fields.ts";

type ChangeOfVariants = {
  statements?: SQL[];
} & Partial<
  Pick<
    ProductRow,
    "optionValues" | "inherits" | "manageStock" | "stockQuantity" | "compareAtPrice" | "cost" | "barcode"
  >
>;

/** Columns of a product that only its variants fill. */
const ofVariantsOnly = { manageStock: false, stockQuantity: null, compareAtPrice: null, cost: null, barcode: null };

/**
 * Values that a variant gets from its product: inherited fields, the category, the tags, and a status that is active
 * only while the product is.
 */
export const takenFromParent = (
  parent: Pick<EditableProduct, "status" | "categoryId" | "tags" | ColumnOf<InheritableField>>,
  { inherits, ownStatus }: Pick<ProductRow, "inherits" | "ownStatus">,
) => ({
  ...Object.fromEntries(inherits.map((field) => [columnOf(field), parent[columnOf(field)]] as const)),
  categoryId: parent.categoryId,
  tags: parent.tags,
  options: [],
  status: parent.status === "active" ? (ownStatus ?? "active") : ("draft" as const),
});

/** Updates the count of a product's variants and their search words once, after statements that write many of them. */
const countedOnce = (id: number, writes: SQL[]): SQL[] => [
  sql`UPDATE ${products} SET variant_count = -1 WHERE ${products.id} = ${id}`,
  ...writes,
  sql`UPDATE ${products} SET variant_count = 0 WHERE ${products.id} = ${id}`,
];

/** Statements that write variants of a product. Several are published as one change of the product. */
export const variantWrites = ({ id, count, now }: { id: number; count: number; now: number }, writes: SQL[]): SQL[] =>
  count === 1
    ? writes
    : [
        ...countedOnce(id, writes),
        sql`UPDATE ${products} SET updated_at = ${versionAfter(now)} WHERE ${products.id} = ${id}`,
      ];

/** Columns and statements added to a change of a product because of its variants. */
export function changeOfParent(before: ProductWithVariants, change: ProductUpdate, now: number): ChangeOfVariants {
  refuse(before, change, ["option_values", "inherits"], "is for variants only");
  const { options = before.options } = change;
  if (options.length === 0 && before.options.length === 0) return {};
  if (options.length > 0) refuseSoldFields(change);
  if (before.variants.length > 0 && change.price !== undefined && change.price !== before.price) {
    throw badRequest(
      fieldError("price", "not_applicable", "is the lowest price of the product's variants. Change these instead"),
    );
  }
  const unsold = options.length > 0 ? ofVariantsOnly : {};
  if (isSame(options, before.options)) return unsold;
  const after = valuesAfter(before, options);
  const renamed = before.variants.flatMap(({ id, sku, optionValues: was }) => {
    const optionValues = after.get(id) ?? was;
    return isSame(was, optionValues)
      ? []
      : [[id, optionValues, foldedWords(searchedTexts.variants({ sku, optionValues }))]];
  });
  return {
    ...unsold,
    statements: [
      ...countedOnce(before.id, [
        sql`UPDATE ${products} SET option_values = value -> 1, folded_words = value ->> 2, updated_at = ${versionAfter(now)},
          related_updated_at = ${versionAfter(now)} FROM json_each(${JSON.stringify(renamed)}) WHERE ${products.id} = value ->> 0`,
      ]),
      precondition(sql`NOT EXISTS (SELECT 1 FROM misfitting_variants WHERE parent_id = ${before.id})`),
    ],
  };
}

/** Columns of a variant affected by a change of its fields: a field with a new value is no longer inherited. */
export function changeOfVariant(before: ProductWithVariants, change: ProductUpdate): ChangeOfVariants {
  refuse(before, change, ["options"], "is for products with variants");
  refuse(before, change, ["category_id"], "is always the category of the variant's product");
  refuse(before, change, ["tags"], "are always the tags of the variant's product");
  const stored: Record<string, unknown> = { ...before, fileIds: before.files.map(({ id }) => id) };
  const own = inheritable.filter(
    (name) => change[name] !== undefined && !isSame([stored[columnOf(name)]], [change[name]]),
  );
  const wanted = change.inherits ?? before.inherits;
  const both = own.find((name) => change.inherits?.includes(name));
  if (both) {
    throw badRequest(fieldError("inherits", "invalid", `names ${both}, which is also sent. Send only one of them`));
  }
  // A variant has the names of its product's options, in their order.
  const options = before.optionValues.map(({ name }) => name);
  const values = change.option_values && inOrder(options, change.option_values);
  return {
    inherits: inheritable.filter((name) => wanted.includes(name) && !own.includes(name)),
    ...(values && { optionValues: values }),
  };
}

function inOrder(names: string[], chosen: NonNullable<ProductUpdate["option_values"]>) {
  return valuesInOrder(
    names.map((name) => ({ name, values: chosen.filter((one) => one.name === name).map(({ value }) => value) })),
    chosen,
  );
}

/** Refuses fields of sold items on a product whose variants are sold instead. */
export function refuseSoldFields({
  manage_stock,
  stock_quantity,
  compare_at_price,
  cost,
  barcode,
}: ProductUpdate): void {
  const sold = {
    manage_stock: manage_stock === true,
    stock_quantity: typeof stock_quantity === "number",
    compare_at_price: typeof compare_at_price === "number",
    cost: typeof cost === "number",
    barcode: typeof barcode === "string",
  };
  const errors = Object.entries(sold).flatMap(([field, isSent]) =>
    isSent ? [fieldError(field, "not_applicable", "is a field of the product's variants")] : [],
  );
  if (errors.length > 0) throw badRequest(errors);
}

/** Refuses fields that do not apply, unless they are sent back as they were read. */
function refuse(before: ProductRow, change: ProductUpdate, fields: (keyof ProductUpdate)[], words: string): void {
  const state: Record<string, unknown> = {
    ...productState(before),
    option_values: before.optionValues,
    inherits: before.inherits,
  };
  const errors: FieldError[] = fields
    .filter((field) => change[field] !== undefined && !isSame([state[field]], [change[field]]))
    .map((field) => fieldError(field, "not_applicable", words));
  if (errors.length > 0) throw badRequest(errors);
}
