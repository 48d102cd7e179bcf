import * as z from "zod";
import { badRequest, conflict, fieldError, requireFound } from "../../domain/errors.ts";
import { newRow, toColumns } from "../../platform/administration/fields.ts";
import { applyChange, applyCreation, applyDeletion } from "../../platform/administration/write-queries.ts";
import type { Author, AuthorContext, WriteContext } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { valid } from "../../platform/http/validate.ts";
import { type IfMatch, requireVersion } from "../../platform/http/version.ts";
import { type AdminFileRow, type FileUpdate, fileFields, type NewFile, type NewVersion } from "./admin-schemas.ts";
import type { StorageContext } from "./bucket.ts";
import {
  auditedFiles,
  deleteContent,
  findAnyFile,
  findMissingProducts,
  newFile,
  newVersion,
  replaceProducts,
} from "./files.ts";
import { type IncomingFile, type StoredContent, storeFile } from "./store.ts";
import { extensionOf, FileName, kindByName } from "./uploads/content-type.ts";

// Uploads and edits of files.

export type FileContext = StorageContext & Pick<WriteContext, "author">;

export async function createFile(
  ctx: FileContext,
  { file, ...sent }: NewFile & { file: IncomingFile },
): Promise<AdminFileRow> {
  const named = withCheckedName(file);
  await requireProducts(ctx.db, sent.product_ids);
  const facts = fileFacts(sent, named.fileName);
  const save = (content: StoredContent) =>
    applyCreation(ctx, { target: auditedFiles, ...newFile(ctx, { content, facts }) });
  return storeFile(ctx, { file: named, sha256: sent.sha256, save });
}

/** Returns the fields of a new file. Its name defaults to that of its content. */
export const fileFacts = (sent: Omit<FileUpdate, "file_name">, name: string) => newRow(fileFields, sent, { name });

/** Adds a new version of a file. Buyers keep access and get the new content from their next link on. */
export async function addVersion(
  ctx: FileContext,
  { id, file, sha256, ifMatch }: NewVersion & { id: number; file: IncomingFile; ifMatch: IfMatch },
): Promise<AdminFileRow> {
  const named = withCheckedName(file);
  const before = await requireFile(ctx.db, id);
  requireVersion(ifMatch, before.updatedAt);
  const save = (content: StoredContent) => {
    const decide = () => newVersion(ctx, { before, content });
    return applyChange(ctx, { target: auditedFiles, action: "add_version", before, ifMatch, decide });
  };
  return storeFile(ctx, { file: named, sha256, save });
}

export async function changeFile(
  ctx: AuthorContext,
  { id, change, ifMatch }: { id: number; change: FileUpdate; ifMatch: IfMatch },
): Promise<AdminFileRow> {
  const { db, author } = ctx;
  const before = await requireFile(db, id);
  const decide = async () => {
    const { file_name: fileName, ...facts } = change;
    if (fileName !== undefined) requireSameKind(before.fileName, fileName);
    await requireProducts(db, change.product_ids);
    const { published, productIds, ...columns } = toColumns(fileFields, facts);
    return {
      columns: { ...columns, fileName, publishedAt: publishedAt(before, published, author) },
      ...(productIds && replaceProducts(ctx, { id, productIds })),
    };
  };
  return applyChange(ctx, { target: auditedFiles, action: "update", before, ifMatch, decide });
}

/** Deletes a file that no package holds. */
export async function removeFile(ctx: AuthorContext, { id, ifMatch }: { id: number; ifMatch: IfMatch }): Promise<void> {
  const before = await requireFile(ctx.db, id);
  const inUse = () =>
    conflict("in_use", "Download packages include the file. Unpublish it to withdraw it from everyone");
  const statements = deleteContent(ctx, before);
  await applyDeletion(ctx, { target: auditedFiles, before, ifMatch, inUse, statements });
}

export const requireFile = (db: Database, id: number): Promise<AdminFileRow> =>
  requireFound(findAnyFile(db, id), `File ${id}`);

export async function requireProducts(db: Database, ids: number[] = []): Promise<void> {
  const missing = ids.length > 0 ? await findMissingProducts(db, ids) : [];
  if (missing.length === 0) return;
  throw badRequest(
    missing.map(([index, id]) =>
      fieldError(`product_ids.${index}`, "unknown_reference", `product ${id} does not exist`),
    ),
  );
}

const withCheckedName = (incoming: IncomingFile): IncomingFile => ({
  ...incoming,
  fileName: valid(z.object({ file: FileName }), { file: incoming.fileName }).file,
});

/** A new file name must keep its extension: the content was checked against it, and it determines the served type. */
function requireSameKind(before: string, after: string): void {
  if (kindByName(before) === kindByName(after)) return;
  throw badRequest(
    fieldError(
      "file_name",
      "content_mismatch",
      `must keep the extension .${extensionOf(before)}, which matches the content`,
    ),
  );
}

function publishedAt(before: AdminFileRow, published: boolean | undefined, { now }: Author) {
  if (published === undefined) return undefined;
  return published ? (before.publishedAt ?? now) : null;
}
