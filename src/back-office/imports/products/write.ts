import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { keepImages } from "../../../catalogue/images/public.ts";
import { adjustmentWrites, productFields, replaceFiles } from "../../../catalogue/products/public.ts";
import { distinctTags, withFolded } from "../../../domain/tags.ts";
import { columnNames } from "../../../platform/administration/fields.ts";
import { auditStates } from "../../../platform/audit/audit.ts";
import type { WriteContext } from "../../../platform/auth/caller.ts";
import { categories, productFiles, products, stockAdjustments } from "../../../platform/db/schema.ts";
import { foldedWords, searchedTexts } from "../../../platform/db/search-words.ts";
import { driverValue, insertSelected, nextVersion, precondition } from "../../../platform/db/statements.ts";
import { createTags, tagsAs } from "../../../platform/db/tags.ts";
import { keepChanges, type Work } from "../../../platform/jobs/run-slice.ts";
import { UNDO_DAYS } from "../../../platform/jobs/schemas.ts";
import { jsonRows, unusedId } from "../row-writes.ts";
import { insertCategories } from "./insert-categories.ts";
import { type ChangedProduct, type CreatedProduct, type ProductPlan, stateShown } from "./plan.ts";
import { followRelated, type ImportedProduct, importedStateOf, keepMoments, markRelated } from "./variants.ts";

const columns = getTableColumns(products);

/** The columns of a product that an import sets. */
const written = [...columnNames(productFields), ...(["optionValues", "inherits", "ownStatus"] as const)].flatMap(
  (key) => (key === "fileIds" ? [] : [{ column: columns[key], key }]),
);

const { foldedWords: foldedColumn, tagIds } = columns;
const writtenNames: string[] = [...written.map(({ column }) => column.name), foldedColumn.name, tagIds.name];

/** Returns a product's columns, as statements take them from JSON. */
const columnsOf = (state: Omit<ImportedProduct, "parentSku">): Record<string, unknown> => ({
  ...Object.fromEntries(written.map(({ column, key }) => [column.name, driverValue(column, state[key])])),
  [foldedColumn.name]: foldedWords(searchedTexts.products(state)),
  [tagIds.name]: JSON.stringify(withFolded(state.tags)),
});

/** The value of a column in a row of `json_each`. */
const valueIn = (name: string): SQL => sql.raw(`each.value ->> '$.${name}'`);

/** Time for which an undo needs the earlier values. The job ends after its slices, and so does the undo. */
const UNDOABLE_MS = (UNDO_DAYS + 1) * 24 * 60 * 60_000;

const names = sql.raw(writtenNames.join(", "));
const newCategory = sql`(SELECT ${categories.id} FROM ${categories} WHERE ${categories.slug} = each.value ->> 'newCategory')`;

/** The values of the columns in order. A category created just before is looked up. */
const valuesWith = (special: Record<string, SQL>): SQL =>
  sql.join(
    writtenNames.map((name) => special[name] ?? valueIn(name)),
    sql`, `,
  );
const lookedUp = {
  category_id: sql`coalesce(${newCategory}, ${valueIn("category_id")})`,
  tags: tagsAs("name", valueIn("tag_ids")),
  tag_ids: tagsAs("id", valueIn("tag_ids")),
};

/** Returns the statements that write a slice's plan. */
export function writeProducts(work: Work, { plan }: { plan: ProductPlan }): SQL[] {
  const { job } = work;
  const rows = [...plan.created, ...plan.changed];
  const parents = rows.flatMap(({ state: { parentSku } }) => parentSku ?? []);
  const changed = plan.changed.flatMap(({ product }) => (product.options.length > 0 ? [product.id] : []));
  const hasVariants = parents.length + changed.length > 0;
  const written = rows.map(({ state: { sku } }) => sku);
  const writtenParents = written.filter((sku) => parents.includes(sku));
  return [
    ...(hasVariants ? [markRelated(job.id, sql`${idsBySku(parents)} UNION ALL ${variantIds(changed)}`)] : []),
    ...insertCategories(work, plan.categories),
    createTags(distinctTags(rows.flatMap(({ state }) => state.tags))),
    // Products get their values first, because variants may use them.
    ...updateProducts(work, plan.changed),
    ...insertProducts(work, plan.created),
    ...(plan.adjusted.length > 0 ? adjustmentWrites(work, plan.adjusted) : []),
    ...(hasVariants ? [keepMoments(job, idsBySku(writtenParents)), followRelated(job.id, idsBySku(written))] : []),
  ];
}

