import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { badRequest, conflict, fieldError, requireFound } from "../../domain/errors.ts";
import { beginningOf } from "../../domain/text.ts";
import { DAY_MS } from "../../domain/time.ts";
import { type IncomingFile, type StoredContent, storeFile } from "../../downloads/files/public.ts";
import { requireFreshForChange } from "../../platform/administration/sensitive-changes.ts";
import type { AuthorContext, WriteContext } from "../../platform/auth/caller.ts";
import { type Database, requireRow } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { readPage } from "../../platform/db/page.ts";
import {
  type ImportResource,
  imports,
  type JobKind,
  type JobState,
  jobs,
  type LeftOutColumn,
  orphanedObjects,
} from "../../platform/db/schema.ts";
import { precondition, translateViolations } from "../../platform/db/statements.ts";
import type { PageQuery } from "../../platform/http/pagination.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import { insertJob, newestJob } from "../../platform/jobs/jobs.ts";
import { type PlannedImport, samplesOf } from "./planned.ts";
import type { ConvertedFile } from "./reading/convert.ts";
import { fieldOf } from "./reading/own-columns.ts";
import { type ImportRow, LONGEST_COLUMN, type ReadAs, stateOf } from "./schemas.ts";

/** How long an upload and its parsed records are kept. */
const KEPT_MS = 7 * DAY_MS;

const MOST_SAMPLES = 10;
const MOST_LEFT_OUT = 100;

const { samples, columns, columnFields, leftOut, encodingExamples, ambiguousColumns, ...plain } =
  getTableColumns(imports);
const json = { samples, columns, columnFields, leftOut, encodingExamples, ambiguousColumns };
const ofCheck = (column: string) => sql.raw(`(SELECT ${column} FROM jobs WHERE jobs.id = imports.check_job_id)`);
const jobStates = {
  checkState: sql<JobState>`${ofCheck("state")}`,
  checkFailed: sql<number>`${ofCheck("failed")}`,
  total: sql<number | null>`${ofCheck("total")}`,
  jobState: sql<JobState | null>`(SELECT state FROM jobs WHERE jobs.id = imports.job_id)`,
};
const quoted = (column: SQL): SQL => sql`json_quote(${column})`;
const importAsJson = jsonRow<ImportRow>(
  { ...plain, ...json },
  {
    checkState: quoted(jobStates.checkState),
    checkFailed: jobStates.checkFailed,
    total: quoted(jobStates.total),
    jobState: quoted(jobStates.jobState),
  },
);

const selectImports = (db: Database) => db.select({ ...plain, ...json, ...jobStates }).from(imports);

/** A page of imports, newest first. */
export function listImports(db: Database, resource: ImportResource, query: PageQuery) {
  const where = eq(imports.resource, resource);
  const rows = selectImports(db).where(where).orderBy(desc(imports.id));
  return readPage(db, query, rows, imports, where);
}

const findImport = (db: Database, resource: ImportResource, id: number): Promise<ImportRow | undefined> =>
  selectImports(db)
    .where(and(eq(imports.id, id), eq(imports.resource, resource)))
    .get();

const checkKinds = { products: "check_products", customers: "check_customers" } as const satisfies Record<
  ImportResource,
  JobKind
>;
const importKinds = { products: "import_products", customers: "import_customers" } as const satisfies Record<
  ImportResource,
  JobKind
>;

const newestImport = sql`(SELECT max(${imports.id}) FROM ${imports})`;

/** Keeps the upload for some days. Then the schedule deletes it like any object without a file. */
const keepObject = ({ db, author }: AuthorContext, r2Key: string): SQL =>
  db
    .update(orphanedObjects)
    .set({ deleteAt: author.now + KEPT_MS, r2UploadId: null })
    .where(eq(orphanedObjects.r2Key, r2Key))
    .getSQL();

const importOf = (id: number | SQL) => sql`(SELECT ${importAsJson} FROM ${imports} WHERE ${imports.id} = ${id})`;

