import { and, desc, eq, getTableColumns, gt, isNull, type SQL, sql } from "drizzle-orm";
import {
  ApiError,
  badRequest,
  conflict,
  fieldError,
  notFound,
  requireFound,
  unsupportedMediaType,
} from "../../../domain/errors.ts";
import { limits } from "../../../domain/limits.ts";
import { applyChange, applyCreation } from "../../../platform/administration/write-queries.ts";
import type { AuthorContext, WriteContext } from "../../../platform/auth/caller.ts";
import { type Database, requireRow, writeThenRead } from "../../../platform/db/client.ts";
import { json, jsonRow } from "../../../platform/db/json.ts";
import { type PageOf, readPage } from "../../../platform/db/page.ts";
import { files, orphanedObjects, uploadParts, uploads } from "../../../platform/db/schema.ts";
import { insertSelected, translateViolations, updateRows } from "../../../platform/db/statements.ts";
import type { PageQuery } from "../../../platform/http/pagination.ts";
import { type IfMatch, requireVersion } from "../../../platform/http/version.ts";
import { requireUnusedKey, writeOnce } from "../../../platform/idempotency/claims.ts";
import type { AdminFileRow } from "../admin-schemas.ts";
import { abort, hasMissingParts, isUploadGone, orUnavailable, type StorageContext } from "../bucket.ts";
import { auditedFiles, newFile, newVersion } from "../files.ts";
import { deleteOrphan, tryDeleteOrphan } from "../orphaned-objects.ts";
import { newObjectKey, requireSha256, type StoredContent } from "../store.ts";
import { type FileContext, fileFacts, requireFile, requireProducts } from "../write.ts";
import { contentType, SIGNATURE_BYTES } from "./content-type.ts";
import { partsOf, sizeOfPart, type UploadCreate, type UploadRow } from "./schemas.ts";

// Multipart uploads, for files larger than one request: begun, sent in parts in any order, and completed.

const UPLOAD_MS = 24 * 60 * 60 * 1000;

/** Begins an upload. `ifMatch` is the version of the file that gets the new content. */
export async function beginUpload(
  ctx: FileContext,
  { ifMatch, ...sent }: UploadCreate & { ifMatch: IfMatch },
): Promise<UploadRow> {
  const { now } = ctx.author;
  const { file_id: fileId, access, ...facts } = sent;
  if (fileId === undefined) await requireProducts(ctx.db, sent.product_ids);
  else requireVersion(ifMatch, (await requireFile(ctx.db, fileId)).updatedAt);
  const r2Key = newObjectKey();
  const { uploadId: r2UploadId } = await orUnavailable(ctx.env.FILES.createMultipartUpload(r2Key));
  const row = {
    r2Key,
    r2UploadId,
    fileId,
    facts: access ? fileFacts({ ...facts, access }, sent.file_name) : null,
    fileName: sent.file_name,
    declaredType: sent.mime_type ?? "",
    sizeBytes: sent.size_bytes,
    sha256: sent.sha256,
    createdAt: now,
    expiresAt: now + UPLOAD_MS,
  };
  return insertUpload(ctx, row).catch(async (error: unknown) => {
    await tryDeleteOrphan(ctx, r2Key);
    await orUnavailable(abort(ctx, { r2Key, r2UploadId }));
    throw error;
  });
}

/** Receives one part. A part can be sent repeatedly. */
export async function receivePart(
  ctx: StorageContext,
  { id, number, request }: { id: number; number: number; request: Request },
): Promise<UploadRow> {
  const upload = await requireOpenUpload(ctx.db, id);
  if (number > partsOf(upload)) throw notFound(`Part ${number} of ${partsOf(upload)}`);
  const multipart = await ctx.env.FILES.resumeMultipartUpload(upload.r2Key, upload.r2UploadId);
  const part = await readPart(request, sizeOfPart(upload, number), (bytes) =>
    orUnavailable(multipart.uploadPart(number, bytes)),
  );
  const written = await requireFound(insertPart(ctx, { id, part }), `Upload ${id}`);
  return written;
}

/**
 * Turns the parts into a file, or a new version of a file unless it changed since `ifMatch` was read: sending may have taken
 * hours. Completing again returns the same file. `sha256` is for senders who computed it while sending.
 */
