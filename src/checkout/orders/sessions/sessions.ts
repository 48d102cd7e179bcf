import { and, asc, eq, getTableColumns, gt, inArray, isNotNull, lte, min, type SQL, sql } from "drizzle-orm";
import { conflict } from "../../../domain/errors.ts";
import { DAY_MS } from "../../../domain/time.ts";
import { countStoredBytes, jsonBytes, storageRefused } from "../../../platform/auth/author-limits.ts";
import type { WriteContext } from "../../../platform/auth/caller.ts";
import { randomToken } from "../../../platform/auth/secrets.ts";
import { type Database, requireFirst, runAll, writeThenRead } from "../../../platform/db/client.ts";
import { checkoutSessions, orders } from "../../../platform/db/schema.ts";
import { nextVersion, translateViolations, unchanged } from "../../../platform/db/statements.ts";
import { isFree } from "../../../platform/queues/failed-items.ts";
import { bulkDeletion, workOffInBulk } from "../../../platform/queues/work-off.ts";
import { newOrderReference } from "../reference.ts";
import { SessionContent } from "./content.ts";

// Carts and checkouts that agents keep for buyers. A session holds no stock, and its prices are read whenever it is
// shown.

export type CheckoutSessionRow = typeof checkoutSessions.$inferSelect;
type SessionKind = CheckoutSessionRow["kind"];

type Writing = Pick<WriteContext, "db" | "author">;

/** Lifetime of a session after it was created. */
const LIFETIME_MS: Record<SessionKind, number> = { cart: 7 * DAY_MS, checkout: DAY_MS };

/** Bytes of a session and its index entries without its content. */
const ROW_BYTES = 700;

type NewSession = {
  kind: SessionKind;
  agent: string;
  content: SessionContent;
  shownTotal: number | null;
  webhookUrl: string | null;
};

export async function insertSession(ctx: Writing, { kind, ...session }: NewSession): Promise<CheckoutSessionRow> {
  const { now } = ctx.author;
  const row = {
    token: randomToken(kind === "cart" ? "cart_" : "chk_"),
    reference: newOrderReference(),
    kind,
    status: "open" as const,
    ...session,
    orderId: null,
    toldOf: 0,
    expiresAt: now + LIFETIME_MS[kind],
    createdAt: now,
    updatedAt: now,
  };
  const writes = [
    ...countStoredBytes(ctx, ROW_BYTES + jsonBytes(session)),
    ctx.db.insert(checkoutSessions).values(row).getSQL(),
  ];
  const read = ctx.db.select().from(checkoutSessions).where(eq(checkoutSessions.reference, row.reference));
  return requireFirst(await translateViolations(writeThenRead(ctx.db, writes, read), storageRefused(now)));
}

/** A session of an agent. Undefined if it does not exist, belongs to another agent, or has expired without an order. */
export async function findSession(
  { db, author: { now } }: Writing,
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
  { db }: Pick<Writing, "db">,
  { agent, reference }: Pick<CheckoutSessionRow, "agent" | "reference">,
) =>
  db
    .select()
    .from(checkoutSessions)
    .where(and(eq(checkoutSessions.reference, reference), eq(checkoutSessions.agent, agent)))
    .get();

export const sessionContentOf = ({ content }: CheckoutSessionRow): SessionContent => SessionContent.parse(content);

type SessionChange = Partial<Pick<CheckoutSessionRow, "status" | "shownTotal">> & { content?: SessionContent };

const changedMeanwhile = {
  row_changed: () => conflict("changed_meanwhile", "The session was changed at the same time. Read it and try again"),
};

/** Changes an open session, unless it was changed since it was read. */
export async function changeSession(
  ctx: Writing,
  row: CheckoutSessionRow,
  change: SessionChange,
): Promise<CheckoutSessionRow> {
  const { db, author } = ctx;
  const updated = { ...change, updatedAt: nextVersion(row, author.now) };
  const writes = [
    unchanged("checkout_sessions", row),
    ...countStoredBytes(ctx, jsonBytes(change)),
    db.update(checkoutSessions).set(updated).where(eq(checkoutSessions.id, row.id)).getSQL(),
  ];
  await translateViolations(runAll(db, writes), { ...changedMeanwhile, ...storageRefused(author.now) });
  return { ...row, ...updated };
}

/** Statements that turn a session into the order of its reference. The batch is refused if the session has changed. */
export const sessionBecomesOrder = ({ db, author }: Writing, row: CheckoutSessionRow): SQL[] => [
  unchanged("checkout_sessions", row),
  db
    .update(checkoutSessions)
    .set({
      status: "placed",
      content: {},
      orderId: sql`(SELECT id FROM orders WHERE reference = ${row.reference})`,
      updatedAt: nextVersion(row, author.now),
    })
    .where(eq(checkoutSessions.id, row.id))
    .getSQL(),
];

/** Time after its checkout for which an agent is notified of an order's changes. */
const TOLD_MS = 60 * DAY_MS;

/**
 * Number of agents notified at once: one less than the platform's connection limit, which leaves one to resolve names.
 */
const TOLD_AT_ONCE = 5;

/** Host of the profile of an agent that signs. */
const agentHost = sql`substr(${checkoutSessions.agent}, 9, instr(substr(${checkoutSessions.agent}, 9) || '/', '/') - 1)`;

/** The oldest session for each agent's host whose agent was not notified of the order's last change, so that none takes all turns. */
export const findSessionsToTell = (
  db: Database,
  now: number,
): Promise<(CheckoutSessionRow & { webhookUrl: string })[]> =>
  db
    .select({
      ...getTableColumns(checkoutSessions),
      webhookUrl: sql<string>`${checkoutSessions.webhookUrl}`,
      changedAt: min(orders.updatedAt),
    })
    .from(checkoutSessions)
    .innerJoin(orders, eq(orders.id, checkoutSessions.orderId))
    .where(
      and(
        isNotNull(checkoutSessions.webhookUrl),
        gt(checkoutSessions.expiresAt, now - TOLD_MS),
        gt(orders.updatedAt, checkoutSessions.toldOf),
        isFree("tell_agents", checkoutSessions.id, now),
      ),
    )
    .groupBy(agentHost)
    .orderBy(asc(min(orders.updatedAt)))
    .limit(TOLD_AT_ONCE);

/** Records the version of the order that an agent was notified of. */
export const markSessionTold = (db: Database, { id }: CheckoutSessionRow, toldOf: number) =>
  db.update(checkoutSessions).set({ toldOf }).where(eq(checkoutSessions.id, id));

/** Stops notifying an agent of an order, because it refused further messages. */
export const forgetWebhook = (db: Database, { id }: CheckoutSessionRow) =>
  db.update(checkoutSessions).set({ webhookUrl: null }).where(eq(checkoutSessions.id, id));

/**
 * Deletes expired sessions with their buyers' data. Sessions with an order remain, because agents ask for the order.
 */
export const deleteExpiredSessionsOfAgents = (db: Database, now: number): Promise<void> =>
  workOffInBulk(
    db,
    now,
    bulkDeletion({
      queue: "delete_checkout_sessions",
      id: checkoutSessions.id,
      where: and(inArray(checkoutSessions.status, ["open", "canceled"]), lte(checkoutSessions.expiresAt, now)),
    }),
  );
