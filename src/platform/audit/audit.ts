import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Author } from "../auth/author.ts";
import type { Database } from "../db/client.ts";
import { allOf, type Conditions, type PageOf, readPage } from "../db/page.ts";
import { auditLog } from "../db/schema.ts";
import { isChosen, limitOf, unindexed, type Which, within } from "../db/span.ts";
import { limitAndOffset } from "../http/pagination.ts";
import type { Entry } from "./entry.ts";
import type { AuditFilters, AuditQuery, AuditRow } from "./schemas.ts";

/** The statement that logs a write, for its batch. The id of a row inserted there is SQL. */
export const auditEntry = (author: Author, entry: Entry, subjectId: number | SQL): SQL =>
  auditStates(author, entry, subjectId, {
    before: sql`${entry.before && JSON.stringify(entry.before)}`,
    after: sql`${entry.after && JSON.stringify(entry.after)}`,
  });

/**
 * The statement that logs a write whose states only the database knows: `before` and `after` are SQL that returns JSON. Logs
 * nothing unless `happens` holds.
 */
export const auditStates = (
  { actor, address, requestId, now }: Author,
  { subject, action }: Pick<Entry, "subject" | "action">,
  subjectId: number | SQL,
  { before, after }: { before: SQL; after: SQL },
  happens: SQL = sql`true`,
): SQL => sql`
  INSERT INTO audit_log (at, actor, address, action, subject, subject_id, before, after, request_id)
  SELECT ${now}, ${actor}, ${address}, ${`${subject}.${action}`}, ${subject}, ${subjectId}, ${before}, ${after}, ${requestId}
  WHERE ${happens}`;

/** Logs an event that is not a write, such as a failed login. */
export const insertEntry = (db: Database, author: Author, entry: Entry, subjectId: number): Promise<unknown> =>
  db.run(auditEntry(author, entry, subjectId));

/** Display name of the actor, while the user or key exists. */
export const actorName = sql<string | null>`CASE
  WHEN actor LIKE 'user:%' THEN (SELECT name FROM users WHERE id = CAST(substr(actor, 6) AS INTEGER))
  WHEN actor LIKE 'api_key:%' THEN (SELECT name FROM api_keys WHERE id = CAST(substr(actor, 9) AS INTEGER))
END`;

const conditions = (query: AuditFilters, subject: SQL | SQLiteColumn = auditLog.subject): SQL | undefined =>
  and(
    allOf({
      actor: query.actor === undefined ? undefined : eq(auditLog.actor, query.actor),
      subject: query.subject && eq(sql`${subject}`, query.subject),
      subject_id: query.subject_id === undefined ? undefined : eq(auditLog.subjectId, query.subject_id),
    } satisfies Conditions<AuditFilters>),
    within(auditLog.at, query),
  );

const selectEntries = (db: Database) => db.select({ ...getTableColumns(auditLog), actorName }).from(auditLog);

/** Entries in id order, in which the subjects' index lists those of one row. */
export function walkEntries(db: Database, query: AuditFilters, which: Which): Promise<AuditRow[]> {
  const subject = query.subject_id === undefined ? unindexed(auditLog.subject) : auditLog.subject;
  return selectEntries(db)
    .where(and(conditions(query, subject), isChosen(auditLog.id, which)))
    .orderBy(auditLog.id)
    .limit(limitOf(which))
    .all();
}

/** A page of the log, newest first, with its total, in one round trip. */
export function listAuditLog(db: Database, query: AuditQuery): Promise<PageOf<AuditRow>> {
  const where = conditions(query);
  const { limit, offset } = limitAndOffset(query);
  const rows = selectEntries(db).where(where).orderBy(desc(auditLog.id)).limit(limit).offset(offset);
  return readPage(db, rows, auditLog, where);
}