/** Selects the ids of the variants of some products. */
export const variantIds = (parentIds: number[]): SQL =>
  sql`SELECT id FROM products WHERE parent_id IN (SELECT value FROM json_each(${JSON.stringify(parentIds)}))`;

const idsBySku = (skus: string[]): SQL =>
  sql`SELECT id FROM products WHERE sku IN (SELECT value FROM json_each(${JSON.stringify(skus)}))`;

const bySku = sql`${products} ON ${products.sku} = each.value ->> 'sku'`;
const byId = sql`${products} ON ${products.id} = each.value ->> 'id'`;
const after = sql`iif(each.value ->> 'newCategory' IS NULL, each.value -> 'after',
  json_set(each.value -> 'after', '$.category_id', ${products.categoryId}))`;

function insertProducts({ job, author }: Work, rows: CreatedProduct[]): SQL[] {
  if (rows.length === 0) return [];
  const runs = runsOf(rows).map((run) =>
    run.map(({ id, state, newCategory, createdAt, updatedAt }) => ({
      id,
      newCategory,
      createdAt,
      updatedAt,
      parentSku: state.parentSku,
      ...columnsOf(state),
    })),
  );
  const files = rows.flatMap(({ state: { sku, fileIds, inherits } }) =>
    inherits.includes("file_ids") ? [] : fileIds.map((fileId) => ({ sku, fileId })),
  );
  const states = rows.map(({ newCategory, state }) => ({ sku: state.sku, newCategory, after: stateShown(state) }));
  const made = rows.map(({ state, updatedAt }) => ({ sku: state.sku, version: updatedAt }));
  return [
    ...runs.map(
      (run) => sql`INSERT INTO products (id, ${names}, parent_id, created_at, updated_at)
      SELECT ${unusedId("products")}, ${valuesWith(lookedUp)}, ${parentId}, each.value ->> 'createdAt', each.value ->> 'updatedAt' FROM ${jsonRows(run)}`,
    ),
    ...grantFiles(files),
    auditStates(
      { author },
      {
        subject: "product",
        action: "create",
        id: sql`${products.id}`,
        after,
        from: sql`FROM ${jsonRows(states)} JOIN ${bySku}`,
      },
    ),
    keepChanges(
      job.id,
      sql`(SELECT json_group_array(json_object('subjectId', ${products.id}, 'version', each.value ->> 'version'))
        FROM ${jsonRows(made)} JOIN ${bySku})`,
    ),
  ];
}

const parentId = sql`(SELECT parent.id FROM products AS parent WHERE parent.sku = each.value ->> 'parentSku')`;

/**
 * Rows that one statement can insert. None is a variant of another, whose id it would not see. They are sorted, so that
 * ids are preserved.
 */
function runsOf(rows: CreatedProduct[]): CreatedProduct[][] {
  const runs: CreatedProduct[][] = [];
  let skus = new Set<string>();
  for (const row of rows) {
    const { sku, parentSku } = row.state;
    const run = runs.at(-1);
    if (run && !skus.has(parentSku ?? "")) run.push(row);
    else {
      runs.push([row]);
      skus = new Set();
    }
    skus.add(sku);
  }
  return runs;
}

const grantFiles = (rows: { sku: string; fileId: number }[]): SQL[] =>
  rows.length === 0
    ? []
    : [
        insertSelected(
          productFiles,
          { productId: products.id, fileId: sql`each.value ->> 'fileId'` },
          sql`FROM ${jsonRows(rows)} JOIN ${bySku}`,
        ),
      ];

/** Refuses the slice if one of the products was edited or deleted since it was read. */
export const productsUnchangedSince = (rows: { id: number; version: number }[]): SQL =>
  precondition(sql`(
    SELECT count(*) = ${rows.length} FROM ${jsonRows(rows)} JOIN ${byId} AND ${products.updatedAt} = each.value ->> 'version')`);

