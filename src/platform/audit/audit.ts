import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Author, AuthorContext, Caller, WriteContext } from "../auth/caller.ts";
import type { Database } from "../db/client.ts";
import {
  allOf,
  type Conditions,
  isChosen,
  limitOf,
  type PageOf,
  readPage,
  unindexed,
  type Which,
  within,
} from "../db/page.ts";
import { auditLog } from "../db/schema.ts";
import { insertSelected } from "../db/statements.ts";
import type { AuditFilters, AuditQuery, AuditRow, subjects } from "./schemas.ts";

/** The statement that logs a write, for its batch. */
export const auditEntry = (ctx: Pick<WriteContext, "author">, { before, after, ...entry }: Entry): SQL =>
  auditStates(ctx, { ...entry, before: stateAsJson(before), after: stateAsJson(after) });

const stateAsJson = (state: Entry["after"]): SQL => sql`${state ? JSON.stringify(state) : null}`;

/** An entry with the states as SQL that returns JSON. */
type ComputedEntry = Pick<Entry, "action" | "subject" | "id"> & {
  before?: SQL;
  after?: SQL;
  /** `FROM` or `WHERE` of the statement, which logs each of its rows. By default one row. */
  from?: SQL;
};

/** The statement that logs a write whose states only the database knows. */
export const auditStates = (
  { author: { actor, address, requestId, now } }: Pick<WriteContext, "author">,
  { subject, action, id, before = sql`NULL`, after = sql`NULL`, from }: ComputedEntry,
): SQL => {
  const at = { at: now, actor, address, action: `${subject}.${action}` };
  const row = { ...at, subject, subjectId: sql`${id}`, before, after, requestId };
  return insertSelected(auditLog, row, from);
};

/** Logs an event that is not a write, such as a failed login. */
export const insertEntry = (ctx: AuthorContext, entry: Entry): Promise<unknown> => ctx.db.run(auditEntry(ctx, entry));

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
  const rows = selectEntries(db).where(where).orderBy(desc(auditLog.id));
  return readPage(db, query, rows, auditLog, where);
}

/**
 * The audited author of a write on the shop's own routes: an API key that creates an account, or places or cancels an order.
 * Actions of customers are not audited, nor are carts and logins through a key, which belong to shoppers.
 */
export const auditedKey = ({ kind }: Caller, author: Author): Author | null => (kind === "api_key" ? author : null);
type Fields = Record<string, unknown>;

/** A write in the audit log: `action` is a verb, fields have API names. Must not contain secrets. */
export type Entry = {
  action: string;
  subject: (typeof subjects)[number];
  /** Id of the subject. SQL for a row that the same batch inserts. */
  id: number | SQL;
  before?: Fields | null;
  after?: Fields | null;
};

/** The differing fields of two states. */
export function difference<State extends Fields>(before: State, after: State): { before: Fields; after: Fields } {
  const changed = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const pick = (state: State) => Object.fromEntries(changed.map((name) => [name, state[name]]));
  return { before: pick(before), after: pick(after) };
}
