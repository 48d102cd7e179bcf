import { eq, type SQL, sql } from "drizzle-orm";
import { auditEntry } from "../audit/audit.ts";
import { type Caller, may, type UserCaller, type WriteContext } from "../auth/caller.ts";
import { type Permission, rolesWith } from "../auth/roles.ts";
import { type Database, runAll } from "../db/client.ts";
import { newsKinds, type newsModes, staffNews, users } from "../db/schema.ts";
import { queueDaily } from "./daily.ts";
import { queueStaffEmails } from "./switches.ts";

// News of the shop that each member of staff chooses to be e-mailed. They are read from the events, so that an order writes
// nothing for them.

export type NewsKind = (typeof newsKinds)[number];
export type NewsMode = (typeof newsModes)[number];
export type NewsChoices = { [Kind in NewsKind]?: NewsMode | undefined };

/** Permission of staff who can get each kind. */
export const newsNeeds = {
  new_order: "shipments:read",
  return_requested: "orders:read",
  payment_failed: "orders:read",
  low_stock: "products:write",
} as const satisfies Record<NewsKind, Permission>;

export const newsFor = (caller: Caller): NewsKind[] => newsKinds.filter((kind) => may(caller, newsNeeds[kind]));

const initial: Record<NewsKind, NewsMode> = {
  new_order: "never",
  return_requested: "never",
  payment_failed: "never",
  low_stock: "daily",
};

/** An account and what it wants to be e-mailed, in one round trip. */
export async function readUserWithNews(db: Database, userId: number) {
  const [[user], rows] = await db.batch([
    db.select().from(users).where(eq(users.id, userId)),
    db.select().from(staffNews).where(eq(staffNews.userId, userId)),
  ]);
  const chosen = Object.fromEntries(rows.map(({ kind, mode }) => [kind, mode]));
  return { user, choices: { ...initial, ...chosen } };
}

/** Saves what the caller wants to be e-mailed. */
export async function chooseNews(
  ctx: Pick<WriteContext<UserCaller>, "db" | "caller" | "author">,
  choices: NewsChoices,
): Promise<void> {
  const { db, caller } = ctx;
  const rows = Object.entries(choices);
  await runAll(db, [
    sql`INSERT INTO ${staffNews} (user_id, kind, mode)
      SELECT ${caller.id}, value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(rows)}) WHERE TRUE
      ON CONFLICT DO UPDATE SET mode = excluded.mode`,
    auditEntry(ctx, { action: "choose_news", subject: "user", id: caller.id, after: choices }),
  ]);
}

const chose = (user: SQL, kind: SQL, mode: NewsMode): SQL =>
  sql`EXISTS (SELECT 1 FROM staff_news WHERE kind = ${kind} AND user_id = ${user} AND mode = ${mode})`;

/** The condition that the reader of an e-mail did not decline it. */
export const hasNotDeclined = (kind: NewsKind): SQL => sql`NOT ${chose(sql`users.id`, sql`${kind}`, "never")}`;

/** An order is news once it is placed or, if it is paid at a provider, once it is paid: many buyers turn back there. */
const kindOfEvent = sql`CASE events.type
  WHEN 'order.created' THEN iif(payment_provider IS NULL OR paid_at = orders.created_at, 'new_order', NULL)
  WHEN 'order.paid' THEN iif(payment_provider IS NOT NULL AND paid_at > orders.created_at, 'new_order', NULL)
  WHEN 'return.requested' THEN 'return_requested'
  WHEN 'order.payment_failed' THEN 'payment_failed'
END`;

/** News among some events, for a mode that somebody chose. Orders of staff are news for administrators only. */
const newsAmong = (which: SQL, mode: NewsMode): SQL => sql`
  SELECT events.id AS event_id, ${kindOfEvent} AS kind,
    json_object('kind', ${kindOfEvent}, 'id', orders.id, 'number', number, 'total', orders.total, 'currency', currency) AS news,
    EXISTS (SELECT 1 FROM users WHERE id = orders.user_id AND role <> 'customer') AS of_staff
  FROM events JOIN orders ON orders.id = events.data ->> 'order_id'
  WHERE EXISTS (SELECT 1 FROM staff_news WHERE mode = ${mode}) AND ${which} AND NOT sandbox AND ${kindOfEvent} IS NOT NULL`;

const readers = JSON.stringify(Object.fromEntries(newsKinds.map((kind) => [kind, rolesWith(newsNeeds[kind])])));

/** The condition that a user may read a piece of news. Choices are kept when a role changes. */
const mayRead = (source: SQL): SQL => sql`(
  users.role IN (SELECT value FROM json_each(${readers}, '$.' || ${source}.kind))
  AND (users.role = 'admin' OR NOT ${source}.of_staff))`;

/** Statement that queues the e-mails to staff who want one for each piece of news. */
export const queueNews = (now: number, which: SQL): SQL =>
  queueStaffEmails(
    "staff_news",
    rolesWith("shipments:read"),
    sql`SELECT kind, of_staff, json_object('news', json_array(json(news)), 'count', 1) AS params FROM (${newsAmong(which, "each")})`,
    now,
    sql`${mayRead(sql`source`)} AND ${chose(sql`users.id`, sql`source.kind`, "each")}`,
  );

/** Maximum pieces of news named in a digest. */
const MOST_NAMED = 50;

/** E-mails staff who want that the news of a day together. */
export const queueDailyNews = (db: Database, now: number): Promise<void> =>
  queueDaily(db, now, {
    reader: "news of the day",
    queue(after, isDue) {
      const named = sql`
        SELECT users.id AS user_id, news, row_number() OVER (PARTITION BY users.id ORDER BY among.kind, event_id) AS nth
        FROM (${newsAmong(sql`events.id > ${after}`, "daily")}) AS among CROSS JOIN users
        WHERE ${mayRead(sql`among`)} AND ${chose(sql`users.id`, sql`among.kind`, "daily")}`;
      const source = sql`SELECT user_id, json_object(
          'news', json_group_array(json(news)) FILTER (WHERE nth <= ${MOST_NAMED}), 'count', count(*)) AS params
        FROM (${named}) WHERE ${isDue} GROUP BY user_id`;
      return queueStaffEmails("staff_news", rolesWith("shipments:read"), source, now, sql`source.user_id = users.id`);
    },
  });
