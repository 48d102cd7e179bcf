import { and, desc, eq, getTableColumns, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Author } from "../auth/author.ts";
import type { Database } from "../db/client.ts";
import { type PageOf, readPage } from "../db/page.ts";
import { auditLog } from "../db/schema.ts";
import { limitAndOffset } from "../http/pagination.ts";
import type { Entry } from "./entry.ts";
import type { AuditQuery, AuditRow } from "./schemas.ts";

/** The statement that logs a write, for the batch that makes it. A row that is inserted there has its id as SQL. */
export const auditEntry = (author: Author, entry: Entry, subjectId: number | SQL): SQL =>
  auditStates(author, entry, subjectId, {
    before: sql`${entry.before && JSON.stringify(entry.before)}`,
    after: sql`${entry.after && JSON.stringify(entry.after)}`,
  });

/** The statement that logs a write whose states only the database knows: `before` and `after` are SQL that gives JSON. */
export const auditStates = (
  { actor, address, requestId, now }: Author,
  { subject, action }: Pick<Entry, "subject" | "action">,
  subjectId: number | SQL,
  { before, after }: { before: SQL; after: SQL },
): SQL => sql`
  INSERT INTO audit_log (at, actor, address, action, subject, subject_id, before, after, request_id)
  VALUES (${now}, ${actor}, ${address}, ${`${subject}.${action}`}, ${subject}, ${subjectId}, ${before}, ${after}, ${requestId})`;

/** Logs an event that is no write, such as a failed login. */
export const insertEntry = (db: Database, author: Author, entry: Entry, subjectId: number): Promise<unknown> =>
  db.run(auditEntry(author, entry, subjectId));

/** The display name of the actor, as long as the user or key exists. */
export const actorName = sql<string | null>`CASE
  WHEN actor LIKE 'user:%' THEN (SELECT name FROM users WHERE id = CAST(substr(actor, 6) AS INTEGER))
  WHEN actor LIKE 'api_key:%' THEN (SELECT name FROM api_keys WHERE id = CAST(substr(actor, 9) AS INTEGER))
END`;

/** A page of the log, newest first, and how many entries there are, in one round trip. */
export function listAuditLog(db: Database, query: AuditQuery): Promise<PageOf<AuditRow>> {
  const { actor, subject, subject_id, from, to } = query;
  const where = and(
    actor === undefined ? undefined : eq(auditLog.actor, actor),
    subject && eq(auditLog.subject, subject),
    subject_id === undefined ? undefined : eq(auditLog.subjectId, subject_id),
    from === undefined ? undefined : gte(auditLog.at, from),
    to === undefined ? undefined : lt(auditLog.at, to),
  );
  const { limit, offset } = limitAndOffset(query);
  const rows = db
    .select({ ...getTableColumns(auditLog), actorName })
    .from(auditLog)
    .where(where)
    .orderBy(desc(auditLog.id))
    .limit(limit)
    .offset(offset);
  return readPage(db, rows, auditLog, where);
}
