import { conflict, notFound } from "../../domain/errors.ts";
import { type Incoming, type Stores, storeFile } from "../../downloads/files/public.ts";
import type { Author } from "../../platform/auth/author.ts";
import type { Database } from "../../platform/db/client.ts";
import type { ImportResource } from "../../platform/db/schema.ts";
import { KEPT_MS } from "./limits.ts";
import { findImport, insertCheckJob, insertImport, insertImportJob } from "./queries.ts";
import { type ImportRow, type ReadAs, stateOf } from "./schemas.ts";

/** Stores an upload and starts its dry run. Changes nothing else. */
export const createImport = (
  stores: Stores,
  resource: ImportResource,
  incoming: Incoming,
  readAs: ReadAs,
  author: Author,
): Promise<ImportRow> =>
  storeFile(stores, incoming, undefined, (content) => insertImport(stores.db, author, resource, content, readAs));

/** Checks an upload again with other reading options. */
export async function checkAgain(
  db: Database,
  resource: ImportResource,
  id: number,
  readAs: ReadAs,
  author: Author,
): Promise<ImportRow> {
  const row = await requireImportOf(db, resource, id);
  if (row.jobId !== null || stateOf(row) === "checking")
    throw conflict("wrong_job_state", `The import is ${stateOf(row)}`);
  requireUpload(row, author);
  return insertCheckJob(db, author, row, readAs);
}

function requireUpload({ createdAt }: ImportRow, { now }: Author): void {
  if (createdAt < now - KEPT_MS)
    throw conflict("upload_expired", "The uploaded file is no longer stored. Upload it again");
}

/** Writes the checked records. Invalid rows are left out. */
export async function startImport(
  db: Database,
  resource: ImportResource,
  id: number,
  author: Author,
): Promise<ImportRow> {
  const row = await requireImportOf(db, resource, id);
  if (stateOf(row) !== "ready") throw conflict("wrong_job_state", `The import is ${stateOf(row)}`);
  requireUpload(row, author);
  return insertImportJob(db, author, row);
}

export async function requireImportOf(db: Database, resource: ImportResource, id: number): Promise<ImportRow> {
  const row = await findImport(db, resource, id);
  if (!row) throw notFound(`Import ${id}`);
  return row;
}
