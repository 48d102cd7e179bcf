import { type SQL, sql } from "drizzle-orm";
import { emailOfEvent } from "../../domain/event-types.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { allowsMore, connect, type Database, requireRow, runAll, statement } from "../db/client.ts";
import { hasPassed, recordFailure } from "../queues/failed-items.ts";
import { readOn, readPassedAgain } from "../queues/work-off.ts";
import { readSettings } from "../settings/settings.ts";
import { MOST_UNVERIFIED, recentOrderEmails } from "./emails.ts";
import { canSend } from "./mailer.ts";
import { sendEmails } from "./send.ts";
import { queueNotifications } from "./staff-notifications.ts";
import { isSwitchedOn, newKey, queueStaffEmails } from "./switches.ts";

/** Queues and sends e-mails for new events. Returns false once the queries of the invocation are used up. */
export async function writeEventEmails(env: Env): Promise<boolean> {
  const outbox = { env, db: connect(env.DB), settings: readSettings(env) };
  if (!canSend(env, outbox.settings.email)) return true;
  for (let more = true; more && allowsMore(outbox.db); ) {
    const batch = await queueEventEmails(outbox.db, Date.now());
    if (batch.queued > 0) await sendEmails(outbox);
    more = batch.more;
  }
  return allowsMore(outbox.db);
}

/** Skips events while no e-mails can be sent, because they would be outdated. */
export async function skipEventEmails(env: Env): Promise<void> {
  if (!canSend(env, readSettings(env).email)) await skipEvents(connect(env.DB));
}

const READER = "e-mails";
const QUEUE = "write_emails";

/** Events per batch. */
const EVENTS_AT_ONCE = 2000;

/** Oldest event, in milliseconds, that is worth an e-mail. Older ones are skipped. */
const NEWS_MS = 24 * HOUR_MS;

/** Minutes in which a buyer who pays a provider gets one e-mail, which confirms order and payment. */
const PAYING_MS = 10 * MINUTE_MS;

const cursor = sql`coalesce((SELECT after_id FROM event_cursors WHERE reader = ${READER}), 0)`;
const next = sql`(SELECT id FROM events WHERE id > ${cursor} ORDER BY id LIMIT 1)`;
const lastOf = (limit: number): SQL =>
  sql`(SELECT max(id) FROM (SELECT id FROM events WHERE id > ${cursor} ORDER BY id LIMIT ${limit}))`;

const isNews = (now: number): SQL => sql`events.created_at > ${now - NEWS_MS}`;
const isNext = (limit: number): SQL => sql`events.id > ${cursor} AND events.id <= ${lastOf(limit)}`;

/**
 * Queues e-mails for the events after the cursor and moves it, in one batch. Returns how many were queued, and whether more
 * events follow.
 */
export async function queueEventEmails(db: Database, now: number): Promise<{ queued: number; more: boolean }> {
  let [queued, more] = [0, false];
  await readOn({
    db,
    most: EVENTS_AT_ONCE,
    read: async (limit) => {
      const batch = await queueSome(db, now, limit);
      queued += batch.queued;
      more = batch.more;
      if (batch.passed) await readPassedAgain(db, now, QUEUE, (id) => emailsOf(now, sql`events.id = ${Number(id)}`));
      return more && limit < EVENTS_AT_ONCE;
    },
    pass: (reason) => runAll(db, [recordFailure(QUEUE, next, reason, now), moveCursor(next)]),
  });
  return { queued, more };
}

async function queueSome(db: Database, now: number, limit: number) {
  const [orderEmails, confirmations, staffEmails, notifications] = emailsOf(now, isNext(limit));
  const [ofOrders, ofPaid, ofStaff, ofNotifications, , [row]] = await db.batch([
    statement(db, orderEmails),
    statement(db, confirmations),
    statement(db, staffEmails),
    statement(db, notifications),
    statement(db, moveCursor(lastOf(limit))),
    db
      .select({
        more: sql<number>`EXISTS (SELECT 1 FROM events WHERE id > ${cursor})`.as("more"),
        passed: hasPassed(QUEUE, now).mapWith(Boolean).as("passed"),
      })
      .from(sql`(SELECT 1)`),
  ]);
  const { more, passed } = requireRow(row);
  const queued = [ofOrders, ofPaid, ofStaff, ofNotifications].reduce((sum, { meta }) => sum + meta.changes, 0);
  return { queued, more: more === 1, passed };
}

/** Statements that queue the e-mails of some events. */
const emailsOf = (now: number, which: SQL): [SQL, SQL, SQL, SQL] => [
  queueOrderEmails(now, which),
  confirmPaid(now, which),
  queueStaffEmails(sql`source.template`, ["admin"], noticesOfKeys(now, which), now),
  queueNotifications(now, sql`${which} AND ${isNews(now)}`),
];

/** Skips all events so far. */
export const skipEvents = (db: Database) => db.run(moveCursor(sql`(SELECT max(id) FROM events)`));

const moveCursor = (to: SQL): SQL => sql`
  INSERT INTO event_cursors (reader, after_id) SELECT ${READER}, reached FROM (SELECT ${to} AS reached) WHERE reached > ${cursor}
  ON CONFLICT (reader) DO UPDATE SET after_id = excluded.after_id`;

/**
 * Queues order e-mails to the account's current address, or to the guest's. An unverified address may belong to a stranger,
 * so it gets only a few per hour.
 */
