import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { difference, type Entry } from "../audit/entry.ts";
import { auditEntry } from "../audit/queries.ts";
import type { Author } from "../auth/author.ts";
import { type Database, requireFirst, requireRow, writeThenRead } from "../db/client.ts";
import { json, jsonRow } from "../db/json.ts";
import { type PageOf, readPage } from "../db/page.ts";
import { nextVersion, unchanged } from "../db/precondition.ts";
import { type FileFacts, files, replacedVersions } from "../db/schema.ts";
import { translateViolations } from "../db/violation.ts";
import { badRequest, conflict, fieldError } from "../errors.ts";
import { limitAndOffset } from "../http/pagination.ts";
import { editedMeanwhile } from "../http/version.ts";
import { writeOnce } from "../idempotency/queries.ts";
import { type AdminFileRow, auditedState, auditedStateOfRow, type FilesQuery } from "./admin-schemas.ts";
import { LINK_MS } from "./link.ts";
import { attachObject, detachObject, uploadExpired } from "./orphaned-object-queries.ts";
import type { Content } from "./store.ts";

/** Longer than a link lives: a slow stream that began on its last moment is to come to its end. */
const REPLACED_MS = LINK_MS + 50 * 60 * 1000;

const productMissing = {
  "FOREIGN KEY": () =>
    badRequest(fieldError("product_ids", "unknown_reference", "names a product that does not exist")),
};

const productIds = json<number[]>(
  sql`(SELECT json_group_array(product_id ORDER BY product_id) FROM product_files WHERE file_id = files.id)`,
);

const selectAll = (db: Database) => db.select({ ...getTableColumns(files), productIds }).from(files);

const fileAsJson = jsonRow(getTableColumns(files), { productIds });

const byId = (db: Database, id: number) => selectAll(db).where(eq(files.id, id));

/** Whether published or not. */
export const findAnyFile = (db: Database, id: number): Promise<AdminFileRow | undefined> => byId(db, id).get();

/** A page of all files, newest first, and how many there are, in one round trip. */
export function listAllFiles(db: Database, query: FilesQuery): Promise<PageOf<AdminFileRow>> {
  const { search, access, published } = query;
  const contains = (column: string) => sql`instr(lower(${sql.identifier(column)}), lower(${search})) > 0`;
  const where = and(
    search ? sql`(${contains("name")} OR ${contains("file_name")})` : undefined,
    access && eq(files.access, access),
    published === undefined ? undefined : sql`(published_at IS NOT NULL) = ${published}`,
  );
  const { limit, offset } = limitAndOffset(query);
  const rows = selectAll(db).where(where).orderBy(desc(files.createdAt), desc(files.id)).limit(limit).offset(offset);
  return readPage(db, rows, files, where);
}

/** Of a list of products those that do not exist, by their place in it. */
export async function findMissingProducts(db: Database, ids: number[]): Promise<[index: number, id: number][]> {
  const missing = db
    .select({
      products: json<[number, number][]>(sql`(
        SELECT json_group_array(json_array(key, value)) FROM json_each(${JSON.stringify(ids)})
        WHERE value NOT IN (SELECT id FROM products)
      )`),
    })
    .from(sql`(SELECT 1)`);
  return requireFirst(await missing).products;
}

/** The statements that hang a file on just these products; who edits one of them meanwhile is told. */
const sellWith = (file: SQL, productIds: number[], { now }: Author): SQL[] => {
  const wanted = sql`(SELECT value FROM json_each(${JSON.stringify(productIds)}))`;
  const held = sql`(SELECT product_id FROM product_files WHERE file_id = ${file})`;
  return [
    sql`
      UPDATE products SET updated_at = max(updated_at + 1, ${now})
      WHERE (id IN ${wanted} OR id IN ${held}) AND NOT (id IN ${wanted} AND id IN ${held})`,
    sql`DELETE FROM product_files WHERE file_id = ${file} AND product_id NOT IN ${wanted}`,
    sql`
      INSERT INTO product_files (product_id, file_id)
      SELECT value, ${file} FROM json_each(${JSON.stringify(productIds)}) WHERE TRUE ON CONFLICT DO NOTHING`,
  ];
};

