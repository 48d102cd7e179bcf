import { and, eq, inArray, is, isNull, lte, not, type SQL, sql } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { eraseSubscriptions } from "../../checkout/subscriptions/public.ts";
import { eraseLicenseKeys } from "../../downloads/license-keys/public.ts";
import { erasePackages } from "../../downloads/packages/public.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import { forgetUser } from "../../platform/auth/user-limiter.ts";
import { type Database, statement } from "../../platform/db/client.ts";
import { goingOn } from "../../platform/db/order-payment.ts";
import * as schema from "../../platform/db/schema.ts";
import {
  auditLog,
  checkoutSessions,
  draftOrders,
  idempotencyKeys,
  imports,
  jobChanges,
  jobs,
  linkTokens,
  orderHistory,
  orderItems,
  orderNotes,
  orders,
  packages,
  returns,
  savedViews,
  shipments,
  staffInvitations,
  transactions,
  users,
} from "../../platform/db/schema.ts";
import { updateRows, versionAfter, violates } from "../../platform/db/statements.ts";
import { isAmong, isFree } from "../../platform/queues/failed-items.ts";
import { workOff } from "../../platform/queues/work-off.ts";
import { NO_PASSWORD } from "../users/public.ts";

type Due = { id: number; email: string };

/** Lifetime of an Idempotency-Key. After that, no stored response contains the order. */
const SETTLED_MS = 24 * 60 * 60_000;

/** Accounts due for erasure without money, open or unpaid orders, or orders changed within a day. */
export const isDueForErasure = (now: number): SQL | undefined =>
  and(
    lte(users.eraseAt, now),
    isNull(users.erasedAt),
    eq(users.walletBalance, 0),
    sql`NOT EXISTS (SELECT 1 FROM ${orders} WHERE ${orders.userId} = ${users.id}
      AND (${orders.status} IN ('pending', 'processing') OR ${orders.updatedAt} > ${now - SETTLED_MS}
        OR ${inArray(orders.status, [...goingOn])} AND ${orders.paidAt} IS NULL))`,
  );

/** A backup that reads in slices would have to start again, so that repeated erasures would keep it from ending. */
const isBackupReading = sql`EXISTS (SELECT 1 FROM backup_changes JOIN ${jobs} ON ${jobs.id} = changed_row
  WHERE table_name = 'jobs' AND ${jobs.state} IN ('queued', 'running'))`;

const findDueAccounts = (db: Database, now: number, most: number): Promise<Due[]> =>
  db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(and(isDueForErasure(now), isFree("erase_accounts", users.id, now), not(isBackupReading)))
    .orderBy(users.eraseAt, users.id)
    .limit(most);

type Column = keyof typeof users.$inferInsert;
type KeptColumns = "id" | "role" | "walletBalance" | "orderCount" | "spent" | "eraseAt" | "createdAt" | "updatedAt";

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
    externalId: null,
    phone: null,
    language: null,
    company: null,
    acceptsMarketing: false,
    taxExemptReason: null,
    tags: [],
    metadata: {},
    erasedAt: now,
    lastSeenAt: null,
  }) satisfies { [Name in Exclude<Column, KeptColumns>]: unknown };

/**
 * Erases an account in one batch. Its own row comes first: guards allow the other rows to change once that row is erased, and
 * refuse the batch if the erasure was undone in the meantime.
 */
async function eraseAccount(db: Database, due: Due, now: number): Promise<void> {
  const { id } = due;
  const addresses = await findAddresses(db, due);
  const account = db
    .update(users)
    .set({ ...erased(now), updatedAt: versionAfter(now) })
    .where(eq(users.id, id));
  const author = { actor: "system", address: null, requestId: crypto.randomUUID(), now };
  const others = [
    ...deleteRowsOfAccount(id),
    sql`DELETE FROM ${idempotencyKeys} WHERE ${isAmong(idempotencyKeys.caller, [`user:${id}`, ...addresses.map((address) => `anonymous:${address}`)])}`,
    ...fromOrders(id, now),
    ...erasePackages(id, now),
    ...eraseLicenseKeys(id, now),
    eraseSubscriptions(id, now),
    ...fromImports(id),
    ...fromBulkActions,
    ...fromSavedViews(addresses, now),
    fromCheckoutSessions(addresses),
    sql`DELETE FROM ${staffInvitations} WHERE ${isAmong(staffInvitations.email, addresses)}`,
    ...fromAuditLog(id, addresses),
    auditEntry({ author }, { action: "erased", subject: "user", id }),
  ];
  try {
    await db.batch([account, ...others.map((query) => statement(db, query))]);
  } catch (error) {
    // An overlapping run erased the account.
    if (!violates(error, "account_erased")) throw error;
  }
}