function updateProducts({ db, job, author }: Work, rows: ChangedProduct[]): SQL[] {
  if (rows.length === 0) return [];
  const full = rows.map(({ product, state, newCategory, stockDelta, before, after: shown }) => ({
    id: product.id,
    sku: product.sku,
    newCategory,
    stockDelta,
    before,
    after: shown,
    version: nextVersion(product, author.now),
    ...columnsOf(state),
  }));
  const adjusted = full.filter(({ stockDelta }) => stockDelta !== null && stockDelta !== 0);
  const changes = rows.map(({ product, stockDelta }) => ({
    subjectId: product.id,
    before: {
      ...columnsOf(importedStateOf(product, null)),
      stockDelta,
      fileIds: inheritsFiles(product) ? null : product.files.map(({ id }) => id),
    },
    version: nextVersion(product, author.now),
  }));
  return [
    productsUnchangedSince(rows.map(({ product }) => ({ id: product.id, version: product.updatedAt }))),
    ...setProducts(full),
    keepImages(
      db,
      rows.flatMap(({ product }) => product.images.map(({ url }) => url)),
      author.now + UNDOABLE_MS,
    ),
    ...adjustImportedStock({ author }, { rows: adjusted, reason: `Import, job ${job.id}` }),
    ...replaceFiles(
      rows.flatMap(({ product: { id }, state }) => (inheritsFiles(state) ? [] : [{ id, fileIds: state.fileIds }])),
    ),
    auditStates(
      { author },
      {
        subject: "product",
        action: "update",
        id: sql`${products.id}`,
        before: sql`each.value -> 'before'`,
        after,
        from: sql`FROM ${jsonRows(full)} JOIN ${byId}`,
      },
    ),
    keepChanges(job.id, JSON.stringify(changes)),
  ];
}

/** Triggers keep the files that a variant inherits. */
const inheritsFiles = ({ inherits }: { inherits: string[] }): boolean => inherits.includes("file_ids");

const keptStock = sql`iif(each.value ->> 'stockDelta' IS NULL, ${valueIn("stock_quantity")}, ${products.stockQuantity})`;

/** Keeps the options of a product if its variants have values that the new options lack. */
const keptOptions = sql`iif(EXISTS (
  SELECT 1 FROM products AS variant, json_each(variant.option_values) AS chosen
  WHERE variant.parent_id = products.id AND NOT EXISTS (
    SELECT 1 FROM json_each(${valueIn("options")}) AS option, json_each(option.value -> 'values') AS known
    WHERE option.value ->> 'name' = chosen.value ->> 'name' AND known.value = chosen.value ->> 'value')
), products.options, ${valueIn("options")})`;

type SetProduct = { id: number; option_values?: unknown };

/** Updates existing products, then variants, whose values their products must have. Stock with a delta moves by an adjustment instead. */
export const setProducts = (rows: SetProduct[]): SQL[] =>
  [rows.filter((row) => !isVariantRow(row)), rows.filter(isVariantRow)]
    .filter((some) => some.length > 0)
    .map(
      (some) => sql`
  UPDATE products SET (${names}, updated_at) = (SELECT ${valuesWith({ ...lookedUp, stock_quantity: keptStock, options: keptOptions })},
    max(each.value ->> 'version', products.updated_at + 1))
  FROM ${jsonRows(some)} WHERE products.id = each.value ->> 'id'`,
    );

const isVariantRow = ({ option_values: values = "[]" }: SetProduct): boolean => values !== "[]";

/** Adjusts stock, with the reason. */
export const adjustImportedStock = (
  { author }: Pick<WriteContext, "author">,
  { rows, reason }: { rows: { id: number; stockDelta: number | null }[]; reason: string },
): SQL[] =>
  rows.length === 0
    ? []
    : [
        insertSelected(
          stockAdjustments,
          {
            productId: sql`each.value ->> 'id'`,
            delta: sql`each.value ->> 'stockDelta'`,
            reason,
            actor: author.actor,
            createdAt: author.now,
          },
          sql`FROM ${jsonRows(rows)}`,
        ),
      ];
