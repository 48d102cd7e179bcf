import { and, desc, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { conflict, notFound } from "../../domain/errors.ts";
import { requireFreshForChange } from "../administration/sensitive-changes.ts";
import { auditEntry } from "../audit/audit.ts";
import {
  type Author,
  type AuthorContext,
  type Caller,
  may,
  requirePermission,
  type WriteContext,
} from "../auth/caller.ts";
import { readAll } from "../auth/roles.ts";
import { type Database, requireRow } from "../db/client.ts";
import { jsonRow } from "../db/json.ts";
import { allOf, type Conditions, type PageOf, readPage } from "../db/page.ts";
import { type JobKind, jobChanges, jobFailures, jobs } from "../db/schema.ts";
import { precondition, translateViolations } from "../db/statements.ts";
import type { PageQuery } from "../http/pagination.ts";
import { writeOnce } from "../idempotency/claims.ts";
import { canUndo, type JobsQuery, type JobWithUndo, resourceOf } from "./schemas.ts";

const undoneBy: SQL<number | null> = sql`(
  SELECT undo.id FROM jobs AS undo WHERE undo.undo_of = jobs.id AND undo.state NOT IN ('cancelled', 'failed'))`;

/** Parameters without rows or their ids, which may be ten thousand. */
const shortParameters = sql<unknown>`json_remove(${jobs.parameters}, '$.ids', '$.records')`;

const jobAsJson = jsonRow<JobWithUndo>(getTableColumns(jobs), { undoneBy, parameters: shortParameters });

const listed = { ...getTableColumns(jobs), parameters: shortParameters.mapWith(jobs.parameters) };

/** A page of jobs, newest first, without the row ids in their parameters. */
export function listJobs(db: Database, query: JobsQuery, kinds: JobKind[]): Promise<PageOf<JobWithUndo>> {
  const where = allOf({
    kind: inArray(jobs.kind, query.kind === undefined ? kinds : kinds.filter((kind) => kind === query.kind)),
    state: query.state && eq(jobs.state, query.state),
  } satisfies Conditions<JobsQuery>);
  const rows = db
    .select({ ...listed, undoneBy })
    .from(jobs)
    .where(where)
    .orderBy(desc(jobs.id));
  return readPage(db, query, rows, jobs, where);
}

export const findJob = (db: Database, id: number): Promise<JobWithUndo | undefined> =>
  db
    .select({ ...getTableColumns(jobs), undoneBy })
    .from(jobs)
    .where(eq(jobs.id, id))
    .get();

export function listFailures(db: Database, jobId: number, query: PageQuery) {
  const where = eq(jobFailures.jobId, jobId);
  const rows = db.select().from(jobFailures).where(where).orderBy(jobFailures.id);
  return readPage(db, query, rows, jobFailures, where);
}

/** Number of lines named in a group of failures. */
const NAMED_LINES = 3;

/** Failures of several lines with one reason: the first lines, and their number. The most frequent come first. */
export type FailureGroup = { field: string | null; message: string; lines: number[]; count: number };

/** Groups the failures of lines of a file by their reason. Reasons of a single line are left out. */
export const groupFailures = async (db: Database, jobId: number): Promise<FailureGroup[]> => {
  const { line, field, message, id } = jobFailures;
  const ranked = sql`SELECT ${line} AS line, ${field} AS field, ${message} AS message,
      row_number() OVER (PARTITION BY ${field}, ${message} ORDER BY ${id}) AS place
    FROM ${jobFailures} WHERE ${jobFailures.jobId} = ${jobId} AND ${line} IS NOT NULL`;
  const groups = await db.all<Omit<FailureGroup, "lines"> & { lines: string }>(sql`
    SELECT field, message, count(*) AS count, json_group_array(line) FILTER (WHERE place <= ${NAMED_LINES}) AS lines
    FROM (${ranked}) GROUP BY field, message HAVING count(*) > 1 ORDER BY count(*) DESC, min(line) LIMIT 10`);
  return groups.map(({ lines, ...group }) => ({ ...group, lines: JSON.parse(lines) }));
};

type NewJob = { kind: JobKind; parameters: object; total?: number | null; undoOf?: number };

const orUndefined = <Value>(value: Value | null): Value | undefined => value ?? undefined;

/** Limits of a job's author at the time the job was created. They apply to everything that the job writes. */
export const AuthorLimits = z.object({
  spendingLimit: z.int().nullish().transform(orUndefined),
  session: z.object({ id: z.string(), authenticatedAt: z.number() }).nullish().transform(orUndefined),
  reauthenticateAbove: z.int().nullish().transform(orUndefined),
});

const limitsOf = ({ spendingLimit, session, reauthenticateAbove }: Author): z.output<typeof AuthorLimits> => ({
  spendingLimit,
  session,
  reauthenticateAbove,
});

/** Statements that create a job, for the batch that requests it. */
export const insertJob = (
  { author }: Pick<WriteContext, "author">,
  { kind, parameters, total = null, undoOf }: NewJob,
): SQL[] => [
  sql`INSERT INTO jobs (kind, parameters, total, undo_of, created_by, request_id, created_at, updated_at)
    VALUES (${kind}, ${JSON.stringify({ ...parameters, ...limitsOf(author) })}, ${total}, ${undoOf ?? null}, ${author.actor}, ${author.requestId},
      ${author.now}, ${author.now})`,
  auditEntry({ author }, { action: "create", subject: "job", id: newestJob, after: { kind, undo_of: undoOf } }),
];

/** The job just created, within its batch: ids only grow. */
export const newestJob: SQL = sql`(SELECT max(id) FROM jobs)`;

/** Creates a job after the statements that may refuse it. `startJob` or the schedule starts its workflow. */
export async function createJob(ctx: AuthorContext, job: NewJob, first: SQL[] = []): Promise<JobWithUndo> {
  const answer = sql`(SELECT ${jobAsJson} FROM jobs WHERE id = ${newestJob})`;
  const written = writeOnce<JobWithUndo>(ctx, { writes: [...first, ...insertJob(ctx, job)], answer });
  return requireRow(
    await translateViolations(written, {
      "jobs.undo_of": () => conflict("wrong_job_state", "The job is already being undone"),
    }),
  );
}

/** True for a job that has not ended. The states are literals, as in the index of open jobs. */
const notOver = sql`${jobs.state} IN ('queued', 'running')`;

type JobContext = Pick<WriteContext, "db" | "caller" | "author">;

/** Stops a job. A slice in progress is refused, or was done before. */
export async function cancelJob(ctx: JobContext, id: number): Promise<JobWithUndo> {
  const { db, author } = ctx;
  await requireOwnJob(ctx, id);
  const cancelled = { state: "cancelled", updatedAt: author.now, finishedAt: author.now } as const;
  const writes = [
    precondition(sql`EXISTS (SELECT 1 FROM ${jobs} WHERE ${and(eq(jobs.id, id), notOver)})`),
    db.update(jobs).set(cancelled).where(eq(jobs.id, id)).getSQL(),
    auditEntry(ctx, { action: "cancel", subject: "job", id }),
  ];
  const answer = sql`(SELECT ${jobAsJson} FROM jobs WHERE id = ${id})`;
  return requireRow(
    await translateViolations(writeOnce<JobWithUndo>(ctx, { writes, answer }), {
      row_changed: () => conflict("wrong_job_state", "The job has already ended"),
    }),
  );
}

/** Returns a job that the caller may see, or throws a 404. */
export async function requireJob(db: Database, caller: Caller, id: number): Promise<JobWithUndo> {
  const job = await findJob(db, id);
  if (!job || !may(caller, readAll(resourceOf[job.kind]))) throw notFound(`Job ${id}`);
  return job;
}

const isSeen = (caller: Caller, { kind }: JobWithUndo): boolean =>
  may(caller, readAll(resourceOf[kind])) || may(caller, `${resourceOf[kind]}:write`);

/** Returns a job that the caller may cancel and undo. */
async function requireOwnJob({ db, caller }: Pick<WriteContext, "db" | "caller">, id: number): Promise<JobWithUndo> {
  const job = await findJob(db, id);
  if (!job || !isSeen(caller, job)) throw notFound(`Job ${id}`);
  requirePermission(caller, `${resourceOf[job.kind]}:write`);
  return job;
}

/** The part of a job's parameters that changes prices. */
const PricedJob = z.object({ price: z.object({ millionths: z.int() }).optional() });

/** Creates the job that undoes another one. */
export async function undoJob(ctx: JobContext, id: number): Promise<JobWithUndo> {
  const job = await requireOwnJob(ctx, id);
  if (!canUndo(job)) throw conflict("wrong_job_state", "The job cannot be undone, or already was");
  const { kind, parameters } = job;
  const { price } = PricedJob.parse(parameters);
  requireFreshForChange(ctx.author, { subject: "job", after: { kind, price_percent: -(price?.millionths ?? 0) } });
  // Rows that already had the new values were done, but not changed.
  const total = await ctx.db.$count(jobChanges, eq(jobChanges.jobId, id));
  return createJob(ctx, { kind, parameters: Object(parameters), total, undoOf: id });
}