/** Inserts an import of a stored file, with its dry-run job. */
async function insertImport(
  { db, author }: AuthorContext,
  { resource, readAs, content }: { resource: ImportResource; readAs: ReadAs; content: StoredContent },
) {
  const { fileName, sizeBytes, r2Key } = content;
  const row = {
    resource,
    fileName,
    sizeBytes,
    r2Key,
    checkJobId: newestJob,
    chosenEncoding: readAs.encoding ?? null,
    decimalSeparator: readAs.decimal_separator ?? null,
    createdAt: author.now,
  };
  const writes = [
    precondition(sql`EXISTS (SELECT 1 FROM ${orphanedObjects}
      WHERE ${orphanedObjects.r2Key} = ${r2Key} AND ${orphanedObjects.deleteAt} > 0)`),
    ...insertJob({ author }, { kind: checkKinds[resource], parameters: {} }),
    db.insert(imports).values(row).getSQL(),
    db
      .update(jobs)
      .set({ parameters: sql`json_set(${jobs.parameters}, '$.import_id', ${newestImport})` })
      .where(sql`${jobs.id} = ${newestJob}`)
      .getSQL(),
    keepObject({ db, author }, r2Key),
  ];
  return requireRow(await writeOnce<ImportRow>({ db, author }, { writes, answer: importOf(newestImport) }));
}

/** Refuses to use a check that another request has already used or replaced. */
const stillChecked = ({ id, checkJobId }: ImportRow): SQL =>
  precondition(sql`EXISTS (SELECT 1 FROM ${imports}
    WHERE ${imports.id} = ${id} AND ${imports.jobId} IS NULL AND ${imports.checkJobId} = ${checkJobId})`);

const changedMeanwhile = {
  row_changed: () => conflict("wrong_job_state", "The import was started or is being checked again"),
};

/** Result of checking an upload, before the import starts. */
const unchecked = {
  recordsKey: null,
  format: null,
  encoding: null,
  columns: {},
  leftOut: [],
  encodingExamples: [],
  ambiguousColumns: [],
  samples: [],
  skipped: 0,
  toCreate: 0,
  toUpdate: 0,
  unchanged: 0,
};

/** Inserts a job that checks an upload again with the chosen reading options, and discards the earlier results. */
async function insertCheckJob({ db, author }: AuthorContext, { row, readAs }: { row: ImportRow; readAs: ReadAs }) {
  const { encoding: chosenEncoding, decimal_separator: decimalSeparator, column_fields: columnFields } = readAs;
  const { id, resource } = row;
  const writes = [
    stillChecked(row),
    ...insertJob({ author }, { kind: checkKinds[resource], parameters: { import_id: id } }),
    db
      .update(imports)
      .set({ ...unchecked, checkJobId: newestJob, chosenEncoding, decimalSeparator, columnFields })
      .where(eq(imports.id, id))
      .getSQL(),
  ];
  const written = writeOnce<ImportRow>({ db, author }, { writes, answer: importOf(id) });
  return requireRow(await translateViolations(written, changedMeanwhile));
}

/** Inserts the job that writes the checked records, unless there is one already. */
async function insertImportJob({ db, author }: AuthorContext, row: ImportRow) {
  const { id, resource, total } = row;
  const writes = [
    stillChecked(row),
    ...insertJob({ author }, { kind: importKinds[resource], parameters: { import_id: id }, total }),
    db.update(imports).set({ jobId: newestJob }).where(eq(imports.id, id)).getSQL(),
  ];
  const written = writeOnce<ImportRow>({ db, author }, { writes, answer: importOf(id) });
  return requireRow(await translateViolations(written, changedMeanwhile));
}

const Parameters = z.object({ import_id: z.int() });

/** Returns the import that a job belongs to. */
export async function requireImport(db: Database, parameters: unknown) {
  const { import_id } = Parameters.parse(parameters);
  return requireRow(await db.select().from(imports).where(eq(imports.id, import_id)).get());
}

