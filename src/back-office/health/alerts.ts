import { and, desc, eq, gt, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { DAY_MS, MINUTE_MS } from "../../domain/time.ts";
import { type Database, requireFirst, runAll } from "../../platform/db/client.ts";
import { type AlertRow, alerts, scheduleRuns, shop } from "../../platform/db/schema.ts";
import { insertRows } from "../../platform/db/statements.ts";
import { canSend } from "../../platform/email/mailer.ts";
import { queueForAddress, queueForAdministrators } from "../../platform/email/switches.ts";
import { requestFigures } from "../../platform/metrics/figures.ts";
import { isAmong } from "../../platform/queues/failed-items.ts";
import { wordsOfAlert } from "./alert-kinds.ts";
import { type Background, readBackground } from "./background.ts";
import { conditionsOf } from "./conditions.ts";
import { type AlertContext, readBackupState, recordSecrets, recordVersion, secretsInUse } from "./deployment.ts";
import { type AlertPlan, type Condition, planAlerts, QUIET_MS } from "./plan-alerts.ts";

/** Time between two checks. */
const CHECK_EVERY_MS = 5 * MINUTE_MS;

/** Period of requests for the error rate. */
const REQUESTS_MS = 10 * MINUTE_MS;

/** How long resolved alerts are kept. */
const KEPT_MS = 90 * DAY_MS;

/**
 * Raises and resolves alerts every five minutes, with their events and e-mails in one batch. If two runs of the
 * schedule overlap, only one checks.
 */
export async function checkAlerts(ctx: AlertContext, now: number): Promise<void> {
  const { env, db, settings } = ctx;
  if (!(await claimCheck(db, now))) return;
  await recordVersion(db, env.VERSION.id, now);
  await runAll(db, recordSecrets(env, now));
  const [background, backup, requests, [rules, secrets, known]] = await Promise.all([
    readBackground(ctx, now),
    readBackupState(ctx, now),
    requestFigures(db, lastMinutes(now)),
    db.batch([alertRules(db), secretsInUse(db), openOrTold(db, now)]),
  ]);
  const { errorPercent, email } = requireFirst(rules);
  const facts = {
    ...background,
    backup,
    requests,
    errorPercent,
    secrets,
    databaseLimitBytes: settings.databaseLimitBytes,
  };
  const plan = planAlerts(conditionsOf(facts, now), known, now);
  const isSent = canSend(env, settings.email) && !emailsAreStuck(background);
  await runAll(db, [...writesOf(plan, now), ...(isSent ? emailsOf(plan, { email, now }) : [])]);
}

/** True if no other check ran within the last minutes. A clock that was set back does not stop checks. */
async function claimCheck(db: Database, now: number): Promise<boolean> {
  const { checkedAt, id } = scheduleRuns;
  const claimed = await db
    .update(scheduleRuns)
    .set({ checkedAt: now })
    .where(sql`${checkedAt} IS NULL OR ${checkedAt} NOT BETWEEN ${now - CHECK_EVERY_MS + MINUTE_MS / 2} AND ${now}`)
    .returning({ id });
  return claimed.length > 0;
}

/** Whole minutes, because requests are counted by the minute. */
export function lastMinutes(now: number, ms = REQUESTS_MS): { from: number; to: number } {
  const to = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  return { from: to - ms, to };
}

const alertRules = (db: Database) =>
  db
    .select({
      errorPercent: sql<number>`coalesce((SELECT ${shop.alertErrorPercent} FROM ${shop}), 5)`.as("error_percent"),
      email: sql<string | null>`(SELECT ${shop.alertEmail} FROM ${shop})`.as("email"),
    })
    .from(sql`(SELECT 1)`);

const isOpen = isNull(alerts.resolvedAt);

/** Open alerts, and those recently sent by e-mail. */
const openOrTold = (db: Database, now: number) =>
  db
    .select()
    .from(alerts)
    .where(or(isOpen, and(isNotNull(alerts.toldAt), gt(alerts.toldAt, now - QUIET_MS))));

/** The query for open alerts, newest first. */
export const openAlerts = (db: Database) => db.select().from(alerts).where(isOpen).orderBy(desc(alerts.id));

/** The query for recently resolved alerts. */
export const resolvedAlerts = (db: Database, limit: number) =>
  db.select().from(alerts).where(isNotNull(alerts.resolvedAt)).orderBy(desc(alerts.resolvedAt)).limit(limit);

const emailsAreStuck = ({ queues }: Background): boolean =>
  queues.some(({ name, isStuck }) => name === "emails" && isStuck);

const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);

function writesOf({ raised, seen, cleared, resolved }: AlertPlan, now: number): SQL[] {
  const rows = raised.map((condition) => ({ ...condition, createdAt: now }));
  const which = (some: readonly { id: number }[]) => sql`${isAmong(alerts.id, idsOf(some))} AND ${isOpen}`;
  return [
    ...(rows.length > 0 ? [sql`${insertRows(alerts, rows)} WHERE TRUE ON CONFLICT DO NOTHING`] : []),
    ...(seen.length > 0
      ? [
          sql`UPDATE ${alerts} SET clear_since = NULL, summary = now_seen.value ->> 'summary'
            FROM json_each(${JSON.stringify(seen)}) AS now_seen WHERE ${alerts.id} = now_seen.value ->> 'id' AND ${isOpen}`,
        ]
      : []),
    ...(cleared.length > 0 ? [sql`UPDATE ${alerts} SET clear_since = ${now} WHERE ${which(cleared)}`] : []),
    ...(resolved.length > 0 ? [sql`UPDATE ${alerts} SET resolved_at = ${now} WHERE ${which(resolved)}`] : []),
    sql`DELETE FROM ${alerts} WHERE ${alerts.resolvedAt} < ${now - KEPT_MS}`,
  ];
}

type Recipient = { email: string | null; now: number };

/** The statements that queue one e-mail about all alerts to announce, and record the time. */
function emailsOf({ email: told }: AlertPlan, { email, now }: Recipient): SQL[] {
  const all = [...told.raised, ...told.open, ...told.resolved];
  if (all.length === 0) return [];
  // Administrators already get an e-mail when a webhook is paused.
  const raised = told.raised.filter(({ kind }) => kind !== "endpoint_paused" || email !== null);
  const params = { raised: raised.map(inWords), open: told.open.map(inWords), resolved: told.resolved.map(inWords) };
  const queued =
    email === null
      ? queueForAdministrators("health_alert", params, now)
      : queueForAddress("health_alert", params, { recipient: email, now });
  const isEmpty = raised.length + told.open.length + told.resolved.length === 0;
  const keys = all.map(({ kind, about }) => `${kind} ${about}`);
  return [
    ...(isEmpty ? [] : [queued]),
    sql`UPDATE ${alerts} SET told_at = ${now} WHERE ${isAmong(sql`${alerts.kind} || ' ' || ${alerts.about}`, keys)}
      AND (${isOpen} OR ${eq(alerts.resolvedAt, now)})`,
  ];
}

function inWords(alert: Condition | AlertRow) {
  const { title, remedy } = wordsOfAlert(alert);
  return { title, summary: alert.summary, remedy };
}
