import { eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { badRequest, fieldError, notFound } from "../../../domain/errors.ts";
import { line } from "../../../domain/fields.ts";
import { limits } from "../../../domain/limits.ts";
import { toDecimal } from "../../../domain/money.ts";
import { describeValues } from "../../../domain/option-values.ts";
import { numberedSlug, slugOf } from "../../../domain/slug.ts";
import { changeShape, toColumns } from "../../../platform/administration/fields.ts";
import { requireFreshForChange } from "../../../platform/administration/sensitive-changes.ts";
import { auditEntry } from "../../../platform/audit/audit.ts";
import type { AuthorContext, WriteContext } from "../../../platform/auth/caller.ts";
import { requireRow } from "../../../platform/db/client.ts";
import { selectFreeNumbers } from "../../../platform/db/free-slugs.ts";
import { inheritable, productFiles, products } from "../../../platform/db/schema.ts";
import { foldedWords, searchedTexts } from "../../../platform/db/search-words.ts";
import { insertRows, insertSelected, merge, translateViolations } from "../../../platform/db/statements.ts";
import { writeOnce } from "../../../platform/idempotency/claims.ts";
import { auditedProducts, findReferences } from "../admin.ts";
import { productFields } from "../fields.ts";
import { productAsJson } from "../products.ts";
import type { ProductRow, ProductWithVariants } from "../schemas.ts";
import { countedStockIsManaged, managedStockIsCounted } from "../stock.ts";
import { refuseMissing, requireProduct } from "../write.ts";
import { takenFromParent, variantWrites } from "./change.ts";
import {
  ChosenValues,
  countCombinations,
  defaultSkuPattern,
  skuByPattern,
  valueCombinations,
  valuesInOrder,
} from "./fields.ts";

const { options: _options, category_id: _category, tags: _tags, slug: _slug, ...fields } = changeShape(productFields);

/** One variant. Omitted fields are inherited. */
export const OneVariant = z
  .strictObject(fields)
  .partial()
  .required({ sku: true, price: true })
  .extend({ generate: z.literal(false).optional(), option_values: ChosenValues })
  .refine(...managedStockIsCounted)
  .refine(...countedStockIsManaged)
  .meta({ id: "VariantCreate" });
export type OneVariant = z.output<typeof OneVariant>;

const { price, compare_at_price, cost, status, manage_stock, stock_quantity, low_stock_threshold } = fields;

/** All combinations of option values without a variant, at one price. */
export const MissingVariants = z
  .strictObject({
    generate: z.literal(true),
    price,
    compare_at_price: compare_at_price.optional(),
    cost: cost.optional(),
    status: status.optional(),
    manage_stock: manage_stock.optional(),
    stock_quantity: stock_quantity.optional(),
    low_stock_threshold: low_stock_threshold.optional(),
    sku_pattern: line(100)
      .optional()
      .describe(
        "SKU of each variant: `{sku}` is the SKU of the product and the name of an option, or its position such as `{1}`, its value, as in `TEE-{Size}-{Color}`",
      ),
  })
  .refine(...managedStockIsCounted)
  .refine(...countedStockIsManaged)
  .meta({ id: "MissingVariants" });
export type MissingVariants = z.output<typeof MissingVariants>;

export const NewVariants = z
  .discriminatedUnion("generate", [MissingVariants, OneVariant], {
    error: ({ code }) => (code === "invalid_union" ? "must be true to create all missing variants" : undefined),
  })
  .meta({
    // OpenAPI requires a discriminator to be a string that is always present.
    override: ({ jsonSchema }: { jsonSchema: { anyOf?: unknown; oneOf?: unknown; discriminator?: unknown } }) => {
      jsonSchema.anyOf = jsonSchema.oneOf;
      delete jsonSchema.oneOf;
      delete jsonSchema.discriminator;
    },
  });
export type NewVariants = z.output<typeof NewVariants>;

/** Creates one variant and returns it, or all missing ones and returns their product. */
export async function createVariants(
  ctx: AuthorContext,
  { id, sent }: { id: number; sent: NewVariants },
): Promise<ProductWithVariants> {
  const parent = await requireProduct(ctx.db, id);
  if (parent.options.length === 0) {
    const field = sent.generate ? "generate" : "option_values";
    throw badRequest(
      fieldError(
        field,
        "not_applicable",
        "needs a product with options. Add them first, such as Size with the values S and M",
      ),
    );
  }
  if (!sent.generate) {
    refuseMissing(await findReferences(ctx.db, sent));
    const row = { ...sent, option_values: valuesInOrder(parent.options, sent.option_values) };
    return insertVariants(ctx, { parent, rows: [row], answer: sql`sku = ${sent.sku}`, skuField: "sku" });
  }
  const rows = missingVariants(parent, sent);
  return insertVariants(ctx, { parent, rows, answer: eq(products.id, id), skuField: "sku_pattern" });
}

function missingVariants(
  { sku, options, variants }: ProductWithVariants,
  { generate: _, sku_pattern = defaultSkuPattern(options), ...shared }: MissingVariants,
): OneVariant[] {
  if (countCombinations(options) > limits.VARIANTS_PER_PRODUCT) throw tooManyVariants("generate");
  const known = new Set(variants.map(({ optionValues }) => JSON.stringify(optionValues)));
  const rows = valueCombinations(options).filter((values) => !known.has(JSON.stringify(values)));
  const made = rows.map((option_values) => ({
    ...shared,
    option_values,
    sku: skuByPattern(sku_pattern, { sku, values: option_values }),
  }));
  const taken = made.find((row, index) => made.findIndex((other) => other.sku === row.sku) < index);
  const bad = taken ?? made.find((row) => !fields.sku.safeParse(row.sku).success);
  if (bad) {
    const words = taken
      ? `gives several variants the SKU ${bad.sku}. Use every option, as in ${defaultSkuPattern(options)}`
      : `gives ${describeValues(bad.option_values)} a SKU that is too long`;
    throw badRequest(fieldError("sku_pattern", "invalid", words));
  }
  if (made.length === 0) {
    throw badRequest(fieldError("generate", "nothing_to_change", "finds a variant for every combination already"));
  }
  return made;
}

/** Columns of a new variant, with its inherited ones in `inherits`. */
function columnsOf(parent: ProductWithVariants, { option_values, ...sent }: OneVariant, slug: string) {
  const { fileIds, status: ownStatus = "active", ...columns } = toColumns(productFields, sent);
  const inherits = inheritable.filter((name) => sent[name] === undefined);
  const { name, type, requiresShipping } = parent;
  const row: Omit<typeof products.$inferInsert, "createdAt" | "updatedAt"> = {
    name,
    type,
    requiresShipping,
    sku: sent.sku,
    price: sent.price,
    manageStock: typeof sent.stock_quantity === "number",
    ...merge({}, columns),
    ...takenFromParent({ ...parent, fileIds: [] }, { inherits, ownStatus }),
    slug,
    parentId: parent.id,
    ownStatus,
    optionValues: option_values,
    foldedWords: foldedWords(searchedTexts.variants({ sku: sent.sku, optionValues: option_values })),
    inherits,
  };
  return { row, fileIds };
}

type Insertion = {
  parent: ProductWithVariants;
  rows: OneVariant[];
  /** Condition for the returned product. */
  answer: SQL;
  /** Field in the error for a SKU that is taken. */
  skuField: string;
};

/** Inserts variants with one audit entry, in one batch. */
async function insertVariants(
  ctx: AuthorContext,
  { parent, rows, answer, skuField }: Insertion,
): Promise<ProductWithVariants> {
  const { db, author } = ctx;
  const cheapest = (priced: { price: number }[]) => ({ price: Math.min(...priced.map(({ price: each }) => each)) });
  const before = cheapest(parent.variants.length > 0 ? parent.variants : [parent]);
  requireFreshForChange(author, { subject: "product", before, after: cheapest(rows) });
  const slugs = await freeSlugs(ctx, parent, rows);
  const made = rows.map((row, index) => columnsOf(parent, row, slugs[index] ?? ""));
  const created = insertRows(
    products,
    made.map(({ row }) => ({ ...row, createdAt: author.now, updatedAt: author.now })),
  );
  const files = made.flatMap(({ row: { slug }, fileIds }) => (fileIds?.length ? [grantFiles(slug, fileIds)] : []));
  const writes = [
    ...variantWrites({ id: parent.id, count: rows.length, now: author.now }, [created]),
    ...files,
    auditEntry(
      { author },
      {
        subject: "product",
        action: "add_variants",
        id: parent.id,
        after: {
          variants: rows.map(({ sku, option_values, price: amount }) => ({
            sku,
            option_values,
            price: toDecimal(amount),
          })),
        },
      },
    ),
  ];
  const read = sql`(SELECT ${productAsJson} FROM products WHERE ${answer})`;
  return requireRow(
    await translateViolations(writeOnce<ProductWithVariants>({ db, author }, { writes, answer: read }), {
      ...auditedProducts.refusals,
      "products.sku": () =>
        badRequest(
          fieldError(
            skuField,
            "sku_taken",
            rows.length > 1 ? "gives a SKU that is taken" : "belongs to another product",
          ),
        ),
      too_many_variants: () => tooManyVariants("option_values"),
      "FOREIGN KEY": () => notFound(`Product ${parent.id}`),
    }),
  );
}

const grantFiles = (slug: string, fileIds: number[]): SQL =>
  insertSelected(
    productFiles,
    { productId: sql`(SELECT id FROM products WHERE slug = ${slug})`, fileId: sql`value` },
    sql`FROM json_each(${JSON.stringify(fileIds)})`,
  );

const tooManyVariants = (field: string) => {
  const limit = limits.VARIANTS_PER_PRODUCT;
  return badRequest(fieldError(field, "too_many_variants", `would exceed ${limit} variants of the product`, { limit }));
};

/**
 * A free slug for each variant, made from its product's slug and its values, with a number if another combination has
 * the same slug.
 */
async function freeSlugs(
  { db }: Pick<WriteContext, "db">,
  { slug }: ProductRow,
  rows: OneVariant[],
): Promise<string[]> {
  const wanted = await Promise.all(
    rows.map(({ option_values }) => slugOf([slug, ...option_values.map(({ value }) => value)].join(" "))),
  );
  const free = new Map((await selectFreeNumbers(db, "products", wanted)).map((row) => [row.slug, row.n]));
  const taken = new Set<string>();
  for (;;) {
    const given = new Set<string>();
    for (const text of wanted) {
      let n = free.get(text) ?? 1;
      while (taken.has(numberedSlug(text, n)) || given.has(numberedSlug(text, n))) n++;
      given.add(numberedSlug(text, n));
    }
    const found = await db
      .select({ slug: products.slug })
      .from(products)
      .where(sql`slug IN (SELECT value FROM json_each(${JSON.stringify([...given])}))`);
    if (found.length === 0) return [...given];
    for (const row of found) taken.add(row.slug);
  }
}
