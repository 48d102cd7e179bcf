import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Author } from "../../../platform/auth/author.ts";
import type { Database } from "../../../platform/db/client.ts";
import { jobChanges, users } from "../../../platform/db/schema.ts";

/** Finds what a job changed in accounts with ids after `after`, with their current values. */
export const findChanged = (db: Database, jobId: number, after: number, limit: number) =>
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
export const deleteCustomers = (ids: number[], author: Author): SQL[] =>
  ids.length === 0 ? [] : [logged("delete", ids, author), sql`DELETE FROM users WHERE id IN ${listed(ids)}`];

export const logged = (action: "delete" | "update", ids: number[], author: Author): SQL => sql`
  INSERT INTO audit_log (at, actor, address, action, subject, subject_id, before, after, request_id)
  SELECT ${author.now}, ${author.actor}, NULL, ${`user.${action}`}, 'user', value, NULL, NULL, ${author.requestId}
  FROM json_each(${JSON.stringify(ids)})`;