/**
 * The current and former e-mail addresses of an account: those of the audit log, and of orders and links for
 * changes that are older than their entries. An address that another account has since belongs to its owner.
 */
async function findAddresses(db: Database, { id, email }: Due): Promise<string[]> {
  const { before, after, subject, subjectId } = auditLog;
  const changes = sql`FROM ${auditLog} WHERE ${subject} = 'user' AND ${subjectId} = ${id}`;
  const former = await db.all<{ address: string }>(sql`
    SELECT DISTINCT lower(address) AS address FROM (
      SELECT ${before} ->> 'email' AS address ${changes} UNION ALL SELECT ${after} ->> 'email' ${changes}
      UNION ALL SELECT ${orders.customerEmail} FROM ${orders} WHERE ${orders.userId} = ${id}
      UNION ALL SELECT ${linkTokens.email} FROM ${linkTokens}
        WHERE ${linkTokens.userId} = ${id} AND ${linkTokens.purpose} = 'revert_email')
    WHERE address IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${users} WHERE ${users.email} = lower(address))`);
  return [email.toLowerCase(), ...former.map(({ address }) => address)];
}

const ordersOf = (id: number): SQL => sql`(SELECT ${orders.id} FROM ${orders} WHERE ${orders.userId} = ${id})`;
const packagesOf = (id: number): SQL => sql`(SELECT ${packages.id} FROM ${packages} WHERE ${packages.userId} = ${id})`;

/** Keeps orders, lines, amounts, status history and the ledger. Removes the customer, addresses, shipments, notes, and texts of returns. */
const fromOrders = (id: number, now: number): SQL[] => [
  updateRows(
    orders,
    {
      customerName: null,
      customerEmail: null,
      foldedWords: null,
      shippingAddress: null,
      billingAddress: null,
      note: null,
      // Reasons of staff may name the customer, and those of the law may not.
      taxExemptReason: sql`iif(${orders.taxLines} LIKE '%"exemption"%', ${orders.taxExemptReason}, NULL)`,
      // The registered name of a sole trader is a person's. Number and proof of the check remain as evidence.
      vatCheck: sql`json_set(${orders.vatCheck}, '$.name', NULL)`,
      fingerprint: null,
      metadata: {},
      tags: [],
      updatedBy: "system",
      updatedAt: versionAfter(now),
    },
    eq(orders.userId, id),
  ),
  updateRows(
    orderItems,
    { metadata: {} },
    sql`${orderItems.metadata} <> '{}' AND ${orderItems.orderId} IN ${ordersOf(id)}`,
  ),
  sql`DELETE FROM ${shipments} WHERE ${shipments.orderId} IN ${ordersOf(id)}`,
  updateRows(
    returns,
    {
      reason: null,
      withdrawal: null,
      // The database requires a reason of a declined return.
      declineReason: sql`iif(${returns.declineReason} IS NULL, NULL, 'Erased')`,
      instructions: null,
      labelUrl: null,
      carrier: null,
      trackingNumber: null,
      trackingUrl: null,
    },
    sql`${returns.orderId} IN ${ordersOf(id)}`,
  ),
  sql`DELETE FROM ${draftOrders} WHERE ${draftOrders.userId} = ${id}`,
  sql`DELETE FROM ${orderNotes} WHERE ${orderNotes.orderId} IN ${ordersOf(id)}`,
  updateRows(
    orderHistory,
    { note: null },
    sql`${orderHistory.note} IS NOT NULL AND ${orderHistory.orderId} IN ${ordersOf(id)}`,
  ),
  updateRows(transactions, { note: null }, sql`${transactions.note} IS NOT NULL AND ${transactions.userId} = ${id}`),
];

