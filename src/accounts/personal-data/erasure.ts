import { eq, is, type SQL, sql } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { conflict, notFound } from "../../domain/errors.ts";
import { limits } from "../../domain/limits.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import type { Author } from "../../platform/auth/author.ts";
import { isStaff } from "../../platform/auth/roles.ts";
import { forgetUser } from "../../platform/auth/users/limiter.ts";
import { type Database, requireFirst, statement, writeThenRead } from "../../platform/db/client.ts";
import { versionAfter } from "../../platform/db/precondition.ts";
import * as schema from "../../platform/db/schema.ts";
import { users } from "../../platform/db/schema.ts";
import { translateViolations } from "../../platform/db/violation.ts";
import { queueEmail } from "../../platform/email/emails.ts";
import { editedMeanwhile } from "../../platform/http/version.ts";
import { isFree } from "../../platform/queues/failed-items.ts";
import { workOff } from "../../platform/queues/work-off.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { confirmPassword, endSessions, erasureRefusals, NO_PASSWORD, type OwnRequest } from "../users/public.ts";

type Erasing = { env: Env; db: Database; settings: Settings };

/** Erases the caller's own account and ends every session, including the current one. */
export async function eraseOwnAccount(request: OwnRequest, password: string) {
  const { author, caller } = request;
  const { id, passwordHash } = await confirmPassword(request, password);
  return erase(request, { id, author, audit: isStaff(caller.role) ? author : null, verified: passwordHash });
}

export const eraseCustomer = (erasing: Erasing, id: number, author: Author) =>
  erase(erasing, { id, author, audit: author });

async function erase({ env, db, settings }: Erasing, change: ErasureChange) {
  const { id, author } = change;
  const notice = { template: "erasure_requested", params: {}, userId: id } as const;
  const requested = await requestErasure(db, change, [queueEmail(settings.linkSecrets, notice, author.now)]);
  await forgetUser(env, id);
  return requested;
}

export const keepOwnAccount = ({ db, caller: { id }, author }: OwnRequest) =>
  undoErasure(db, { id, author, audit: null });

export const keepCustomer = (db: Database, id: number, author: Author) =>
  undoErasure(db, { id, author, audit: author });

const refusals = {
  ...erasureRefusals,
  wallet_not_empty: () =>
    conflict("wallet_not_empty", "There is money in the wallet: spend it, or ask the shop to pay it out"),
  orders_open: () =>
    conflict("orders_open", "An order is not paid or not sent yet: cancel it, or wait until it is on its way"),
};

/**
 * The account to erase and the author named in the audit log, null when customers erase themselves. `verified` is the hash of
 * the password they entered, which must still be the account's.
 */
type ErasureChange = { id: number; author: Author; audit: Author | null; verified?: string };

async function write(db: Database, change: ErasureChange, action: string, eraseAt: SQL, more: SQL[]) {
  const { id, author, audit, verified } = change;
  const holds = verified === undefined ? sql`TRUE` : sql`password_hash = ${verified}`;
  const writes = [
    sql`INSERT INTO preconditions (holds) SELECT EXISTS (SELECT 1 FROM users WHERE id = ${id} AND ${holds})`,
    sql`UPDATE users SET erase_at = ${eraseAt}, updated_at = ${versionAfter(author.now)} WHERE id = ${id}`,
    ...more,
    ...(audit ? [auditEntry({ author: audit }, { action, subject: "user", id })] : []),
  ];
  const read = db.select({ eraseAt: users.eraseAt }).from(users).where(eq(users.id, id));
  return requireFirst(
    await translateViolations(writeThenRead(db, writes, read), {
      ...refusals,
      ...(verified === undefined ? { row_changed: () => notFound(`User ${id}`) } : editedMeanwhile),
    }),
  );
}

/** Schedules the erasure of an account and signs it out. A repeated request keeps the original due date. */
const requestErasure = (db: Database, change: ErasureChange, notices: SQL[]) =>
  write(db, change, "erase", sql`coalesce(erase_at, ${versionAfter(change.author.now)} + ${limits.ERASURE_GRACE_MS})`, [
    endSessions(change.id, change.author.now),
    ...notices,
  ]);

