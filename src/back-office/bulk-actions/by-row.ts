import { and, asc, eq, gt, type SQL } from "drizzle-orm";
import * as z from "zod";
import { ApiError, notFound } from "../../domain/errors.ts";
import type { Database } from "../../platform/db/client.ts";
import { jobChanges } from "../../platform/db/schema.ts";
import { isSame, nextVersion, type VersionedRow } from "../../platform/db/statements.ts";
import {
  cursorOf,
  dropChanges,
  keepChanges,
  type RowFailure,
  type Slice,
  type Work,
} from "../../platform/jobs/run-slice.ts";

const At = z.object({ at: z.int() });

/** Processes the next selected rows one by one. `plan` returns the statements for a row, or throws the reason it fails. */
export async function sliceByRow<Row extends { id: number }>(
  { job, limit }: Work,
  ids: readonly number[],
  read: (ids: number[]) => Promise<Row[]>,
  plan: (row: Row) => Slice["writes"],
): Promise<Slice> {
  const { at } = cursorOf(job, (value) => At.parse(value), { at: 0 });
  const chosen = ids.slice(at, at + limit);
  const rows = new Map((await read(chosen)).map((row) => [row.id, row]));
  const failures: RowFailure[] = [];
  const writes = chosen.flatMap((id) => {
    try {
      const row = rows.get(id);
      if (!row) throw notFound("It");
      return plan(row);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failures.push({ subjectId: id, ...reasonOf(error) });
      return [];
    }
  });
  const [first] = chosen;
  return {
    writes,
    cursor: at + limit < ids.length ? { at: at + limit } : null,
    done: chosen.length - failures.length,
    failed: failures.length,
    failures,
    ...(first !== undefined && { row: { subjectId: first } }),
  };
}

/** Turns an error into a row's failure, with the message of the affected field if there is one. */
function reasonOf({ code, message, fields: [field] }: ApiError): Omit<RowFailure, "subjectId"> {
  if (code !== "validation_failed" || !field) return { code, message };
  return { field: field.field, code: field.code, message: field.message };
}

/** The values of a row that a job changed, by name. */
export type KeptValues = Record<string, { from: unknown; to: unknown }>;

/** The statement that stores a row's earlier values, so that the job can be undone. */
export const keepRow = ({ job, author }: Work, row: VersionedRow, kept: KeptValues): SQL =>
  keepChanges(job.id, JSON.stringify([{ subjectId: row.id, before: kept, version: nextVersion(row, author.now) }]));

const After = z.object({ id: z.int() });
const ChangedFields = z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }));

const EDITED_SINCE = { code: "changed_meanwhile", message: "was edited since and stays as it is" };

/** Finds what a job changed in rows after an id. */
const findChanges = (db: Database, jobId: number, after: number, limit: number) =>
  db
    .select({ id: jobChanges.subjectId, before: jobChanges.before })
    .from(jobChanges)
    .where(and(eq(jobChanges.jobId, jobId), gt(jobChanges.subjectId, after)))
    .orderBy(asc(jobChanges.subjectId))
    .limit(limit);

/** Restores rows' earlier values if they still have those that the job set. */
export async function undoByRow<Row extends { id: number }>(
  { db, job, limit }: Work,
  {
    read,
    shownIn,
    restore,
  }: {
    read: (ids: number[]) => Promise<Row[]>;
    shownIn: (row: Row, name: string) => unknown;
    restore: (row: Row, values: Record<string, unknown>) => SQL[];
  },
): Promise<Slice> {
  const jobId = job.undoOf ?? 0;
  const { id: after } = cursorOf(job, (value) => After.parse(value), { id: 0 });
  const changes = await findChanges(db, jobId, after, limit);
  const found = await read(changes.map(({ id }) => id));
  const rows = new Map(found.map((row) => [row.id, row]));
  const failures: RowFailure[] = [];
  const reverted: number[] = [];
  const writes = changes.flatMap(({ id, before }) => {
    const kept = Object.entries(ChangedFields.parse(before));
    const row = rows.get(id);
    if (row && kept.every(([name, { to }]) => isSame([shownIn(row, name)], [to]))) {
      reverted.push(id);
      return restore(row, Object.fromEntries(kept.map(([name, { from }]) => [name, from])));
    }
    failures.push({ subjectId: id, ...EDITED_SINCE });
    return [];
  });
  const [first, last] = [changes[0], changes.at(-1)];
  return {
    writes: [...writes, dropChanges(jobId, reverted)],
    cursor: changes.length < limit || !last ? null : { id: last.id },
    done: reverted.length,
    failed: failures.length,
    failures,
    ...(first && { row: { subjectId: first.id } }),
  };
}
