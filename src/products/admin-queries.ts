import { eq, type SQL, sql } from "drizzle-orm";
import type { Entry } from "../audit/entry.ts";
import { auditEntry } from "../audit/queries.ts";
import type { Author } from "../auth/author.ts";
import { type Database, requireFirst, requireRow, writeThenRead } from "../db/client.ts";
import { json } from "../db/json.ts";
import { nextVersion, unchanged } from "../db/precondition.ts";
import { products } from "../db/schema.ts";
import { translateViolations } from "../db/violation.ts";
import { badRequest, conflict, fieldError } from "../errors.ts";
import { editedMeanwhile } from "../http/version.ts";
import { writeOnce } from "../idempotency/queries.ts";
import type { NewProductRow, ProductChange, toColumns } from "./admin-schemas.ts";
import { belowHeld, countOrderedUnits } from "./held-queries.ts";
import { productAsJson, selectProducts } from "./queries.ts";
import type { ProductRow } from "./schemas.ts";

/** What a change writes: columns, and the files that the product grants where those change. */
type ProductWrite = { columns: ReturnType<typeof toColumns>; fileIds: number[] | undefined };

const taken = {
  "products.slug": () => badRequest(fieldError("slug", "slug_taken", "belongs to another product")),
  "products.sku": () => badRequest(fieldError("sku", "sku_taken", "belongs to another product")),
};

const productById = (db: Database, id: number) => selectProducts(db, "all").where(eq(products.id, id));

/** A product as administrators see it, with files that are not published too. */
export const findAnyProduct = (db: Database, id: number): Promise<ProductRow | undefined> => productById(db, id).get();

/** What a write refers to and does not find: a category, and files by their place in the list. */
export type References = { category: number | null; files: [index: number, id: number][]; slugTaken: boolean };

const references = (db: Database, { category_id = null, file_ids = [] }: ProductChange, slug: string | null) =>
  db
    .select({
      category: sql<number | null>`(SELECT ${category_id} WHERE ${category_id} NOT IN (SELECT id FROM categories))`,
      files: json<References["files"]>(sql`(
        SELECT json_group_array(json_array(key, value)) FROM json_each(${JSON.stringify(file_ids)})
        WHERE value NOT IN (SELECT id FROM files)
      )`),
      slugTaken: sql`EXISTS (SELECT 1 FROM products WHERE slug = ${slug})`.mapWith(Boolean),
    })
    .from(sql`(SELECT 1)`);

/** Looks up what a new product refers to, and whether its slug is free. */
export async function findReferences(db: Database, sent: ProductChange, slug: string): Promise<References> {
  return requireFirst(await references(db, sent, slug));
}

/** A product with what a change of it refers to, in one round trip. */
export async function findForChange(db: Database, id: number, sent: ProductChange) {
  const [[product], found] = await db.batch([productById(db, id), references(db, sent, null)]);
  return { product, found: requireFirst(found) };
}

const grantFiles = (product: SQL, fileIds: number[]): SQL => sql`
  INSERT INTO product_files (product_id, file_id)
  SELECT ${product}, value FROM json_each(${JSON.stringify(fileIds)}) GROUP BY value`;

/** Writes a product with its files and its line in the audit log. */
export async function insertProduct(
  db: Database,
  row: NewProductRow,
  fileIds: number[],
  author: Author,
  entry: Entry,
): Promise<ProductRow> {
  const id = sql`(SELECT id FROM products WHERE slug = ${row.slug})`;
  const writes = [
    db
      .insert(products)
      .values({ ...row, createdAt: author.now, updatedAt: author.now })
      .getSQL(),
    grantFiles(id, fileIds),
    auditEntry(author, entry, id),
  ];
  const answer = sql`(SELECT ${productAsJson} FROM products WHERE slug = ${row.slug})`;
  return requireRow(await translateViolations(writeOnce<ProductRow>(db, author, writes, answer), taken));
}

/** Writes what changed, unless the product was edited since `before` was read. */
export async function updateProduct(
  db: Database,
  before: ProductRow,
  { columns, fileIds }: ProductWrite,
  author: Author,
  entry: Entry,
): Promise<ProductRow> {
  const { id } = before;
  const writes = [
    unchanged("products", before),
    db
      .update(products)
      .set({ ...columns, updatedAt: nextVersion(before, author.now) })
      .where(eq(products.id, id))
      .getSQL(),
    ...(fileIds ? [sql`DELETE FROM product_files WHERE product_id = ${id}`, grantFiles(sql`${id}`, fileIds)] : []),
    auditEntry(author, entry, id),
  ];
  const written = writeThenRead(db, writes, productById(db, id));
  const stock_not_negative = async () => belowHeld("stock_quantity", await countOrderedUnits(db, id));
  return requireFirst(await translateViolations(written, { ...taken, ...editedMeanwhile, stock_not_negative }));
}

/** Deletes a product that was never sold; one that orders refer to cannot be deleted. */
export async function deleteProduct(db: Database, product: ProductRow, author: Author, entry: Entry): Promise<void> {
  const writes = [
    unchanged("products", product),
    sql`DELETE FROM products WHERE id = ${product.id}`,
    auditEntry(author, entry, product.id),
  ];
  await translateViolations(writeThenRead(db, writes, productById(db, product.id)), {
    "FOREIGN KEY": () => conflict("in_use", "The product was sold: set its status to draft to take it from the shop"),
    ...editedMeanwhile,
  });
}
