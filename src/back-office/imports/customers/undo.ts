import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Author } from "../../../platform/auth/author.ts";
import type { Database } from "../../../platform/db/client.ts";
import { jobChanges, users } from "../../../platform/db/schema.ts";
import type { Slice, Work } from "../../../platform/jobs/kind.ts";
import { cursorOf, dropChanges } from "../../../platform/jobs/run-slice.ts";
import { setCustomers, unchangedSince } from "./write.ts";

const After = z.object({ id: z.int() });

const EDITED_SINCE = {
  code: "changed_meanwhile",
  message: "was used or edited after the import and is left unchanged",
};

/** Undoes part of an import: deletes the accounts that it created, and restores earlier values of those it changed. */
export async function undoCustomers({ db, job, author, limit }: Work): Promise<Slice> {
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
      unchangedSince(undone),
      dropChanges(
        jobId,
        undone.map(({ id }) => id),
      ),
      ...deleteCustomers(made, author),
      ...(reverted.length === 0
        ? []
        : [
            setCustomers(reverted),
            logged(
              "update",
              reverted.map(({ id }) => id),
              author,
            ),
          ]),
    ],
    cursor: rows.length < limit || !last ? null : { id: last.id },
    done: rows.length - kept.length,
    failed: kept.length,
    failures: kept.map(({ id }) => ({ subjectId: id, ...EDITED_SINCE })),
    ...(last && { row: { subjectId: last.id } }),
  };
}

/** Finds what a job changed in accounts with ids after `after`, with their current values. */
const findChanged = (db: Database, jobId: number, after: number, limit: number) =>
  db
    .select({
      id: jobChanges.subjectId,
      before: jobChanges.before,
      version: jobChanges.version,
      now: sql<number | null>`users.updated_at`,
      isUsed: sql`EXISTS (SELECT 1 FROM orders WHERE user_id = subject_id)
        OR EXISTS (SELECT 1 FROM packages WHERE user_id = subject_id)
        OR EXISTS (SELECT 1 FROM transactions WHERE user_id = subject_id)`.mapWith(Boolean),
    })
    .from(jobChanges)
    .leftJoin(users, eq(users.id, jobChanges.subjectId))
    .where(and(eq(jobChanges.jobId, jobId), gt(jobChanges.subjectId, after)))
    .orderBy(jobChanges.subjectId)
    .limit(limit)
    .all();

const listed = (ids: number[]): SQL => sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** Deletes unused accounts that a job created. */
const deleteCustomers = (ids: number[], author: Author): SQL[] =>
  ids.length === 0 ? [] : [logged("delete", ids, author), sql`DELETE FROM users WHERE id IN ${listed(ids)}`];

const logged = (action: "delete" | "update", ids: number[], author: Author): SQL => sql`
  INSERT INTO audit_log (at, actor, address, action, subject, subject_id, before, after, request_id)
  SELECT ${author.now}, ${author.actor}, NULL, ${`user.${action}`}, 'user', value, NULL, NULL, ${author.requestId}
  FROM json_each(${JSON.stringify(ids)})`;