const shortened = <Column extends LeftOutColumn>(column: Column): Column => ({
  ...column,
  column: beginningOf(column.column, LONGEST_COLUMN),
});
const listed = <Column extends LeftOutColumn>(names: Column[]): Column[] =>
  names.slice(0, MOST_LEFT_OUT).map(shortened);

/** Returns the statements that store the parsed records of an upload. */
export const saveRecords = (
  ctx: AuthorContext,
  { id, read: { rows: _, ...read } }: { id: number; read: ConvertedFile },
): SQL[] => [
  ctx.db
    .update(imports)
    .set({ ...read, ambiguousColumns: listed(read.ambiguousColumns), leftOut: listed(read.leftOut) })
    .where(eq(imports.id, id))
    .getSQL(),
  keepObject(ctx, read.recordsKey),
];

/** Returns the statement that stores the columns of an upload none of which identifies its rows. */
export const saveHeader = (db: Database, { id, header }: { id: number; header: string[] }): SQL =>
  db
    .update(imports)
    .set({ leftOut: listed(header.map((column) => ({ column, rows: 0 }))) })
    .where(eq(imports.id, id))
    .getSQL();

/** Returns the statement that adds the results of a dry-run slice. */
export function addPlanned(db: Database, { importId, plan }: { importId: number; plan: PlannedImport }): SQL {
  const { toCreate, toUpdate, unchanged, samples: shown } = imports;
  const added = JSON.stringify(samplesOf(plan).slice(0, MOST_SAMPLES));
  return db
    .update(imports)
    .set({
      toCreate: sql`${toCreate} + ${plan.created.length}`,
      toUpdate: sql`${toUpdate} + ${plan.changed.length}`,
      unchanged: sql`${unchanged} + ${plan.unchanged}`,
      samples: sql`(SELECT json_group_array(json(value)) FROM (
        SELECT value FROM json_each(${shown}) UNION ALL SELECT value FROM json_each(${added}) LIMIT ${MOST_SAMPLES}))`,
    })
    .where(eq(imports.id, importId))
    .getSQL();
}

/** Stores an upload and starts its dry run. Changes nothing else. */
export const createImport = (
  ctx: Pick<WriteContext, "env" | "db" | "author">,
  { file, ...upload }: { resource: ImportResource; file: IncomingFile; readAs: ReadAs },
): Promise<ImportRow> => storeFile(ctx, { file, save: (content) => insertImport(ctx, { ...upload, content }) });

/** Checks an upload again with other reading options. */
export async function checkAgain(
  ctx: AuthorContext,
  { resource, id, readAs }: { resource: ImportResource; id: number; readAs: ReadAs },
): Promise<ImportRow> {
  const row = await requireImportOf(ctx.db, resource, id);
  if (row.jobId !== null || stateOf(row) === "checking")
    throw conflict("wrong_job_state", `The import is ${stateOf(row)}`);
  requireUpload(row, ctx.author.now);
  const unknown = Object.values(readAs.column_fields ?? {}).find((field) => field && !fieldOf(resource, field));
  if (unknown)
    throw badRequest(fieldError("column_fields", "unknown_reference", `${unknown} is no field of ${resource}`));
  return insertCheckJob(ctx, { row, readAs });
}

function requireUpload({ createdAt }: ImportRow, now: number): void {
  if (createdAt < now - KEPT_MS)
    throw conflict("upload_expired", "The uploaded file is no longer stored. Upload it again");
}

/** Writes the checked records. Invalid rows are left out. */
export async function startImport(
  ctx: AuthorContext,
  { resource, id }: { resource: ImportResource; id: number },
): Promise<ImportRow> {
  const row = await requireImportOf(ctx.db, resource, id);
  if (stateOf(row) !== "ready") throw conflict("wrong_job_state", `The import is ${stateOf(row)}`);
  requireUpload(row, ctx.author.now);
  requireFreshForChange(ctx.author, { subject: "job", after: { kind: importKinds[resource] } });
  return insertImportJob(ctx, row);
}

export const requireImportOf = (db: Database, resource: ImportResource, id: number): Promise<ImportRow> =>
  requireFound(findImport(db, resource, id), `Import ${id}`);
