import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { badRequest, fieldError } from "../../domain/errors.ts";
import type { AuditedTable, Creation } from "../../platform/administration/write-queries.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import { type Database, requireFirst } from "../../platform/db/client.ts";
import { json, jsonRow } from "../../platform/db/json.ts";
import {
  allOf,
  type Conditions,
  idsFound,
  isChosen,
  limitOf,
  newestFound,
  type PageOf,
  readFollowing,
  readPage,
  type Which,
} from "../../platform/db/page.ts";
import { type FileFacts, files, productFiles, products, replacedVersions } from "../../platform/db/schema.ts";
import { foldedBySearch, searchedTexts } from "../../platform/db/search-words.ts";
import { insertSelected, updateRows, versionAfter } from "../../platform/db/statements.ts";
import { hasCursor } from "../../platform/http/pagination.ts";
import { type AdminFileRow, type AuditedFile, type FileFilters, type FilesQuery, fileState } from "./admin-schemas.ts";
import { LINK_MS } from "./delivery/downloads.ts";
import { attachObject, detachObject, uploadExpired } from "./orphaned-objects.ts";
import type { StoredContent } from "./store.ts";

/** Longer than the lifetime of a link, so that a slow download started at its end can finish. */
const REPLACED_MS = LINK_MS + 50 * 60 * 1000;

const productIds = json<number[]>(
  sql`(SELECT json_group_array(product_id ORDER BY product_id) FROM product_files WHERE file_id = files.id AND NOT inherited)`,
);

const selectAll = (db: Database) => db.select({ ...getTableColumns(files), productIds }).from(files);

const fileAsJson = jsonRow<AdminFileRow>(getTableColumns(files), { productIds });

const byId = (db: Database, id: number) => selectAll(db).where(eq(files.id, id));

/** Finds a file, published or not. */
export const findAnyFile = (db: Database, id: number): Promise<AdminFileRow | undefined> => byId(db, id).get();

function conditions({ access, published }: FileFilters, found: SQL | undefined): SQL | undefined {
  const conditions = {
    access: access && eq(files.access, access),
    published: published === undefined ? undefined : sql`(${files.publishedAt} IS NOT NULL) = ${published}`,
  } satisfies Conditions<FileFilters, "search">;
  return and(found, allOf(conditions));
}

/** Ids of the files that match a search, up to `limit` after `after`. */
export const idsOfFileSearch = (db: Database, search: string, after: number, limit: number) =>
  idsFound(db, { table: sql`files_search`, search }, after, limit);

/** Reads files in the order of ids: those after an id, or those with the given ids. */
export const walkFiles = (db: Database, query: FileFilters, which: Which): Promise<AdminFileRow[]> =>
  selectAll(db)
    .where(conditions(query, isChosen(files.id, which)))
    .orderBy(files.id)
    .limit(limitOf(which))
    .all();

/** Lists all files, newest first, with the total, in one round trip. */
export function adminListFiles(db: Database, query: FilesQuery): Promise<PageOf<AdminFileRow>> {
  const found = query.search ? newestFound(sql`files_search`, query.search) : undefined;
  const where = conditions(query, found && sql`${files.id} IN (${found})`);
  if (hasCursor(query)) {
    const columns = { id: files.id, changedAt: files.updatedAt, read: ({ updatedAt }: AdminFileRow) => updatedAt };
    return readFollowing(db, query, columns, (isAfter, order) =>
      selectAll(db)
        .where(and(where, isAfter))
        .orderBy(...order),
    );
  }
  const rows = selectAll(db).where(where).orderBy(desc(files.createdAt), desc(files.id));
  return readPage(db, query, rows, files, where, found);
}

/** Finds the products of a list that do not exist, with their index in the list. */
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

/**
 * Returns the statements that make exactly these products grant a file. Each affected product gets a new version, so
 * concurrent edits conflict.
 */
const sellWith = (
  { author: { now } }: Pick<WriteContext, "author">,
  { file, productIds }: { file: SQL; productIds: number[] },
): SQL[] => {
  const wanted = sql`(SELECT value FROM json_each(${JSON.stringify(productIds)}))`;
  const { productId, fileId } = productFiles;
  const held = sql`(SELECT ${productId} FROM ${productFiles} WHERE ${eq(fileId, file)} AND NOT ${productFiles.inherited})`;
  const [isWanted, isHeld] = [sql`${products.id} IN ${wanted}`, sql`${products.id} IN ${held}`];
  const affected = sql`(${isWanted} OR ${isHeld}) AND NOT (${isWanted} AND ${isHeld})`;
  const missing = sql`FROM json_each(${JSON.stringify(productIds)}) WHERE TRUE ON CONFLICT DO UPDATE SET inherited = FALSE`;
  return [
    updateRows(products, { updatedAt: versionAfter(now) }, affected),
    sql`DELETE FROM ${productFiles} WHERE ${eq(fileId, file)} AND NOT ${productFiles.inherited} AND ${productId} NOT IN ${wanted}`,
    insertSelected(productFiles, { productId: sql`value`, fileId: file }, missing),
  ];
};

export const auditedFiles: AuditedTable<AdminFileRow, AuditedFile> = {
  table: files,
  name: "files",
  subject: "file",
  json: fileAsJson,
  audited: fileState,
  folded: foldedBySearch(searchedTexts.files),
  refusals: {
    ...uploadExpired,
    "FOREIGN KEY": () =>
      badRequest(fieldError("product_ids", "unknown_reference", "names a product that does not exist")),
  },
};

/** Creates a file for a stored object, which stops being an orphan. */
export function newFile(
  ctx: Pick<WriteContext, "author">,
  { content, facts, also = [] }: { content: StoredContent; facts: FileFacts; also?: SQL[] },
): Creation<AuditedFile> {
  const { productIds, published, ...columns } = facts;
  const row = { ...columns, ...content, version: 1, publishedAt: published ? ctx.author.now : null };
  return {
    row,
    where: eq(files.r2Key, content.r2Key),
    state: { ...row, productIds },
    ahead: attachObject(content.r2Key),
    statements: (id) => [...sellWith(ctx, { file: id, productIds }), ...also],
  };
}

/** Replaces the content of a file. The earlier version is kept for links already made to it. */
export function newVersion(
  { db }: Pick<WriteContext, "db">,
  { before, content, also = [] }: { before: AdminFileRow; content: StoredContent; also?: SQL[] },
) {
  const { id, version, fileName, mimeType, sizeBytes, sha256, r2Key } = before;
  return {
    columns: { ...content, version: version + 1 },
    statements: [
      ...attachObject(content.r2Key),
      detachObject(r2Key, Date.now() + REPLACED_MS),
      db
        .insert(replacedVersions)
        .values({ fileId: id, version, fileName, mimeType, sizeBytes, sha256, r2Key })
        .getSQL(),
      ...also,
    ],
  };
}

/** Makes exactly these products grant a file. */
export const replaceProducts = (
  ctx: Pick<WriteContext, "author">,
  { id, productIds }: { id: number; productIds: number[] },
) => ({
  related: { productIds },
  statements: sellWith(ctx, { file: sql`${id}`, productIds }),
});

/**
 * Returns the statements for deleting a file: its products get a new version, and the schedule's next run deletes its object.
 */
export const deleteContent = (ctx: Pick<WriteContext, "author">, { id, r2Key }: AdminFileRow): SQL[] => [
  ...sellWith(ctx, { file: sql`${id}`, productIds: [] }),
  detachObject(r2Key, ctx.author.now),
];
