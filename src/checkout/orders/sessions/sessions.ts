import { and, asc, eq, gt, inArray, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import { conflict } from "../../../domain/errors.ts";
import { DAY_MS } from "../../../domain/time.ts";
import { countStoredBytes, jsonBytes, storageRefused } from "../../../platform/auth/author-limits.ts";
import { randomToken } from "../../../platform/auth/secrets.ts";
import { type Database, requireFirst, runAll, writeThenRead } from "../../../platform/db/client.ts";
import { checkoutSessions, orders } from "../../../platform/db/schema.ts";
import { nextVersion, translateViolations, unchanged } from "../../../platform/db/statements.ts";
import { workOffInBulk } from "../../../platform/queues/work-off.ts";
import { newOrderReference } from "../reference.ts";
import { type BuyerContext, SessionContent } from "./content.ts";

// Carts and checkouts that agents keep for buyers. A session holds no stock, and its prices are read whenever it is
// shown.

export type CheckoutSessionRow = typeof checkoutSessions.$inferSelect;
type SessionKind = CheckoutSessionRow["kind"];

type SessionContext = Pick<BuyerContext, "db" | "author">;

/** Lifetime of a session after it was created. */
const LIFETIME_MS: Record<SessionKind, number> = { cart: 7 * DAY_MS, checkout: DAY_MS };

/** Bytes of a session and its index entries without its content. */
const ROW_BYTES = 700;

/** The facts in the last answer that its buyer agrees to. A cart has none. */
type ShownTotals = Partial<Pick<CheckoutSessionRow, "shownTotal" | "shownTerms">>;

type NewSession = ShownTotals & Pick<CheckoutSessionRow, "kind" | "agent" | "webhookUrl"> & { content: SessionContent };

/** Inserts a session. A cart that becomes the session remembers it, so that it becomes no second one. */
export async function insertSession(
  ctx: BuyerContext,
  { kind, ...session }: NewSession,
  cart?: CheckoutSessionRow,
): Promise<CheckoutSessionRow> {
  const { now } = ctx.author;
  const row = {
    token: randomToken(kind === "cart" ? "cart_" : "chk_"),
    reference: newOrderReference(),
    kind,
    status: "open" as const,
    ...session,
    userId: ctx.userId,
    orderId: null,
    toldOf: 0,
    expiresAt: now + LIFETIME_MS[kind],
    createdAt: now,
    updatedAt: now,
  };
  const writes = [
    ...countStoredBytes(ctx, ROW_BYTES + jsonBytes(session)),
    ctx.db.insert(checkoutSessions).values(row).getSQL(),
    ...(cart ? sessionChanges(ctx, cart, { content: { ...sessionContentOf(cart), checkout: row.token } }) : []),
  ];
  const read = ctx.db.select().from(checkoutSessions).where(eq(checkoutSessions.reference, row.reference));
  const written = translateViolations(writeThenRead(ctx.db, writes, read), {
    ...changedMeanwhile,
    ...storageRefused(now),
  });
  return requireFirst(await written);
}

/** A session of an agent. Undefined if it does not exist, belongs to another agent, or has expired without an order. */
export async function findSession(
  { db, author: { now } }: SessionContext,
  { kind, token, agent }: { kind: SessionKind; token: string; agent: string },
): Promise<CheckoutSessionRow | undefined> {
  const { token: named, agent: owner } = checkoutSessions;
  const row = await db
    .select()
    .from(checkoutSessions)
    .where(and(eq(named, token), eq(owner, agent), eq(checkoutSessions.kind, kind)))
    .get();
  return row && (row.status === "placed" || row.expiresAt > now) ? row : undefined;
}

/** The session of an agent from which an order was placed, by the order's reference. */
export const findSessionOfOrder = (
  { db }: Pick<SessionContext, "db">,
  { agent, reference }: Pick<CheckoutSessionRow, "agent" | "reference">,
) =>
  db
    .select()
    .from(checkoutSessions)
    .where(and(eq(checkoutSessions.reference, reference), eq(checkoutSessions.agent, agent)))
    .get();

export const sessionContentOf = ({ content }: CheckoutSessionRow): SessionContent => SessionContent.parse(content);

type SessionChange = ShownTotals & { status?: CheckoutSessionRow["status"]; content?: SessionContent };

const changedMeanwhile = {
  row_changed: () => conflict("changed_meanwhile", "The session was changed at the same time. Read it and try again"),
};

/** Changes an open session, unless it was changed since it was read. It belongs to the account that buys from now on. */
export async function changeSession(
  ctx: BuyerContext,
  row: CheckoutSessionRow,
  change: SessionChange,
): Promise<CheckoutSessionRow> {
  const { db, author } = ctx;
  const writes = [...countStoredBytes(ctx, jsonBytes(change)), ...sessionChanges(ctx, row, change)];
  await translateViolations(runAll(db, writes), { ...changedMeanwhile, ...storageRefused(author.now) });
  return { ...row, ...change, userId: ctx.userId, updatedAt: nextVersion(row, author.now) };
}

const sessionChanges = (
  { db, author, userId }: BuyerContext,
  row: CheckoutSessionRow,
  change: SessionChange,
): SQL[] => [
  unchanged("checkout_sessions", row),
  db
    .update(checkoutSessions)
    .set({ ...change, userId, updatedAt: nextVersion(row, author.now) })
    .where(eq(checkoutSessions.id, row.id))
    .getSQL(),
];

/** Statements that turn a session into the order of its reference. The batch is refused if the session has changed. */
export const sessionBecomesOrder = ({ db, author, userId }: BuyerContext, row: CheckoutSessionRow): SQL[] => [
  unchanged("checkout_sessions", row),
  db
    .update(checkoutSessions)
    .set({
      status: "placed",
      userId,
      content: { items: sessionContentOf(row).items },
      orderId: sql`(SELECT id FROM orders WHERE reference = ${row.reference})`,
      updatedAt: nextVersion(row, author.now),
    })
    .where(eq(checkoutSessions.id, row.id))
    .getSQL(),
];

/** Time after its checkout for which an agent is notified of an order's changes. */
const TOLD_MS = 60 * DAY_MS;

/** Maximum number of orders read at once. The next read continues. */
const TOLD_AT_ONCE = 500;

const hasWebhook = (now: number, agent?: string) =>
  and(
    isNotNull(checkoutSessions.webhookUrl),
    gt(checkoutSessions.expiresAt, now - TOLD_MS),
    agent === undefined ? undefined : eq(checkoutSessions.agent, agent),
  );

export const countSessionsToTell = (db: Database, now: number, agent: string): Promise<number> =>
  db.$count(checkoutSessions, hasWebhook(now, agent));

/** Finds orders of all agents, or of one, that changed since they were last passed to the deliveries. */
export const findOrdersToTell = (db: Database, now: number, agent?: string) =>
  db
    .select({
      id: checkoutSessions.id,
      agent: checkoutSessions.agent,
      reference: checkoutSessions.reference,
      version: orders.updatedAt,
    })
    .from(checkoutSessions)
    .innerJoin(orders, eq(orders.id, checkoutSessions.orderId))
    .where(and(hasWebhook(now, agent), gt(orders.updatedAt, checkoutSessions.toldOf)))
    .orderBy(asc(orders.updatedAt))
    .limit(TOLD_AT_ONCE);

/** Records the versions of orders that were passed to the deliveries. */
export const markTold = (db: Database, sessions: readonly { id: number; version: number }[]) =>
  db.run(sql`UPDATE checkout_sessions SET told_of = value ->> 'version' FROM json_each(${JSON.stringify(sessions)})
    WHERE checkout_sessions.id = value ->> 'id'`);

/** Stops notifying an agent of its orders so far. */
export const forgetWebhooks = (db: Database, now: number, agent: string) =>
  db.update(checkoutSessions).set({ webhookUrl: null }).where(hasWebhook(now, agent));

/**
 * Deletes expired sessions with their buyers' data. Sessions with an order remain, because agents ask for the order.
 */
export const deleteExpiredSessionsOfAgents = (db: Database, now: number): Promise<void> =>
  workOffInBulk(db, now, {
    queue: "delete_checkout_sessions",
    id: checkoutSessions.id,
    where: and(inArray(checkoutSessions.status, ["open", "canceled"]), lte(checkoutSessions.expiresAt, now)),
  });