export async function completeUpload(
  ctx: FileContext,
  { id, ifMatch, sha256 }: { id: number; ifMatch: IfMatch; sha256?: string },
): Promise<AdminFileRow> {
  const upload = await requireUpload(ctx.db, id);
  if (upload.completedAt !== null && upload.fileId !== null) {
    await requireUnusedKey(ctx);
    return requireFile(ctx.db, upload.fileId);
  }
  const missing = partsOf(upload) - upload.parts.length;
  if (missing > 0) throw conflict("upload_incomplete", `${missing} of ${partsOf(upload)} parts have not arrived`);
  await orUnavailable(join(ctx, upload));
  try {
    const content = await inspect(ctx, upload);
    requireSha256(content.sha256, upload.sha256);
    requireSha256(content.sha256, sha256);
    return await createFileOf(ctx, { upload, content, ifMatch });
  } catch (error) {
    // Invalid bytes stay invalid. Any other error can be retried.
    if (error instanceof ApiError && error.status === 400) await tryDeleteOrphan(ctx, upload.r2Key);
    throw error;
  }
}

export async function cancelUpload(ctx: StorageContext, id: number): Promise<void> {
  const { r2Key } = await requireOpenUpload(ctx.db, id);
  await deleteOrphan(ctx, r2Key);
}

export async function requireUpload(db: Database, id: number): Promise<UploadRow> {
  const upload = await requireFound(findUpload(db, id, Date.now()), `Upload ${id}`);
  return upload;
}

async function requireOpenUpload(db: Database, id: number): Promise<UploadRow> {
  const upload = await requireUpload(db, id);
  if (upload.completedAt !== null)
    throw conflict("upload_complete", `The upload is already complete: file ${upload.fileId}`);
  return upload;
}

/** Joins the parts into one object. Does nothing if an earlier call joined them and its answer was lost. */
async function join({ env }: StorageContext, { r2Key, r2UploadId, parts }: UploadRow): Promise<void> {
  const multipart = await env.FILES.resumeMultipartUpload(r2Key, r2UploadId);
  await multipart.complete(parts).catch(async (error: unknown) => {
    if (hasMissingParts(error))
      throw conflict("changed_meanwhile", "A part was sent twice at once with different content. Send all parts again");
    if (!isUploadGone(error) || !(await env.FILES.head(r2Key))) throw error;
  });
}

/** Reads the object back, since only the stored bytes are trusted. */
async function inspect({ env }: StorageContext, { r2Key, fileName, declaredType }: UploadRow): Promise<StoredContent> {
  const head = await orUnavailable(env.FILES.get(r2Key, { range: { offset: 0, length: SIGNATURE_BYTES } }));
  const whole = await orUnavailable(env.FILES.get(r2Key));
  if (!head || !whole) throw new Error(`An upload has no object ${r2Key}`);
  const mimeType = contentType(await head.bytes(), fileName, declaredType);
  const digest = new crypto.DigestStream("SHA-256");
  await orUnavailable(whole.body.pipeTo(digest));
  const sha256 = Buffer.from(await digest.digest).toString("hex");
  return { r2Key, fileName, mimeType, sizeBytes: whole.size, sha256 };
}

async function createFileOf(
  ctx: FileContext,
  { upload, content, ifMatch }: { upload: UploadRow; content: StoredContent; ifMatch: IfMatch },
): Promise<AdminFileRow> {
  const { facts } = upload;
  const also = [uploadEnd(upload, Date.now())];
  if (facts) return applyCreation(ctx, { target: auditedFiles, ...newFile(ctx, { content, facts, also }) });
  if (upload.fileId === null) throw notFound("The file");
  const before = await requireFile(ctx.db, upload.fileId);
  const decide = () => newVersion(ctx, { before, content, also });
  return applyChange(ctx, { target: auditedFiles, action: "add_version", before, ifMatch, decide });
}

const TYPE = "application/octet-stream";

