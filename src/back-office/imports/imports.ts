import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { beginningOf } from "../../domain/countries.ts";
import { conflict, notFound } from "../../domain/errors.ts";
import { type Content, type Incoming, type Stores, storeFile } from "../../downloads/files/public.ts";
import type { Author } from "../../platform/auth/author.ts";
import { type Database, requireRow } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { readPage } from "../../platform/db/page.ts";
import {
  type ImportResource,
  imports,
  type JobKind,
  type JobState,
  type LeftOutColumn,
} from "../../platform/db/schema.ts";
import { translateViolations } from "../../platform/db/violation.ts";
import { limitAndOffset, type PageQuery } from "../../platform/http/pagination.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import { insertJob, newestJob } from "../../platform/jobs/jobs.ts";
import { KEPT_MS } from "./limits.ts";
import { type Planned, samplesOf } from "./planned.ts";
import type { Converted } from "./reading/convert.ts";
import { type ImportRow, type ReadAs, stateOf } from "./schemas.ts";

const MOST_SAMPLES = 10;
const MOST_LEFT_OUT = 100;
/** Maximum length of a column name, which a file may choose freely. */
const LONGEST_NAME = 200;

const { samples, columns, leftOut, encodingExamples, ambiguousColumns, ...plain } = getTableColumns(imports);
const json = { samples, columns, leftOut, encodingExamples, ambiguousColumns };
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
  const { limit, offset } = limitAndOffset(query);
  const where = eq(imports.resource, resource);
  const rows = selectImports(db).where(where).orderBy(desc(imports.id)).limit(limit).offset(offset);
  return readPage(db, rows, imports, where);
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

const newestImport = sql`(SELECT max(id) FROM imports)`;

/** Keeps the upload for some days. Then the schedule deletes it like any object that no file holds. */
const keepObject = (r2Key: string, now: number): SQL =>
  sql`UPDATE orphaned_objects SET delete_at = ${now + KEPT_MS}, r2_upload_id = NULL WHERE r2_key = ${r2Key}`;

/** Inserts an import of a stored file, with its dry-run job. */
async function insertImport(
  db: Database,
  author: Author,
  resource: ImportResource,
  content: Content,
  { encoding = null, decimal_separator = null }: ReadAs,
) {
  const writes = [
    sql`INSERT INTO preconditions (holds)
      SELECT EXISTS (SELECT 1 FROM orphaned_objects WHERE r2_key = ${content.r2Key} AND delete_at > 0)`,
    ...insertJob({ author }, { kind: checkKinds[resource], parameters: {} }),
    sql`INSERT INTO imports (resource, file_name, size_bytes, r2_key, check_job_id, chosen_encoding, decimal_separator,
        created_at)
      VALUES (${resource}, ${content.fileName}, ${content.sizeBytes}, ${content.r2Key}, ${newestJob}, ${encoding},
        ${decimal_separator}, ${author.now})`,
    sql`UPDATE jobs SET parameters = json_object('import_id', ${newestImport}) WHERE id = ${newestJob}`,
    keepObject(content.r2Key, author.now),
  ];
  const answer = sql`(SELECT ${importAsJson} FROM imports WHERE id = ${newestImport})`;
  return requireRow(await writeOnce<ImportRow>({ db, author }, { writes, answer }));
}

/** Refuses to use a check that another request has already used or replaced. */
const stillChecked = ({ id, checkJobId }: ImportRow): SQL => sql`
  INSERT INTO preconditions (holds)
  SELECT EXISTS (SELECT 1 FROM imports WHERE id = ${id} AND job_id IS NULL AND check_job_id = ${checkJobId})`;

const changedMeanwhile = {
  row_changed: () => conflict("wrong_job_state", "The import was started or is being checked again"),
};

/** Inserts a job that checks an upload again with the chosen reading options, and discards the earlier results. */
async function insertCheckJob(db: Database, author: Author, row: ImportRow, readAs: ReadAs) {
  const { encoding = row.chosenEncoding, decimal_separator = row.decimalSeparator } = readAs;
  const { id, resource } = row;
  const writes = [
    stillChecked(row),
    ...insertJob({ author }, { kind: checkKinds[resource], parameters: { import_id: id } }),
    sql`UPDATE imports SET check_job_id = ${newestJob}, chosen_encoding = ${encoding},
      decimal_separator = ${decimal_separator}, records_key = NULL, format = NULL, encoding = NULL, columns = '{}',
      left_out = '[]', encoding_examples = '[]', ambiguous_columns = '[]', samples = '[]', skipped = 0, to_create = 0,
      to_update = 0, unchanged = 0 WHERE id = ${id}`,
  ];
  const answer = sql`(SELECT ${importAsJson} FROM imports WHERE id = ${id})`;
  return requireRow(
    await translateViolations(writeOnce<ImportRow>({ db, author }, { writes, answer }), changedMeanwhile),
  );
}

/** Inserts the job that writes the checked records, unless there is one already. */
async function insertImportJob(db: Database, author: Author, row: ImportRow) {
  const { id, resource, total } = row;
  const writes = [
    stillChecked(row),
    ...insertJob({ author }, { kind: importKinds[resource], parameters: { import_id: id }, total }),
    sql`UPDATE imports SET job_id = ${newestJob} WHERE id = ${id}`,
  ];
  const answer = sql`(SELECT ${importAsJson} FROM imports WHERE id = ${id})`;
  return requireRow(
    await translateViolations(writeOnce<ImportRow>({ db, author }, { writes, answer }), changedMeanwhile),
  );
}

const Parameters = z.object({ import_id: z.int() });

/** Returns the import that a job belongs to. */
export async function requireImport(db: Database, parameters: unknown) {
  const { import_id } = Parameters.parse(parameters);
  return requireRow(await db.select().from(imports).where(eq(imports.id, import_id)).get());
}

const shortened = <Column extends LeftOutColumn>(column: Column): Column => ({
  ...column,
  column: beginningOf(column.column, LONGEST_NAME),
});
const listed = (columns: LeftOutColumn[]): string => JSON.stringify(columns.slice(0, MOST_LEFT_OUT).map(shortened));

/** Returns the statements that store the parsed records of an upload. */
export const saveRecords = (
  id: number,
  { recordsKey, format, columns, ...read }: Omit<Converted, "rows">,
  now: number,
): SQL[] => [
  sql`UPDATE imports SET records_key = ${recordsKey}, format = ${format}, columns = ${JSON.stringify(columns)},
    encoding = ${read.encoding}, encoding_examples = ${JSON.stringify(read.encodingExamples)}, skipped = ${read.skipped},
    ambiguous_columns = ${listed(read.ambiguousColumns)}, left_out = ${listed(read.leftOut)} WHERE id = ${id}`,
  keepObject(recordsKey, now),
];

/** Returns the statements that add the results of a dry-run slice. */
export const addPlanned = (id: number, plan: Planned): SQL[] => [
  sql`UPDATE imports SET to_create = to_create + ${plan.created.length}, to_update = to_update + ${plan.changed.length},
    unchanged = unchanged + ${plan.unchanged}, samples = (SELECT json_group_array(json(value)) FROM (
      SELECT value FROM json_each(samples) UNION ALL
      SELECT value FROM json_each(${JSON.stringify(samplesOf(plan).slice(0, MOST_SAMPLES))}) LIMIT ${MOST_SAMPLES}))
    WHERE id = ${id}`,
];

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
