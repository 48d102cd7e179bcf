import { type SQL, sql } from "drizzle-orm";
import { NO_PASSWORD } from "../../../accounts/users/public.ts";
import type { Author } from "../../../platform/auth/author.ts";
import { users } from "../../../platform/db/schema.ts";
import { foldedWords, searchedTexts } from "../../../platform/db/search-words.ts";
import type { Work } from "../../../platform/jobs/kind.ts";
import { keepChanges } from "../../../platform/jobs/run-slice.ts";
import type { JobRow } from "../../../platform/jobs/schemas.ts";
import { unusedId } from "../planned.ts";
import type { ChangedRow, CreatedRow, CustomerState, Plan } from "./plan.ts";
import { customerFields } from "./shape.ts";

const written = [...Object.values(customerFields).map(({ column }) => users[column]), users.foldedWords];
const names = sql.raw(written.map(({ name }) => name).join(", "));
const values = sql.raw(written.map(({ name }) => `each.value ->> '$.${name}'`).join(", "));

const rowsOf = (rows: unknown[]): SQL => sql`json_each(${JSON.stringify(rows)}) AS each`;
const nextVersion = ({ version }: { version: number }, { now }: Author): number => Math.max(now, version + 1);

const columnsOf = (state: CustomerState): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.values(customerFields).map(({ column }) => [
      users[column].name,
      users[column].mapToDriverValue(state[column]),
    ]),
  ),
  [users.foldedWords.name]: foldedWords(searchedTexts.users(state)),
});

/** Returns the statements that write a slice's plan. */
export const writePlan = ({ created, changed }: Plan, { job, author }: Pick<Work, "job" | "author">): SQL[] => [
  ...insertCustomers(created, job, author),
  ...updateCustomers(changed, job, author),
];

const byEmail = sql`users ON users.email = each.value ->> 'email'`;

/**
 * New accounts have no password and no verified address: their owners get in through password recovery. The audit entry names
 * the import and nothing personal, since it outlives accounts that an undo deletes.
 */
function insertCustomers(rows: CreatedRow[], job: JobRow, author: Author): SQL[] {
  if (rows.length === 0) return [];
  const full = rows.map(({ id, state, createdAt, updatedAt, disabledAt }) => ({
    ...{ id, createdAt, updatedAt, disabledAt },
    ...columnsOf(state),
  }));
  const made = rows.map(({ state, updatedAt }) => ({ email: state.email, version: updatedAt }));
  return [
    sql`INSERT INTO users (id, ${names}, password_hash, role, disabled_at, created_at, updated_at)
      SELECT ${unusedId("users")}, ${values}, ${NO_PASSWORD}, 'customer', each.value ->> 'disabledAt',
        each.value ->> 'createdAt', each.value ->> 'updatedAt' FROM ${rowsOf(full)}`,
    sql`INSERT INTO audit_log (at, actor, address, action, subject, subject_id, before, after, request_id)
      SELECT ${author.now}, ${author.actor}, NULL, 'user.create', 'user', users.id, NULL, json_object('job_id', ${job.id}),
        ${author.requestId} FROM ${rowsOf(made)} JOIN ${byEmail}`,
    keepChanges(
      job.id,
      sql`(SELECT json_group_array(json_object('subjectId', users.id, 'version', each.value ->> 'version'))
        FROM ${rowsOf(made)} JOIN ${byEmail})`,
    ),
  ];
}

function updateCustomers(rows: ChangedRow[], job: JobRow, author: Author): SQL[] {
  if (rows.length === 0) return [];
  const full = rows.map((row) => ({
    ...{ id: row.id, before: row.before, after: row.after, version: nextVersion(row, author) },
    ...columnsOf(row.state),
  }));
  const changes = rows.map((row) => ({
    subjectId: row.id,
    before: columnsOf(row.old),
    version: nextVersion(row, author),
  }));
  return [
    unchangedSince(rows),
    setCustomers(full),
    sql`INSERT INTO audit_log (at, actor, address, action, subject, subject_id, before, after, request_id)
      SELECT ${author.now}, ${author.actor}, NULL, 'user.update', 'user', each.value ->> 'id', each.value -> 'before',
        each.value -> 'after', ${author.requestId} FROM ${rowsOf(full)}`,
    keepChanges(job.id, JSON.stringify(changes)),
  ];
}

/** Refuses the slice if one of the accounts was edited or deleted since it was read. */
export const unchangedSince = (rows: { id: number; version: number }[]): SQL => sql`
  INSERT INTO preconditions (holds) SELECT count(*) = ${rows.length}
  FROM ${rowsOf(rows.map(({ id, version }) => ({ id, version })))}
  JOIN users ON users.id = each.value ->> 'id' AND users.updated_at = each.value ->> 'version' AND role = 'customer'`;

export const setCustomers = (rows: unknown[]): SQL => sql`
  UPDATE users SET (${names}, updated_at) = (SELECT ${values}, each.value ->> 'version')
  FROM ${rowsOf(rows)} WHERE users.id = each.value ->> 'id'`;