/**
 * Removes what undoing a customer import or a bulk action could restore, and all rows shown on import pages, because they cannot be attributed
 * to a person.
 */
const fromImports = (id: number): SQL[] => [
  sql`DELETE FROM ${jobChanges} WHERE ${jobChanges.subjectId} = ${id}
    AND ${jobChanges.jobId} IN (
      SELECT ${jobs.id} FROM ${jobs} WHERE ${jobs.kind} IN ('import_customers', 'change_customers'))`,
  updateRows(imports, { samples: [] }, sql`${imports.resource} = 'customers' AND ${imports.samples} <> '[]'`),
];

/**
 * Removes all notes of bulk order changes, because they cannot be attributed to a person. Other customers' notes remain in
 * their order history.
 */
const fromBulkActions: SQL[] = [
  updateRows(
    jobs,
    { parameters: sql`json_set(${jobs.parameters}, '$.note', NULL)` },
    sql`${jobs.kind} = 'change_orders' AND ${jobs.state} NOT IN ('queued', 'running')
      AND ${jobs.parameters} ->> 'note' IS NOT NULL`,
  ),
];

/** True if a text contains one of the addresses between two strings. */
const says = (text: SQL, addresses: readonly string[], around: string): SQL => sql`EXISTS (
  SELECT 1 FROM json_each(${JSON.stringify(addresses.map((address) => `${around}${address}${around}`))})
  WHERE instr(${around} || lower(${text}) || ${around}, value) > 0)`;

/** Carts and checkouts of agents that name the person as the buyer. A placed order has its own copy of the buyer. */
const fromCheckoutSessions = (addresses: readonly string[]): SQL =>
  sql`DELETE FROM ${checkoutSessions} WHERE ${checkoutSessions.orderId} IS NULL AND ${says(sql`${checkoutSessions.content}`, addresses, '"')}`;

/**
 * Deletes staff's saved views that search for the person, and renames views named after an e-mail address of theirs. A person's name
 * is not matched: its owner chose it, and "unpaid orders" is a possible name.
 */
const fromSavedViews = (addresses: readonly string[], now: number): SQL[] => [
  sql`DELETE FROM ${savedViews} WHERE ${savedViews.list} IN ('orders', 'users')
    AND ${says(sql`(${savedViews.filters} ->> 'search')`, addresses, " ")}`,
  updateRows(
    savedViews,
    { name: sql`'View ' || lower(hex(randomblob(4)))`, updatedAt: versionAfter(now) },
    says(sql`${savedViews.name}`, addresses, " "),
  ),
];

const PERSONAL = sql.raw(
  "'$.shipping_address', '$.billing_address', '$.shipment', '$.note', '$.name', '$.tax_exempt_reason', '$.metadata', '$.item_metadata', '$.tags'",
);

const fromAuditLog = (id: number, addresses: readonly string[]): SQL[] => {
  const { before, after, subject, subjectId, actor } = auditLog;
  const impersonal = {
    before: sql`json_remove(${before}, ${PERSONAL})`,
    after: sql`json_remove(${after}, ${PERSONAL})`,
  };
  return [
    updateRows(auditLog, { before: null, after: null }, sql`${subject} = 'user' AND ${subjectId} = ${id}`),
    updateRows(auditLog, impersonal, sql`${subject} = 'order' AND ${subjectId} IN ${ordersOf(id)}`),
    updateRows(auditLog, impersonal, sql`${subject} = 'package' AND ${subjectId} IN ${packagesOf(id)}`),
    updateRows(
      auditLog,
      { before: null, after: null },
      sql`${subject} = 'staff_invitation' AND ${isAmong(sql`coalesce(${after}, ${before}) ->> 'email'`, addresses)}`,
    ),
    updateRows(auditLog, { address: null }, eq(actor, `user:${id}`)),
  ];
};

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