/** Streams the bytes of a request to `use`, and refuses any number of bytes other than `size`. */
async function readPart<T>(request: Request, size: number, use: (bytes: ReadableStream) => Promise<T>): Promise<T> {
  if (request.headers.get("Content-Type")?.toLowerCase() !== TYPE) throw unsupportedMediaType(TYPE);
  const announced = request.headers.get("Content-Length");
  if (!request.body || (announced !== null && Number(announced) !== size)) throw otherSize(size);
  let arrived = 0;
  let ended = false;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      arrived += chunk.length;
      controller.enqueue(chunk);
    },
    flush() {
      ended = true;
    },
  });
  // R2 needs the length of a stream in advance.
  const { readable, writable } = new FixedLengthStream(size);
  const piped = request.body.pipeThrough(counting).pipeTo(writable);
  piped.catch(() => undefined);
  try {
    return await use(readable);
  } catch (error) {
    throw arrived > size || (ended && arrived < size) ? otherSize(size) : error;
  }
}

const otherSize = (size: number) => badRequest(fieldError("body", "invalid", `must be the part's ${size} bytes`));

const parts = json<UploadRow["parts"]>(sql`(
  SELECT json_group_array(json_object('partNumber', number, 'etag', etag) ORDER BY number)
  FROM upload_parts WHERE upload_id = uploads.id
)`);

const name = json<string>(sql`json_quote(
  coalesce(uploads.facts ->> 'name', (SELECT files.name FROM files WHERE files.id = uploads.file_id))
)`);

const selectUploads = (db: Database) => db.select({ ...getTableColumns(uploads), parts, name }).from(uploads);

const uploadAsJson = jsonRow(getTableColumns(uploads), { parts, name });

/** Inserts an upload, with its object as an orphan until the upload is complete. */
async function insertUpload(
  ctx: AuthorContext,
  row: typeof uploads.$inferInsert & { r2UploadId: string },
): Promise<UploadRow> {
  const { r2Key, r2UploadId, expiresAt } = row;
  const writes = [
    insertSelected(orphanedObjects, { r2Key, r2UploadId, deleteAt: expiresAt }),
    insertSelected(uploads, row),
  ];
  const answer = sql`(SELECT ${uploadAsJson} FROM ${uploads} WHERE ${eq(uploads.r2Key, r2Key)})`;
  return requireRow(
    await translateViolations(writeOnce<UploadRow>(ctx, { writes, answer }), {
      too_many_uploads: () =>
        conflict(
          "too_many_uploads",
          `At most ${limits.UPLOADS_OPEN} uploads can be open. Complete or cancel one first`,
        ),
      "FOREIGN KEY": () => notFound("The file"),
    }),
  );
}

/** Lists open uploads, newest first. */
export function listUploads(db: Database, query: PageQuery, now: number): Promise<PageOf<UploadRow>> {
  const open = and(isNull(uploads.completedAt), gt(uploads.expiresAt, now));
  const rows = selectUploads(db).where(open).orderBy(desc(uploads.id));
  return readPage(db, query, rows, uploads, open);
}

const findUpload = (db: Database, id: number, now: number): Promise<UploadRow | undefined> =>
  selectUploads(db)
    .where(and(eq(uploads.id, id), gt(uploads.expiresAt, now)))
    .get();

/** Records a part, replacing an earlier one with its number. Null if the upload is gone. */
async function insertPart(
  { db }: Pick<WriteContext, "db">,
  { id, part: { partNumber, etag } }: { id: number; part: R2UploadedPart },
): Promise<UploadRow | null> {
  const writes = [
    insertSelected(
      uploadParts,
      { uploadId: uploads.id, number: partNumber, etag },
      sql`FROM ${uploads} WHERE ${eq(uploads.id, id)} ON CONFLICT DO UPDATE SET etag = excluded.etag`,
    ),
  ];
  const [upload] = await writeThenRead(db, writes, selectUploads(db).where(eq(uploads.id, id)));
  return upload ?? null;
}

/** Returns the statement that ends an upload, for the batch that turns it into a file. */
const uploadEnd = ({ id, r2Key }: UploadRow, completedAt: number): SQL => {
  const fileId = sql`(SELECT ${files.id} FROM ${files} WHERE ${eq(files.r2Key, r2Key)})`;
  return updateRows(uploads, { completedAt, fileId }, eq(uploads.id, id));
};
