import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { ApiError } from "../../domain/errors.ts";
import { auditEntry, difference, type Entry } from "../audit/audit.ts";
import type { AuthorContext } from "../auth/caller.ts";
import { requireRow } from "../db/client.ts";
import {
  isSame,
  merge,
  nextVersion,
  type Refusals,
  translateViolations,
  unchanged,
  type VersionedRow,
} from "../db/statements.ts";
import { editedMeanwhile, type IfMatch, requireVersion } from "../http/version.ts";
import { writeOnce } from "../idempotency/claims.ts";
import { requireFreshForChange } from "./sensitive-changes.ts";

type Fields = Record<string, unknown>;

/** A table that administrators write: how to read a row back, and its form in the audit log. */
export type AuditedTable<Row extends VersionedRow & State, State extends object> = {
  table: SQLiteTable & { id: SQLiteColumn };
  name: Parameters<typeof unchanged>[0];
  subject: Entry["subject"];
  /** A row of the table as one JSON object. */
  json: SQL<Row>;
  audited: (state: State) => Fields;
  /** Searched texts of a row, and the columns with their folded words. */
  folded?: { texts: (state: State) => string[]; column: (texts: string[]) => Fields };
  /** Errors by violated database rule. */
  refusals?: Refusals;
};

/** A new row: its columns, the condition that finds it, and its audit entry. */
export type Creation<State> = {
  row: Fields;
  where: SQL;
  state: State;
  details?: Fields;
  /** Statements before the row's, and after it with its id. */
  ahead?: SQL[];
  statements?: (id: SQL) => SQL[];
  secret?: object;
};

/** Inserts a row with its audit entry, in one batch. `secret` is a part of the response that no table stores. */
export async function applyCreation<Row extends VersionedRow & State, State extends object>(
  { db, author }: AuthorContext,
  {
    target,
    row,
    where,
    state,
    details,
    ahead = [],
    statements,
    secret,
  }: Creation<State> & { target: AuditedTable<Row, State> },
): Promise<Row> {
  const { table, name, subject, json, audited, folded } = target;
  const after = { ...audited(state), ...details };
  requireFreshForChange(author, { subject, after });
  const id = sql`(SELECT id FROM ${sql.identifier(name)} WHERE ${where})`;
  const writes = [
    ...ahead,
    db
      .insert(table)
      .values({ ...row, ...folded?.column(folded.texts(state)), createdAt: author.now, updatedAt: author.now })
      .getSQL(),
    ...(statements?.(id) ?? []),
    auditEntry({ author }, { action: "create", subject, id, after }),
  ];
  const answer = sql`(SELECT ${json} FROM ${sql.identifier(name)} WHERE id = ${id})`;
  const written = writeOnce<Row>({ db, author }, { writes, answer, secret });
  return requireRow(await translateViolations(written, target.refusals ?? {}));
}

/** A change: the columns it sets, and further statements. */
type Change<Row, State> = {
  columns: { [Name in keyof Row]?: Row[Name] | undefined };
  /** Columns that SQL computes. Their values for the audit log are in `related`. */
  stored?: Record<string, SQL>;
  /** Statements before the row's, and after it. */
  ahead?: SQL[];
  statements?: SQL[];
  /** Related values that the statements or SQL change. */
  related?: { [Name in keyof State]?: State[Name] | undefined };
  /** Further audited values. */
  details?: Fields;
  secret?: object;
  /** True to apply the change even if the row was edited since. */
  anyVersion?: true;
  /** Errors that depend on more than the rule's name. */
  refusals?: Refusals;
};

/** A row that was just read, and the change's name in the audit log. */
type AuditedWrite<Row extends VersionedRow & State, State extends object> = {
  target: AuditedTable<Row, State>;
  action: string;
  before: Row;
};

/**
 * Applies an administrator's change to a row that was just read. Refuses it if `If-Match` names another version or the row
 * was edited since. Writes it with its audit entry and reads it back in one batch.
 */
export async function applyChange<Row extends VersionedRow & State, State extends object>(
  ctx: AuthorContext,
  {
    ifMatch,
    decide,
    ...changing
  }: AuditedWrite<Row, State> & {
    /** The header, or the version in the form. */
    ifMatch: IfMatch;
    decide: (before: Row) => Change<Row, State> | Promise<Change<Row, State>>;
  },
): Promise<Row> {
  const { target, before } = changing;
  requireVersion(ifMatch, before.updatedAt);
  const change = await decide(before);
  const { name, json } = target;
  const answer = sql`(SELECT ${json} FROM ${sql.identifier(name)} WHERE id = ${before.id})`;
  const writes = changeWrites(ctx, { ...changing, change });
  const written = writeOnce<Row>(ctx, { writes, answer, secret: change.secret });
  return requireRow(await translateViolations(written, { ...target.refusals, ...change.refusals, ...editedMeanwhile }));
}

/** Statements of a change, for its batch. Empty if nothing changes. */
export function changeWrites<Row extends VersionedRow & State, State extends object>(
  { db, author }: AuthorContext,
  { target, action, before, change }: AuditedWrite<Row, State> & { change: Change<Row, State> },
): SQL[] {
  const { table, name, subject, audited, folded } = target;
  const { columns, stored, ahead = [], statements = [], related = {}, details, anyVersion } = change;
  const after = merge(before, columns);
  const states = difference(audited(before), { ...audited(merge<State>(after, related)), ...details });
  if (isSame(before, after) && isSame({}, states.after ?? {})) return [];
  requireFreshForChange(author, { subject, ...states });
  const texts = folded?.texts(after) ?? [];
  const isFolded = isSame(texts, folded?.texts(before) ?? []);
  return [
    ...(anyVersion ? [] : [unchanged(name, before)]),
    ...ahead,
    db
      .update(table)
      .set({
        ...columns,
        ...stored,
        ...(!isFolded && folded?.column(texts)),
        updatedAt: nextVersion(before, author.now),
      })
      .where(sql`id = ${before.id}`)
      .getSQL(),
    ...statements,
    auditEntry({ author }, { action, subject, id: before.id, ...states }),
  ];
}

type Deletion<Row extends VersionedRow & State, State extends object> = {
  target: AuditedTable<Row, State>;
  before: Row;
  ifMatch: IfMatch;
  /** The error if others refer to the row. */
  inUse?: (() => ApiError) | undefined;
  statements?: SQL[];
};

/** Deletes a row that was just read, with its audit entry. */
export async function applyDeletion<Row extends VersionedRow & State, State extends object>(
  { db, author }: AuthorContext,
  { target, before, ifMatch, inUse, statements = [] }: Deletion<Row, State>,
): Promise<void> {
  requireVersion(ifMatch, before.updatedAt);
  const { name, subject, audited } = target;
  requireFreshForChange(author, { subject, after: { deleted: true } });
  const writes = [
    unchanged(name, before),
    ...statements,
    sql`DELETE FROM ${sql.identifier(name)} WHERE id = ${before.id}`,
    auditEntry({ author }, { action: "delete", subject, id: before.id, before: audited(before) }),
  ];
  await translateViolations(writeOnce({ db, author }, { writes, answer: sql`NULL` }), {
    ...(inUse && { "FOREIGN KEY": inUse }),
    ...editedMeanwhile,
  });
}
