import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { exemptionError, NO_PASSWORD } from "../../../accounts/users/public.ts";
import { distinctTags, withFolded } from "../../../domain/tags.ts";
import { columnNames } from "../../../platform/administration/fields.ts";
import { auditStates } from "../../../platform/audit/audit.ts";
import type { Author, AuthorContext, WriteContext } from "../../../platform/auth/caller.ts";
import type { Database } from "../../../platform/db/client.ts";
import { jobChanges, orders, packages, transactions, users } from "../../../platform/db/schema.ts";
import { foldedWords, searchedTexts } from "../../../platform/db/search-words.ts";
import { precondition } from "../../../platform/db/statements.ts";
import { createTags, tagsAs } from "../../../platform/db/tags.ts";
import { cursorOf, dropChanges, keepChanges, type Slice, type Work } from "../../../platform/jobs/run-slice.ts";
import { isRowAmong, jsonRows, unusedId } from "../row-writes.ts";
import {
  type ChangedCustomer,
  type CreatedCustomer,
  type CustomerPlan,
  type CustomerState,
  customerFields,
} from "./plan.ts";

const edited = columnNames(customerFields);
const written = [...edited.map((column) => users[column]), users.foldedWords];
const names = sql.raw(written.map(({ name }) => name).join(", "));
const valueIn = (name: string): SQL => sql.raw(`each.value ->> '$.${name}'`);
const values = sql.join(
  written.map(({ name }) => (name === users.tags.name ? tagsAs("name", valueIn(name)) : valueIn(name))),
  sql`, `,
);

const nextVersion = ({ version }: { version: number }, { now }: Author): number => Math.max(now, version + 1);

const columnsOf = (state: CustomerState): Record<string, unknown> => ({
  ...Object.fromEntries(edited.map((column) => [users[column].name, users[column].mapToDriverValue(state[column])])),
  [users.foldedWords.name]: foldedWords(searchedTexts.users(state)),
  [users.tags.name]: JSON.stringify(withFolded(state.tags)),
});

/** Returns the statements that write a slice's plan. */
export const writeCustomers = (work: Work, { plan: { created, changed } }: { plan: CustomerPlan }): SQL[] => [
  createTags(distinctTags([...created, ...changed].flatMap(({ state }) => state.tags))),
  ...insertCustomers(work, created),
  ...updateCustomers(work, changed),
];

const byEmail = sql`${users} ON ${users.email} = each.value ->> 'email'`;

/**
 * New accounts have no password and no verified address: their owners get in through password recovery. The audit entry
 * names the import and nothing personal, because it outlives accounts that an undo deletes.
 */
function insertCustomers({ job, author }: Work, rows: CreatedCustomer[]): SQL[] {
  if (rows.length === 0) return [];
  const full = rows.map(({ id, state, createdAt, updatedAt, disabledAt }) => ({
    id,
    createdAt,
    updatedAt,
    disabledAt,
    ...columnsOf(state),
  }));
  const made = rows.map(({ state, updatedAt }) => ({ email: state.email, version: updatedAt }));
  return [
    sql`INSERT INTO users (id, ${names}, password_hash, role, disabled_at, created_at, updated_at)
      SELECT ${unusedId("users")}, ${values}, ${NO_PASSWORD}, 'customer', each.value ->> 'disabledAt',
        each.value ->> 'createdAt', each.value ->> 'updatedAt' FROM ${jsonRows(full)}`,
    auditStates(
      { author },
      {
        subject: "user",
        action: "create",
        id: sql`${users.id}`,
        after: sql`json_object('job_id', ${job.id})`,
        from: sql`FROM ${jsonRows(made)} JOIN ${byEmail}`,
      },
    ),
    keepChanges(
      job.id,
      sql`(SELECT json_group_array(json_object('subjectId', ${users.id}, 'version', each.value ->> 'version'))
        FROM ${jsonRows(made)} JOIN ${byEmail})`,
    ),
  ];
}

function updateCustomers({ job, author }: Work, rows: ChangedCustomer[]): SQL[] {
  if (rows.length === 0) return [];
  const full = rows.map((row) => ({
    id: row.id,
    before: row.before,
    after: row.after,
    version: nextVersion(row, author),
    ...columnsOf(row.state),
  }));
  const changes = rows.map((row) => ({
    subjectId: row.id,
    before: columnsOf(row.old),
    version: nextVersion(row, author),
  }));
  return [
    customersUnchangedSince(rows),
    setCustomers(full),
    auditStates(
      { author },
      {
        subject: "user",
        action: "update",
        id: sql`each.value ->> 'id'`,
        from: sql`FROM ${jsonRows(full)}`,
        before: sql`each.value -> 'before'`,
        after: sql`each.value -> 'after'`,
      },
    ),
    keepChanges(job.id, JSON.stringify(changes)),
  ];
}

/** Refuses the slice if one of the accounts was edited or deleted since it was read. */
const customersUnchangedSince = (rows: { id: number; version: number }[]): SQL =>
  precondition(sql`(
    SELECT count(*) = ${rows.length} FROM ${jsonRows(rows.map(({ id, version }) => ({ id, version })))}
    JOIN ${users} ON ${users.id} = each.value ->> 'id' AND ${users.updatedAt} = each.value ->> 'version'
      AND ${users.role} = 'customer')`);

const setCustomers = (rows: unknown[]): SQL => sql`
  UPDATE users SET (${names}, updated_at) = (SELECT ${values}, each.value ->> 'version')
  FROM ${jsonRows(rows)} WHERE users.id = each.value ->> 'id'`;

const After = z.object({ id: z.int() });

const Before = z.object({ tax_exempt_reason: z.string().nullable().default(null) });

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
  const reasonToKeep = ({ now, version, before, isUsed, taxExemptReason }: (typeof rows)[number]) => {
    if (now !== version || (before === null && isUsed)) return EDITED_SINCE;
    return exemptionError(author, { before: taxExemptReason, after: Before.parse(before ?? {}).tax_exempt_reason });
  };
  const kept = rows.flatMap((row) => {
    const reason = row.now === null ? undefined : reasonToKeep(row);
    return reason ? [{ id: row.id, code: reason.code, message: reason.message }] : [];
  });
  const isKept = new Set(kept.map(({ id }) => id));
  const undone = rows.filter(({ id, now }) => now !== null && !isKept.has(id));
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
    failures: kept.map(({ id: subjectId, ...reason }) => ({ subjectId, ...reason })),
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
      taxExemptReason: users.taxExemptReason,
      isUsed: sql`${hasRows(orders)} OR ${hasRows(packages)} OR ${hasRows(transactions)}`.mapWith(Boolean),
    })
    .from(jobChanges)
    .leftJoin(users, eq(users.id, jobChanges.subjectId))
    .where(and(eq(jobChanges.jobId, jobId), gt(jobChanges.subjectId, after)))
    .orderBy(jobChanges.subjectId)
    .limit(limit)
    .all();

/** Deletes unused accounts that a job created. */
const deleteCustomers = (ctx: AuthorContext, ids: number[]): SQL[] =>
  ids.length === 0
    ? []
    : [logAll(ctx, { action: "delete", ids }), ctx.db.delete(users).where(isRowAmong(users.id, ids)).getSQL()];

const logAll = (
  ctx: Pick<WriteContext, "author">,
  { action, ids }: { action: "delete" | "update"; ids: number[] },
): SQL =>
  auditStates(ctx, { subject: "user", action, id: sql`value`, from: sql`FROM json_each(${JSON.stringify(ids)})` });