const undoErasure = (db: Database, change: ErasureChange) => write(db, change, "restore", sql`NULL`, []);

type Due = { id: number; email: string };

/** Lifetime of an Idempotency-Key. After that, no stored response contains the order. */
const SETTLED_MS = 24 * 60 * 60_000;

/** Accounts due for erasure without money, open orders, or orders changed within a day. */
const findDueAccounts = (db: Database, now: number, most: number): Promise<Due[]> =>
  db.all<Due>(sql`
    SELECT id, email FROM users WHERE erase_at <= ${now} AND erased_at IS NULL AND wallet_balance = 0
      AND ${isFree("erase_accounts", users.id, now)} AND NOT EXISTS (
      SELECT 1 FROM orders WHERE user_id = users.id
        AND (status IN ('pending', 'processing') OR updated_at > ${now - SETTLED_MS}))
    ORDER BY erase_at, id LIMIT ${most}`);

type Column = keyof typeof users.$inferSelect;
type Kept = "id" | "role" | "walletBalance" | "eraseAt" | "createdAt" | "updatedAt";

/** Replaces the personal data of an erased account. The e-mail address is random, and no password matches. */
const erased = (now: number) =>
  ({
    email: `erased-${crypto.randomUUID()}@erased.invalid`,
    emailVerifiedAt: null,
    formerlyVerifiedAt: null,
    walletLockedUntil: null,
    pendingEmail: null,
    name: "Erased account",
    foldedWords: null,
    passwordHash: NO_PASSWORD,
    disabledAt: now,
    phone: null,
    company: null,
    acceptsMarketing: false,
    taxExemptReason: null,
    metadata: {},
    erasedAt: now,
  }) satisfies { [Name in Exclude<Column, Kept>]: unknown };

/**
 * Erases an account in one batch. Its own row comes first: guards allow the other rows to change once that row is erased, and
 * refuse the batch if the erasure was undone in the meantime.
 */
async function eraseAccount(db: Database, due: Due, now: number): Promise<void> {
  const { id, email } = due;
  const account = db
    .update(users)
    .set({ ...erased(now), updatedAt: versionAfter(now) })
    .where(sql`${users.id} = ${id}`);
  const author = { actor: "system", address: null, requestId: crypto.randomUUID(), now };
  const others = [
    ...deleteRowsOfAccount(id),
    sql`DELETE FROM idempotency_keys WHERE caller IN (${`user:${id}`}, ${`anonymous:${email}`})`,
    ...fromOrders(id, now),
    ...fromPackages(id, now),
    ...fromImports(id),
    ...fromBulkActions,
    ...fromSavedViews(due, now),
    ...fromAuditLog(id),
    auditEntry({ author }, { action: "erased", subject: "user", id }),
  ];
  await db.batch([account, ...others.map((query) => statement(db, query))]);
}

const ordersOf = (id: number): SQL => sql`(SELECT id FROM orders WHERE user_id = ${id})`;
const packagesOf = (id: number): SQL => sql`(SELECT id FROM packages WHERE user_id = ${id})`;

/** Keeps orders, lines, amounts, status history and the ledger. Removes the customer, addresses, shipments and notes. */
const fromOrders = (id: number, now: number): SQL[] => [
  sql`UPDATE orders SET customer_name = NULL, customer_email = NULL, folded_words = NULL, shipping_address = NULL, billing_address = NULL, note = NULL,
    tax_exempt_reason = NULL, fingerprint = NULL, updated_by = 'system', updated_at = ${versionAfter(now)} WHERE user_id = ${id}`,
  sql`DELETE FROM shipments WHERE order_id IN ${ordersOf(id)}`,
  sql`DELETE FROM order_notes WHERE order_id IN ${ordersOf(id)}`,
  sql`UPDATE order_history SET note = NULL WHERE note IS NOT NULL AND order_id IN ${ordersOf(id)}`,
  sql`UPDATE transactions SET note = NULL WHERE note IS NOT NULL AND user_id = ${id}`,
];

