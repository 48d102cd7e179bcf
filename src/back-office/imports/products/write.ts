import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { keepImages } from "../../../catalogue/images/public.ts";
import { type EditableProduct, productFields } from "../../../catalogue/products/public.ts";
import type { Author } from "../../../platform/auth/author.ts";
import type { Database } from "../../../platform/db/client.ts";
import { nextVersion } from "../../../platform/db/precondition.ts";
import { products } from "../../../platform/db/schema.ts";
import { foldedWords, searchedTexts } from "../../../platform/db/search-words.ts";
import type { Work } from "../../../platform/jobs/kind.ts";
import { keepChanges } from "../../../platform/jobs/run-slice.ts";
import { type JobRow, UNDO_DAYS } from "../../../platform/jobs/schemas.ts";
import { unusedId } from "../planned.ts";
import type { NewCategories } from "./found.ts";
import { type ChangedRow, type CreatedRow, type Plan, stateShown } from "./plan.ts";

const columns = getTableColumns(products);

/** The editable columns of a product. */
const written = Object.values(productFields).flatMap(({ column }) =>
  column === "fileIds" ? [] : [{ column: columns[column], key: column }],
);

const writtenNames: string[] = [...written.map(({ column }) => column.name), columns.foldedWords.name];

/** Returns a product's columns, as statements take them from JSON. */
const columnsOf = (state: EditableProduct): Record<string, unknown> => ({
  ...Object.fromEntries(written.map(({ column, key }) => [column.name, column.mapToDriverValue(state[key])])),
  [columns.foldedWords.name]: foldedWords(searchedTexts.products(state)),
});

/** The value of a column in a row of `json_each`. */
const valueIn = (name: string): SQL => sql.raw(`each.value ->> '$.${name}'`);

/** How long an undo may need the earlier values: the job ends after its slices, and so does the undo. */
const UNDOABLE_MS = (UNDO_DAYS + 1) * 24 * 60 * 60_000;

// Each statement writes one table for all rows of a slice, passed as one JSON parameter.

const names = sql.raw(writtenNames.join(", "));
const rowsOf = (rows: unknown[]): SQL => sql`json_each(${JSON.stringify(rows)}) AS each`;
const newCategory = sql`(SELECT id FROM categories WHERE slug = each.value ->> 'newCategory')`;

/** The values of the columns in order. A category created just before is looked up. */
const valuesWith = (special: Record<string, SQL>): SQL =>
  sql.join(
    writtenNames.map((name) => special[name] ?? valueIn(name)),
    sql`, `,
  );
const category = { category_id: sql`coalesce(${newCategory}, ${valueIn("category_id")})` };

/** Returns the statements that write a slice's plan. */
export const writePlan = ({ categories, created, changed }: Plan, { db, job, author }: Work): SQL[] => [
  ...insertCategories(categories, author),
  ...insertProducts(created, job, author),
  ...updateProducts(db, changed, job, author),
];

function insertCategories(categories: NewCategories, author: Author): SQL[] {
  if (categories.size === 0) return [];
  const rows = [...categories.values()];
  return [
    sql`INSERT INTO categories (id, name, slug, created_at, updated_at)
      SELECT ${unusedId("categories")}, each.value ->> 'name',
        each.value ->> 'slug', ${author.now}, ${author.now}
      FROM ${rowsOf(rows)}`,
    logged(author, "category", "create", rows, {
      join: sql`categories ON slug = each.value ->> 'slug'`,
      id: sql`categories.id`,
      before: sql`NULL`,
      after: sql`json_object('name', name, 'slug', slug)`,
    }),
  ];
}

type Logged = { join: SQL; id: SQL; before: SQL; after: SQL };

const logged = (
  author: Author,
  subject: string,
  action: string,
  rows: unknown[],
  { join, id, before, after }: Logged,
) => sql`
  INSERT INTO audit_log (at, actor, address, action, subject, subject_id, before, after, request_id)
  SELECT ${author.now}, ${author.actor}, NULL, ${`${subject}.${action}`}, ${subject}, ${id}, ${before}, ${after},
    ${author.requestId} FROM ${rowsOf(rows)} JOIN ${join}`;

const bySku = sql`products ON products.sku = each.value ->> 'sku'`;
const after = sql`iif(each.value ->> 'newCategory' IS NULL, each.value -> 'after',
  json_set(each.value -> 'after', '$.category_id', products.category_id))`;