const queueOrderEmails = (now: number, which: SQL): SQL => sql`
  INSERT INTO emails (key, template, user_id, order_id, recipient, params, expires_at, due_at, created_at)
  SELECT ${newKey}, template, user_id, order_id, recipient, params, expires_at, due_at, ${now}
  FROM (SELECT *, row_number() OVER (PARTITION BY recipient ORDER BY event_id) AS nth FROM (${dueEmails(now, which)})) AS due
  WHERE recipient IS NOT NULL AND (verified OR nth + ${recentOrderEmails(sql`due.recipient`, now)} <= ${MOST_UNVERIFIED})
  ORDER BY event_id`;

/** True while the buyer is probably on a provider's page. */
const isPaying = sql`(payment_provider IS NOT NULL AND paid_at IS NULL AND status = 'pending')`;

/** Sends the waiting confirmation of an order that was paid. That of a cancelled or expired one has no recipient any more. */
const confirmPaid = (now: number, which: SQL): SQL => sql`
  UPDATE emails SET due_at = ${now}, recipient = (
    SELECT iif(status IN ('cancelled', 'expired'), NULL, recipient) FROM orders WHERE id = order_id)
  WHERE template = 'order_confirmation' AND state = 'waiting' AND attempts = 0 AND order_id IN (
    SELECT data ->> 'order_id' FROM events
    WHERE ${which} AND type IN ('order.paid', 'order.cancelled', 'order.expired'))`;

const dueEmails = (now: number, which: SQL): SQL => sql`
  SELECT events.id AS event_id, causes.value AS template, orders.user_id, orders.id AS order_id,
    CASE WHEN orders.user_id IS NULL THEN customer_email WHEN erased_at IS NULL THEN users.email END AS recipient,
    email_verified_at IS NOT NULL AS verified,
    CASE causes.value
      WHEN 'refund_sent' THEN json_object('amount', events.data ->> 'amount',
        'currency', events.data ->> 'currency')
      WHEN 'order_shipped' THEN json_object('shipmentId', events.data ->> 'shipment_id')
      WHEN 'subscription_renewing' THEN json_object('renewsAt', events.data ->> 'current_period_end')
      WHEN 'renewal_failed' THEN json_object('accessUntil', events.data ->> 'access_until')
      WHEN 'subscription_cancelled' THEN json_object('cancelledAt', events.data ->> 'cancelled_at', 'endsAt', events.data ->> 'cancels_at')
      ELSE iif(causes.value LIKE 'return%', json_object('returnId', events.data ->> 'return_id'), '{}')
    END AS params,
    iif(causes.value = 'payment_failed', orders.expires_at, NULL) AS expires_at,
    iif(causes.value = 'order_confirmation' AND ${isPaying}, orders.created_at + ${PAYING_MS}, ${now}) AS due_at
  FROM events CROSS JOIN json_each(${JSON.stringify(emailOfEvent)}) AS causes ON causes.key = events.type
    JOIN orders ON orders.id = events.data ->> 'order_id' LEFT JOIN users ON users.id = orders.user_id
  WHERE ${which} AND ${isNews(now)} AND NOT orders.sandbox AND ${isSwitchedOn(sql`causes.value`)} AND CASE causes.value
    -- Staff choose for each edit.
    WHEN 'order_edited' THEN EXISTS (
      SELECT 1 FROM order_history WHERE order_id = orders.id AND at = events.created_at AND notify
    )
    -- The confirmation of an order that is paid at once says so, and an edit may leave nothing to pay.
    WHEN 'payment_received' THEN total > 0 AND paid_at > orders.created_at
      + iif(payment_provider IS NOT NULL AND ${isSwitchedOn(sql`'order_confirmation'`)}, ${PAYING_MS}, 0)
    WHEN 'refund_sent' THEN events.data ->> 'amount' > 0
    -- A resumed subscription has no end.
    WHEN 'subscription_cancelled' THEN events.data ->> 'cancels_at' IS NOT NULL
    -- A withdrawal queues its own receipt.
    WHEN 'return_requested' THEN events.data ->> 'requested_by' = 'customer'
    -- One e-mail for all packages, license keys and gift cards of an order, and one for the keys or cards that each edit adds.
    WHEN 'downloads_ready' THEN coalesce(events.data ->> 'package_id' = (SELECT min(id) FROM packages WHERE order_id = orders.id), (
      SELECT id > first OR NOT EXISTS (SELECT 1 FROM packages WHERE order_id = orders.id)
      FROM (SELECT min(id) AS id, min(min(id)) OVER () AS first FROM license_keys WHERE order_id = orders.id GROUP BY created_at)
      WHERE id = events.data ->> 'license_key_id'), (
      SELECT (id > first OR NOT EXISTS (SELECT 1 FROM packages WHERE order_id = orders.id))
        AND NOT EXISTS (SELECT 1 FROM license_keys WHERE order_id = orders.id AND license_keys.created_at = added_at)
      FROM (
        SELECT min(id) AS id, min(min(id)) OVER () AS first, created_at AS added_at
        FROM gift_cards WHERE order_id = orders.id GROUP BY created_at
      ) WHERE id = events.data ->> 'gift_card_id'))
    ELSE TRUE
  END`;

const noticesOfKeys = (now: number, which: SQL): SQL => sql`
  SELECT replace(type, '.', '_') AS template, json_object('id', data ->> 'api_key_id', 'name', data ->> 'name', 'expiresAt', data ->> 'expires_at',
    'lastUsedAt', data ->> 'last_used_at') AS params
  FROM events WHERE ${which} AND ${isNews(now)} AND type IN ('api_key.expiring', 'api_key.unused')`;