/**
 * A bought package is named after its product. The name of a granted one is replaced, because staff wrote it for its holder.
 */
const fromPackages = (id: number, now: number): SQL[] => [
  sql`UPDATE packages SET revoked_at = coalesce(revoked_at, ${now}), updated_at = ${versionAfter(now)},
    name = iif(order_id IS NULL, 'Granted package', name) WHERE user_id = ${id}`,
];

/**
 * Removes what undoing a customer import could restore, and all rows shown on import pages, because they cannot be attributed
 * to a person.
 */
const fromImports = (id: number): SQL[] => [
  sql`DELETE FROM job_changes WHERE subject_id = ${id} AND job_id IN (SELECT id FROM jobs WHERE kind = 'import_customers')`,
  sql`UPDATE imports SET samples = '[]' WHERE resource = 'customers' AND samples <> '[]'`,
];

/**
 * Removes all notes of bulk order changes, because they cannot be attributed to a person. Other customers' notes remain in
 * their order history.
 */
const fromBulkActions: SQL[] = [
  sql`UPDATE jobs SET parameters = json_set(parameters, '$.note', NULL)
    WHERE kind = 'change_orders' AND state NOT IN ('queued', 'running') AND parameters ->> 'note' IS NOT NULL`,
];

/** True if a text contains the person's e-mail address as a word. */
const says = (text: SQL, email: string): SQL =>
  sql`instr(' ' || lower(${text}) || ' ', ${` ${email.toLowerCase()} `}) > 0`;

/**
 * Deletes staff's saved views that search for the person, and renames views named after their e-mail address. A person's name
 * is not matched: its owner chose it, and "unpaid orders" is a possible name.
 */
const fromSavedViews = ({ email }: Due, now: number): SQL[] => [
  sql`DELETE FROM saved_views WHERE list IN ('orders', 'users') AND ${says(sql`(filters ->> 'search')`, email)}`,
  sql`UPDATE saved_views SET name = 'View ' || lower(hex(randomblob(4))), updated_at = ${versionAfter(now)}
    WHERE ${says(sql`saved_views.name`, email)}`,
];

const PERSONAL = sql.raw("'$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name'");

const fromAuditLog = (id: number): SQL[] => [
  sql`UPDATE audit_log SET before = NULL, after = NULL WHERE subject = 'user' AND subject_id = ${id}`,
  ...Object.entries({ order: ordersOf(id), package: packagesOf(id) }).map(
    ([subject, ids]) => sql`
      UPDATE audit_log SET before = json_remove(before, ${PERSONAL}), after = json_remove(after, ${PERSONAL})
      WHERE subject = ${subject} AND subject_id IN ${ids}`,
  ),
  sql`UPDATE audit_log SET address = NULL WHERE actor = ${`user:${id}`}`,
];

/** Number of accounts that one scheduled run erases. The next run takes the rest. */
const AT_ONCE = 20;

export const eraseDueAccounts = (env: Env, db: Database, now: number): Promise<void> =>
  workOff(db, now, {
    queue: "erase_accounts",
    find: () => findDueAccounts(db, now, AT_ONCE),
    idOf: ({ id }) => id,
    run: async (account) => {
      await eraseAccount(db, account, now);
      await forgetUser(env, account.id);
    },
  });

/** Deletes the rows that belong to an account only: those of every table that cascades from it. */
const deleteRowsOfAccount = (id: number): SQL[] =>
  Object.values(schema).flatMap((table) => {
    if (!is(table, SQLiteTable)) return [];
    const { name, foreignKeys } = getTableConfig(table);
    return foreignKeys.flatMap((key) => {
      const { columns, foreignTable } = key.reference();
      const [column] = columns;
      if (key.onDelete !== "cascade" || foreignTable !== schema.users || !column) return [];
      return [sql`DELETE FROM ${sql.identifier(name)} WHERE ${sql.identifier(column.name)} = ${id}`];
    });
  });
