import * as z from "zod";
import { difference } from "../audit/entry.ts";
import type { Author } from "../auth/author.ts";
import type { Database } from "../db/client.ts";
import { merge } from "../db/merge.ts";
import { badRequest, fieldError, notFound } from "../errors.ts";
import { valid } from "../http/validate.ts";
import { type IfMatch, requireVersion } from "../http/version.ts";
import {
  deleteFile,
  findAnyFile,
  findMissingProducts,
  insertFile,
  insertVersion,
  updateFile,
} from "./admin-queries.ts";
import {
  type AdminFileRow,
  auditedStateOfRow,
  type FileChange,
  fileFacts,
  type NewFile,
  type NewVersion,
} from "./admin-schemas.ts";
import type { Stores } from "./bucket.ts";
import { kindByName } from "./content-type.ts";
import { extensionOf, FileName } from "./file-name.ts";
import { type Incoming, storeFile } from "./store.ts";

// Files, as people upload and describe them. Each write stands in the audit log with what it changed.

export async function createFile(
  stores: Stores,
  sent: NewFile,
  incoming: Incoming,
  author: Author,
): Promise<AdminFileRow> {
  const named = withCheckedName(incoming);
  await requireProducts(stores.db, sent.product_ids);
  const facts = fileFacts(sent, named.fileName);
  return storeFile(stores, named, sent.sha256, (content) => insertFile(stores.db, content, facts, author));
}

/** New content for a file: who bought it keeps access, and has the new one from their next link on. */
export async function addVersion(
  stores: Stores,
  id: number,
  sent: NewVersion,
  incoming: Incoming,
  ifMatch: IfMatch,
  author: Author,
): Promise<AdminFileRow> {
  const named = withCheckedName(incoming);
  const before = await requireFile(stores.db, id);
  requireVersion(ifMatch, before.updatedAt);
  return storeFile(stores, named, sent.sha256, (content) => insertVersion(stores.db, before, content, author));
}

export async function changeFile(
  db: Database,
  id: number,
  sent: FileChange,
  ifMatch: IfMatch,
  author: Author,
): Promise<AdminFileRow> {
  const before = await requireFile(db, id);
  requireVersion(ifMatch, before.updatedAt);
  if (sent.file_name !== undefined) requireSameKind(before.fileName, sent.file_name);
  await requireProducts(db, sent.product_ids);
  const columns = {
    name: sent.name,
    description: sent.description,
    fileName: sent.file_name,
    access: sent.access,
    publishedAt: publishedAt(before, sent, author),
  };
  const productIds = sent.product_ids && [...new Set(sent.product_ids)].sort((a, b) => a - b);
  const after = merge<AdminFileRow>(before, { ...columns, productIds });
  const states = difference(auditedStateOfRow(before), auditedStateOfRow(after));
  return updateFile(db, before, columns, productIds, author, { action: "update", subject: "file", ...states });
}

export async function removeFile(db: Database, id: number, ifMatch: IfMatch, author: Author): Promise<void> {
  const before = await requireFile(db, id);
  requireVersion(ifMatch, before.updatedAt);
  await deleteFile(db, before, author, {
    action: "delete",
    subject: "file",
    before: auditedStateOfRow(before),
    after: null,
  });
}

export async function requireFile(db: Database, id: number): Promise<AdminFileRow> {
  const file = await findAnyFile(db, id);
  if (!file) throw notFound(`File ${id}`);
  return file;
}

export async function requireProducts(db: Database, ids: number[] = []): Promise<void> {
  const missing = ids.length > 0 ? await findMissingProducts(db, ids) : [];
  if (missing.length === 0) return;
  throw badRequest(
    missing.map(([index, id]) =>
      fieldError(`product_ids.${index}`, "unknown_reference", `product ${id} does not exist`),
    ),
  );
}

const withCheckedName = (incoming: Incoming): Incoming => ({
  ...incoming,
  fileName: valid(z.object({ file: FileName }), { file: incoming.fileName }).file,
});

/** A new file name keeps its extension: the content was checked against it, and is served as what it says. */
function requireSameKind(before: string, after: string): void {
  if (kindByName(before) === kindByName(after)) return;
  throw badRequest(
    fieldError(
      "file_name",
      "content_mismatch",
      `must keep the extension .${extensionOf(before)}, which is what the content is`,
    ),
  );
}

function publishedAt(before: AdminFileRow, { published }: FileChange, { now }: Author): number | null | undefined {
  if (published === undefined) return undefined;
  return published ? (before.publishedAt ?? now) : null;
}