function insertProducts(rows: CreatedRow[], job: JobRow, author: Author): SQL[] {
  if (rows.length === 0) return [];
  const full = rows.map(({ id, state, newCategory, createdAt, updatedAt }) => ({
    ...{ id, newCategory, createdAt, updatedAt },
    ...columnsOf(state),
  }));
  const files = rows.flatMap(({ state: { sku, fileIds } }) => fileIds.map((fileId) => ({ sku, fileId })));
  const states = rows.map(({ newCategory, state }) => ({ sku: state.sku, newCategory, after: stateShown(state) }));
  const made = rows.map(({ state, updatedAt }) => ({ sku: state.sku, version: updatedAt }));
  return [
    sql`INSERT INTO products (id, ${names}, created_at, updated_at)
      SELECT ${unusedId("products")}, ${valuesWith(category)}, each.value ->> 'createdAt', each.value ->> 'updatedAt' FROM ${rowsOf(full)}`,
    ...grantFiles(files),
    logged(author, "product", "create", states, { join: bySku, id: sql`products.id`, before: sql`NULL`, after }),
    keepChanges(
      job.id,
      sql`(SELECT json_group_array(json_object('subjectId', products.id, 'version', each.value ->> 'version'))
        FROM ${rowsOf(made)} JOIN ${bySku})`,
    ),
  ];
}

const grantFiles = (rows: { sku: string; fileId: number }[]): SQL[] =>
  rows.length === 0
    ? []
    : [
        sql`INSERT INTO product_files (product_id, file_id)
          SELECT products.id, each.value ->> 'fileId' FROM ${rowsOf(rows)} JOIN ${bySku}`,
      ];

/** Refuses the slice if one of the products was edited or deleted since it was read. */
export const unchangedSince = (rows: { id: number; version: number }[]): SQL => sql`
  INSERT INTO preconditions (holds) SELECT count(*) = ${rows.length} FROM ${rowsOf(rows)}
  JOIN products ON products.id = each.value ->> 'id' AND products.updated_at = each.value ->> 'version'`;

function updateProducts(db: Database, rows: ChangedRow[], job: JobRow, author: Author): SQL[] {
  if (rows.length === 0) return [];
  const full = rows.map(({ product, state, newCategory, stockDelta, before, after: shown }) => ({
    ...{ id: product.id, sku: product.sku, newCategory, stockDelta, before, after: shown },
    version: nextVersion(product, author.now),
    ...columnsOf(state),
  }));
  const adjusted = full.filter(({ stockDelta }) => stockDelta !== null && stockDelta !== 0);
  const changes = rows.map(({ product, stockDelta }) => ({
    subjectId: product.id,
    before: { ...columnsOf(stateOf(product)), stockDelta, fileIds: product.files.map(({ id }) => id) },
    version: nextVersion(product, author.now),
  }));
  return [
    unchangedSince(rows.map(({ product }) => ({ id: product.id, version: product.updatedAt }))),
    setProducts(full),
    keepImages(
      db,
      rows.flatMap(({ product }) => product.images.map(({ url }) => url)),
      author.now + UNDOABLE_MS,
    ),
    ...adjustStock(adjusted, `Import, job ${job.id}`, author),
    ...replaceFiles(rows.map(({ product, state }) => ({ id: product.id, fileIds: state.fileIds }))),
    logged(author, "product", "update", full, {
      ...{ join: sql`products ON products.id = each.value ->> 'id'`, id: sql`products.id` },
      ...{ before: sql`each.value -> 'before'`, after },
    }),
    keepChanges(job.id, JSON.stringify(changes)),
  ];
}

const stateOf = ({ files, ...product }: ChangedRow["product"]) => ({ ...product, fileIds: files.map(({ id }) => id) });

const keptStock = sql`iif(each.value ->> 'stockDelta' IS NULL, ${valueIn("stock_quantity")}, products.stock_quantity)`;

/** Updates existing products. Stock with a delta moves by an adjustment instead. */
export const setProducts = (rows: unknown[]): SQL => sql`
  UPDATE products SET (${names}, updated_at) = (SELECT ${valuesWith({ ...category, stock_quantity: keptStock })}, each.value ->> 'version')
  FROM ${rowsOf(rows)} WHERE products.id = each.value ->> 'id'`;

/** Adjusts stock, with the reason. */
export const adjustStock = (
  rows: { id: number; stockDelta: number | null }[],
  reason: string,
  author: Author,
): SQL[] =>
  rows.length === 0
    ? []
    : [
        sql`INSERT INTO stock_adjustments (product_id, delta, reason, actor, created_at)
          SELECT each.value ->> 'id', each.value ->> 'stockDelta', ${reason}, ${author.actor}, ${author.now}
          FROM ${rowsOf(rows)}`,
      ];

/** Makes products grant exactly these files. */
export function replaceFiles(rows: { id: number; fileIds: number[] }[]): SQL[] {
  const granted = rows.flatMap(({ id, fileIds }) => fileIds.map((fileId) => ({ id, fileId })));
  return [
    sql`DELETE FROM product_files WHERE product_id IN (SELECT value FROM json_each(${JSON.stringify(rows.map(({ id }) => id))}))`,
    sql`INSERT INTO product_files (product_id, file_id)
      SELECT each.value ->> 'id', each.value ->> 'fileId' FROM ${rowsOf(granted)}`,
  ];
}
