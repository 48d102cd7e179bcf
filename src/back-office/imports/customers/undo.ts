import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { auditStates } from "../../../platform/audit/audit.ts";
import type { WriteContext } from "../../../platform/auth/write-context.ts";
import type { Database } from "../../../platform/db/client.ts";
import { jobChanges, orders, packages, transactions, users } from "../../../platform/db/schema.ts";
import type { Slice, Work } from "../../../platform/jobs/kind.ts";
import { cursorOf, dropChanges } from "../../../platform/jobs/run-slice.ts";
import { isRowAmong } from "../row-writes.ts";
import { customersUnchangedSince, setCustomers } from "./write.ts";

const After = z.object({ id: z.int() });

const EDITED_SINCE = {
  code: "changed_meanwhile",
  message: "was used or edited after the import and is left unchanged",
};

/** Undoes part of an import: deletes the accounts that it created, and restores earlier values of those it changed. */
export async function undoCustomers(work: Work): Promise<Slice> {
  const { db, job, author, limit } = work;
  const from = cursorOf(job, (value) => After.parse(value), { id: 0 });
  const jobId = job.undoOf ?? 0;
  const rows = await findChanged(db, jobId, from.id, limit);
  const undone = rows.filter(({ now, version, before, isUsed }) => now === version && (before !== null || !isUsed));
  const kept = rows.filter((row) => row.now !== null && !undone.includes(row));
  const made = undone.flatMap(({ id, before }) => (before === null ? [id] : []));
  const reverted = undone.flatMap(({ id, before, version }) =>
    before === null ? [] : [{ ...before, id, version: Math.max(author.now, version + 1) }],
  );
  const last = rows.at(-1);
  return {
    writes: [
      customersUnchangedSince(undone),
      dropChanges(
        jobId,
        undone.map(({ id }) => id),
      ),
      ...deleteCustomers(work, made),
      ...(reverted.length === 0
        ? []
        : [setCustomers(reverted), logAll(work, { action: "update", ids: reverted.map(({ id }) => id) })]),
    ],
    cursor: rows.length < limit || !last ? null : { id: last.id },
    done: rows.length - kept.length,
    failed: kept.length,
    failures: kept.map(({ id }) => ({ subjectId: id, ...EDITED_SINCE })),
    ...(last && { row: { subjectId: last.id } }),
  };
}

/** True if the table has rows of the account that a job changed. */
const hasRows = (table: typeof orders | typeof packages | typeof transactions): SQL =>
  sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.userId} = ${jobChanges.subjectId})`;

/** Finds what a job changed in accounts with ids after `after`, with their current values. */
const findChanged = (db: Database, jobId: number, after: number, limit: number) =>
  db
    .select({
      id: jobChanges.subjectId,
      before: jobChanges.before,
      version: jobChanges.version,
      now: sql<number | null>`${users.updatedAt}`,
      isUsed: sql`${hasRows(orders)} OR ${hasRows(packages)} OR ${hasRows(transactions)}`.mapWith(Boolean),
    })
    .from(jobChanges)
    .leftJoin(users, eq(users.id, jobChanges.subjectId))
    .where(and(eq(jobChanges.jobId, jobId), gt(jobChanges.subjectId, after)))
    .orderBy(jobChanges.subjectId)
    .limit(limit)
    .all();

/** Deletes unused accounts that a job created. */
const deleteCustomers = (ctx: Pick<WriteContext, "db" | "author">, ids: number[]): SQL[] =>
  ids.length === 0
    ? []
    : [logAll(ctx, { action: "delete", ids }), ctx.db.delete(users).where(isRowAmong(users.id, ids)).getSQL()];

const logAll = (
  ctx: Pick<WriteContext, "author">,
  { action, ids }: { action: "delete" | "update"; ids: number[] },
): SQL =>
  auditStates(ctx, { subject: "user", action, id: sql`value`, from: sql`FROM json_each(${JSON.stringify(ids)})` });
