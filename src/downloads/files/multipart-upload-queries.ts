import { and, desc, eq, getTableColumns, gt, isNull, type SQL, sql } from "drizzle-orm";
import { conflict, notFound } from "../../domain/errors.ts";
import { limits } from "../../domain/limits.ts";
import type { Author } from "../../platform/auth/author.ts";
import { type Database, requireRow, writeThenRead } from "../../platform/db/client.ts";
import { json, jsonRow } from "../../platform/db/json.ts";
import { type PageOf, readPage } from "../../platform/db/page.ts";
import { uploads } from "../../platform/db/schema.ts";
import { translateViolations } from "../../platform/db/violation.ts";
import { limitAndOffset, type PageQuery } from "../../platform/http/pagination.ts";
import { writeOnce } from "../../platform/idempotency/queries.ts";
import type { UploadRow } from "./multipart-upload-schemas.ts";

const parts = json<UploadRow["parts"]>(sql`(
  SELECT json_group_array(json_object('partNumber', number, 'etag', etag) ORDER BY number)
  FROM upload_parts WHERE upload_id = uploads.id
)`);

const name = json<string>(sql`json_quote(
  coalesce(uploads.facts ->> 'name', (SELECT files.name FROM files WHERE files.id = uploads.file_id))
)`);

const selectUploads = (db: Database) => db.select({ ...getTableColumns(uploads), parts, name }).from(uploads);

const uploadAsJson = jsonRow(getTableColumns(uploads), { parts, name });

/** Inserts an upload, and its object as an orphan until the upload is complete. */
export async function insertUpload(
  db: Database,
  row: typeof uploads.$inferInsert & { r2UploadId: string },
  author: Author,
): Promise<UploadRow> {
  const { r2Key, r2UploadId, expiresAt } = row;
  const writes = [
    sql`INSERT INTO orphaned_objects (r2_key, r2_upload_id, delete_at) VALUES (${r2Key}, ${r2UploadId}, ${expiresAt})`,
    db.insert(uploads).values(row).getSQL(),
  ];
  const answer = sql`(SELECT ${uploadAsJson} FROM uploads WHERE r2_key = ${r2Key})`;
  return requireRow(
    await translateViolations(writeOnce<UploadRow>(db, author, writes, answer), {
      too_many_uploads: () =>
        conflict(
          "too_many_uploads",
          `At most ${limits.UPLOADS_OPEN} uploads can be open: complete or delete one first`,
        ),
      "FOREIGN KEY": () => notFound("The file"),
    }),
  );
}

/** A page of the uploads that are open, newest first. */
export function listUploads(db: Database, query: PageQuery, now: number): Promise<PageOf<UploadRow>> {
  const open = and(isNull(uploads.completedAt), gt(uploads.expiresAt, now));
  const { limit, offset } = limitAndOffset(query);
  const rows = selectUploads(db).where(open).orderBy(desc(uploads.id)).limit(limit).offset(offset);
  return readPage(db, rows, uploads, open);
}

export const findUpload = (db: Database, id: number, now: number): Promise<UploadRow | undefined> =>
  selectUploads(db)
    .where(and(eq(uploads.id, id), gt(uploads.expiresAt, now)))
    .get();

/** Records a part that has arrived, or has arrived again. Null when the upload is gone. */
export async function insertPart(db: Database, id: number, part: R2UploadedPart): Promise<UploadRow | null> {
  const { partNumber, etag } = part;
  const writes = [
    sql`
      INSERT INTO upload_parts (upload_id, number, etag)
      SELECT id, ${partNumber}, ${etag} FROM uploads WHERE id = ${id}
      ON CONFLICT DO UPDATE SET etag = excluded.etag`,
  ];
  const [upload] = await writeThenRead(db, writes, selectUploads(db).where(eq(uploads.id, id)));
  return upload ?? null;
}

/** The statement that ends an upload, for the batch that makes a file of it. */
export const completeUpload = (id: number, r2Key: string, now: number): SQL => sql`
  UPDATE uploads SET completed_at = ${now}, file_id = (SELECT id FROM files WHERE r2_key = ${r2Key}) WHERE id = ${id}`;