/** Inserts a file for a stored object, which is no orphan from then on. */
export async function insertFile(
  db: Database,
  content: Content,
  facts: FileFacts,
  author: Author,
  also: SQL[] = [],
): Promise<AdminFileRow> {
  const { productIds, published, ...columns } = facts;
  const { now } = author;
  const id = sql`(SELECT id FROM files WHERE r2_key = ${content.r2Key})`;
  const after = auditedState(facts, { ...content, version: 1 });
  const row = { ...columns, ...content, publishedAt: published ? now : null, createdAt: now, updatedAt: now };
  const writes = [
    ...attachObject(content.r2Key),
    db.insert(files).values(row).getSQL(),
    ...sellWith(id, productIds, author),
    auditEntry(author, { action: "create", subject: "file", before: null, after }, id),
    ...also,
  ];
  const answer = sql`(SELECT ${fileAsJson} FROM files WHERE id = ${id})`;
  const written = writeOnce<AdminFileRow>(db, author, writes, answer);
  return requireRow(await translateViolations(written, { ...productMissing, ...uploadExpired }));
}

/** Replaces the content of a file. The earlier version stays for the links that were made to it. */
export async function insertVersion(
  db: Database,
  before: AdminFileRow,
  content: Content,
  author: Author,
  also: SQL[] = [],
): Promise<AdminFileRow> {
  const { id, version, fileName, mimeType, sizeBytes, sha256, r2Key } = before;
  const states = difference(
    auditedStateOfRow(before),
    auditedStateOfRow({ ...before, ...content, version: version + 1 }),
  );
  const writes = [
    unchanged("files", before),
    ...attachObject(content.r2Key),
    db
      .update(files)
      .set({ ...content, version: version + 1, updatedAt: nextVersion(before, author.now) })
      .where(eq(files.id, id))
      .getSQL(),
    detachObject(r2Key, Date.now() + REPLACED_MS),
    db.insert(replacedVersions).values({ fileId: id, version, fileName, mimeType, sizeBytes, sha256, r2Key }).getSQL(),
    auditEntry(author, { action: "add_version", subject: "file", ...states }, id),
    ...also,
  ];
  const answer = sql`(SELECT ${fileAsJson} FROM files WHERE id = ${id})`;
  return requireRow(await translateViolations(writeOnce<AdminFileRow>(db, author, writes, answer), editedMeanwhile));
}

type FileColumns = {
  [Name in "name" | "description" | "fileName" | "access" | "publishedAt"]: AdminFileRow[Name] | undefined;
};

/** Writes what changed, unless the file was edited since `before` was read. */
export async function updateFile(
  db: Database,
  before: AdminFileRow,
  columns: FileColumns,
  productIds: number[] | undefined,
  author: Author,
  entry: Entry,
): Promise<AdminFileRow> {
  const { id } = before;
  const writes = [
    unchanged("files", before),
    db
      .update(files)
      .set({ ...columns, updatedAt: nextVersion(before, author.now) })
      .where(eq(files.id, id))
      .getSQL(),
    ...(productIds ? sellWith(sql`${id}`, productIds, author) : []),
    auditEntry(author, entry, id),
  ];
  return requireFirst(
    await translateViolations(writeThenRead(db, writes, byId(db, id)), { ...productMissing, ...editedMeanwhile }),
  );
}

/** Deletes a file that no package holds; its object goes with the schedule's next run. */
export async function deleteFile(db: Database, file: AdminFileRow, author: Author, entry: Entry): Promise<void> {
  const { id, r2Key } = file;
  const writes = [
    unchanged("files", file),
    ...sellWith(sql`${id}`, [], author),
    sql`DELETE FROM files WHERE id = ${id}`,
    detachObject(r2Key, author.now),
    auditEntry(author, entry, id),
  ];
  await translateViolations(writeThenRead(db, writes, byId(db, id)), {
    "FOREIGN KEY": () => conflict("in_use", "Download packages hold the file: unpublish it to take it from everyone"),
    ...editedMeanwhile,
  });
}
