import { eq, type SQL, sql } from "drizzle-orm";
import { auditEntry } from "../audit/audit.ts";
import { type Caller, may, type UserContext } from "../auth/caller.ts";
import { type Permission, rolesWith } from "../auth/roles.ts";
import { type Database, runAll } from "../db/client.ts";
import { notificationKinds, type notificationModes, staffNotifications, users } from "../db/schema.ts";
import { queueDaily } from "./daily.ts";
import { queueStaffEmails } from "./switches.ts";

// E-mails about orders, returns and payments that each member of staff chooses. They come from the events, so that an order writes
// nothing for them.

export type NotificationKind = (typeof notificationKinds)[number];
export type NotificationMode = (typeof notificationModes)[number];
export type NotificationChoices = { [Kind in NotificationKind]?: NotificationMode | undefined };

/** Permission of staff who can get each kind. */
export const notificationNeeds = {
  new_order: "shipments:read",
  return_requested: "orders:read",
  payment_failed: "orders:read",
  low_stock: "products:write",
} as const satisfies Record<NotificationKind, Permission>;

export const notificationsFor = (caller: Caller): NotificationKind[] =>
  notificationKinds.filter((kind) => may(caller, notificationNeeds[kind]));

const initial: Record<NotificationKind, NotificationMode> = {
  new_order: "never",
  return_requested: "never",
  payment_failed: "never",
  low_stock: "daily",
};

/** An account and what it wants to be e-mailed, in one round trip. */
export async function readUserWithNotifications(db: Database, userId: number) {
  const [[user], rows] = await db.batch([
    db.select().from(users).where(eq(users.id, userId)),
    db.select().from(staffNotifications).where(eq(staffNotifications.userId, userId)),
  ]);
  const chosen = Object.fromEntries(rows.map(({ kind, mode }) => [kind, mode]));
  return { user, choices: { ...initial, ...chosen } };
}

/** Saves what the caller wants to be e-mailed. */
export async function chooseNotifications(ctx: UserContext, choices: NotificationChoices): Promise<void> {
  const { db, caller } = ctx;
  const rows = Object.entries(choices);
  await runAll(db, [
    sql`INSERT INTO ${staffNotifications} (user_id, kind, mode)
      SELECT ${caller.id}, value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(rows)}) WHERE TRUE
      ON CONFLICT DO UPDATE SET mode = excluded.mode`,
    auditEntry(ctx, { action: "choose_notifications", subject: "user", id: caller.id, after: choices }),
  ]);
}

const chose = (user: SQL, kind: SQL, mode: NotificationMode): SQL =>
  sql`EXISTS (SELECT 1 FROM staff_notifications WHERE kind = ${kind} AND user_id = ${user} AND mode = ${mode})`;

/** The condition that the reader of an e-mail did not decline it. */
export const hasNotDeclined = (kind: NotificationKind): SQL => sql`NOT ${chose(sql`users.id`, sql`${kind}`, "never")}`;

/** The notification of an event. An order that is paid at a provider is notified once it is paid: many buyers turn back there. */
const kindOfEvent = sql`CASE events.type
  WHEN 'order.created' THEN iif(payment_provider IS NULL OR paid_at = orders.created_at, 'new_order', NULL)
  WHEN 'order.paid' THEN iif(payment_provider IS NOT NULL AND paid_at > orders.created_at, 'new_order', NULL)
  WHEN 'return.requested' THEN 'return_requested'
  WHEN 'order.payment_failed' THEN 'payment_failed'
END`;

/** Notifications of some events, if anybody chose the mode. Those of orders by staff are for administrators only. */
const notificationsAmong = (which: SQL, mode: NotificationMode): SQL => sql`
  SELECT events.id AS event_id, ${kindOfEvent} AS kind,
    json_object('kind', ${kindOfEvent}, 'id', orders.id, 'number', number, 'total', orders.total, 'currency', currency) AS notification,
    EXISTS (SELECT 1 FROM users WHERE id = orders.user_id AND role <> 'customer') AS of_staff
  FROM events JOIN orders ON orders.id = events.data ->> 'order_id'
  WHERE EXISTS (SELECT 1 FROM staff_notifications WHERE mode = ${mode}) AND ${which} AND NOT sandbox AND ${kindOfEvent} IS NOT NULL`;

const readers = JSON.stringify(
  Object.fromEntries(notificationKinds.map((kind) => [kind, rolesWith(notificationNeeds[kind])])),
);

/** The condition that a user may read a notification. Choices are kept when a role changes. */
const mayRead = (source: SQL): SQL => sql`(
  users.role IN (SELECT value FROM json_each(${readers}, '$.' || ${source}.kind))
  AND (users.role = 'admin' OR NOT ${source}.of_staff))`;

/** Statement that queues the e-mails to staff who want one for each event. */
export const queueNotifications = (now: number, which: SQL): SQL =>
  queueStaffEmails(
    "staff_notifications",
    rolesWith("shipments:read"),
    sql`SELECT kind, of_staff, json_object('notifications', json_array(json(notification)), 'count', 1) AS params FROM (${notificationsAmong(which, "each")})`,
    now,
    sql`${mayRead(sql`source`)} AND ${chose(sql`users.id`, sql`source.kind`, "each")}`,
  );

/** Maximum number of events listed in a daily summary. */
const MOST_LISTED = 50;

/** Queues the daily summaries of staff who chose them. */
export const queueDailySummaries = (db: Database, now: number): Promise<void> =>
  queueDaily(db, now, {
    reader: "daily summaries",
    queue(after, isDue) {
      const named = sql`
        SELECT users.id AS user_id, notification, row_number() OVER (PARTITION BY users.id ORDER BY among.kind, event_id) AS nth
        FROM (${notificationsAmong(sql`events.id > ${after}`, "daily")}) AS among CROSS JOIN users
        WHERE ${mayRead(sql`among`)} AND ${chose(sql`users.id`, sql`among.kind`, "daily")}`;
      const source = sql`SELECT user_id, json_object(
          'notifications', json_group_array(json(notification)) FILTER (WHERE nth <= ${MOST_LISTED}), 'count', count(*)) AS params
        FROM (${named}) WHERE ${isDue} GROUP BY user_id`;
      return queueStaffEmails(
        "staff_notifications",
        rolesWith("shipments:read"),
        source,
        now,
        sql`source.user_id = users.id`,
      );
    },
  });
