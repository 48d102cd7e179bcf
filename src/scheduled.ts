import { eraseDueAccounts } from "./accounts/personal-data/erase-due.ts";
import { forgetAuditAddresses, forgetJobChanges, forgetSpending } from "./accounts/personal-data/retention.ts";
import { deleteExpiredLinks } from "./accounts/users/email-address/link-tokens.ts";
import { deleteExpiredSessions } from "./accounts/users/sessions/sessions.ts";
import { deleteExpiredInvitations } from "./accounts/users/staff/staff.ts";
import { deleteExpiredChallenges } from "./accounts/users/two-factor/challenge.ts";
import { resealTotpSecrets } from "./accounts/users/two-factor/two-factor.ts";
import { followEvents } from "./apps/follow-events.ts";
import { backUpDaily } from "./back-office/backups/backups.ts";
import { checkAlerts } from "./back-office/health/alerts.ts";
import { recordRun, recordRunStart } from "./back-office/health/background.ts";
import { addUpAllSales } from "./back-office/sales/add-up.ts";
import { followClocks } from "./back-office/shop/shop.ts";
import { deleteOldPrices } from "./catalogue/products/price-history.ts";
import { queueStockDigest } from "./catalogue/products/stock-digest.ts";
import { publishStockChanges } from "./catalogue/products/stock-events.ts";
import { deleteExpiredGuestCarts } from "./checkout/cart/cart.ts";
import { expireOrders } from "./checkout/orders/change.ts";
import { deleteOldGuestDrafts } from "./checkout/orders/drafts/drafts.ts";
import { deleteExpiredSessionsOfAgents } from "./checkout/orders/sessions/sessions.ts";
import { resealAccounts } from "./checkout/payments/accounts.ts";
import { closePayments } from "./checkout/payments/close-payments.ts";
import { sendRefunds } from "./checkout/payments/send-refunds.ts";
import { confirmTestPayments } from "./checkout/payments/test-payments.ts";
import { syncDueSubscriptions } from "./checkout/subscriptions/sync.ts";
import { deleteOldVatChecks } from "./checkout/taxes/vat-checks.ts";
import { deleteOrphanedObjects } from "./downloads/files/orphaned-objects.ts";
import { forgetAgents } from "./integrations/agents/agents.ts";
import { announceDeprecations } from "./integrations/api-keys/announce-deprecations.ts";
import { deleteExpiredGrants } from "./integrations/apps/expire.ts";
import { deleteOldEvents, publishExpiringKeys, publishUnusedKeys } from "./integrations/events/events.ts";
import { resealWebhookSecrets } from "./integrations/webhooks/endpoints.ts";
import { nudgeAll } from "./integrations/webhooks/nudge.ts";
import { deleteOldCounts } from "./platform/auth/author-limits.ts";
import { resealLicenseSecret } from "./platform/auth/license-keys.ts";
import { connect } from "./platform/db/client.ts";
import { readCurrency } from "./platform/db/currency.ts";
import { limited, QueryBudget } from "./platform/db/d1-limits.ts";
import { deleteOldEmails } from "./platform/email/emails.ts";
import { skipEventEmails } from "./platform/email/follow.ts";
import { canSend } from "./platform/email/mailer.ts";
import { sendEmails } from "./platform/email/send.ts";
import { queueDailySummaries } from "./platform/email/staff-notifications.ts";
import { causeOf, logFault } from "./platform/http/log.ts";
import { deleteOldKeys } from "./platform/idempotency/claims.ts";
import { UNDO_DAYS } from "./platform/jobs/schemas.ts";
import { restartJobs } from "./platform/jobs/start.ts";
import { deleteOldRequestCounts } from "./platform/metrics/figures.ts";
import { deleteSettled } from "./platform/queues/failed-items.ts";
import { readSettings } from "./platform/settings/settings.ts";
import { nudgeAgents } from "./ucp/order-webhook.ts";

/** The scheduled tasks of a minute by name. */
function tasksOf(env: Env, now: number) {
  const db = connect(env.DB);
  return {
    "follow clock changes": () => followClocks(db, now),
    "expire unpaid orders": () => expireOrders(db, now),
    "confirm test payments": () => confirmTestPayments({ db, settings: readSettings(env) }, now),
    "send refunds": () => sendRefunds({ db, settings: readSettings(env) }, now),
    "e-mail staff their daily summaries": async () => {
      if (!canSend(env, readSettings(env).email)) return;
      await queueStockDigest(db, now);
      await queueDailySummaries(db, now);
    },
    "announce deprecated operations": async () => {
      if (canSend(env, readSettings(env).email)) await announceDeprecations(db, now);
    },
    "skip e-mails that cannot be sent": () => skipEventEmails(env),
    "send e-mails": () => sendEmails({ env, db, settings: readSettings(env) }, now),
    "delete old e-mails": () => deleteOldEmails(db, now, readSettings(env).retention.emailDays),
    "close payment pages": () => closePayments({ db, settings: readSettings(env) }, now),
    "read due subscriptions": () => syncDueSubscriptions({ env, db, settings: readSettings(env) }, now),
    "delete expired sessions": () => deleteExpiredSessions(db, now),
    "delete expired app authorizations": () => deleteExpiredGrants(env, db, now),
    "delete expired links": () => deleteExpiredLinks(db, now),
    "delete expired invitations": () => deleteExpiredInvitations(db, now),
    "delete expired sign-in challenges": () => deleteExpiredChallenges(db, now),
    "re-encrypt second factors": () => resealTotpSecrets(db, readSettings(env).linkSecrets, now),
    "delete expired guest carts": () => deleteExpiredGuestCarts(db, now),
    "delete old drafts for guests": () => deleteOldGuestDrafts(db, now),
    "delete expired checkout sessions": () => deleteExpiredSessionsOfAgents(db, now),
    "delete old idempotency keys": () => deleteOldKeys(db, now),
    "delete old storage counts": () => deleteOldCounts(db, now),
    "delete old prices": () => deleteOldPrices(db, now),
    "delete old checks of VAT IDs": () => deleteOldVatChecks(db, now),
    "delete IP addresses from the audit log": () =>
      forgetAuditAddresses(db, now, readSettings(env).retention.auditAddressDays),
    "delete undo data of jobs": () => forgetJobChanges(db, now, UNDO_DAYS),
    "delete old staff spending": () => forgetSpending(db, now),
    "erase accounts": () => eraseDueAccounts(env, db, now),
    "back up": () => backUpDaily(env, db, { settings: readSettings(env), now }),
    "restart jobs": () => restartJobs(env, now),
    "publish events of expiring API keys": () => publishExpiringKeys(db, now),
    "publish events of unused API keys": () => publishUnusedKeys(db, now),
    "notify agents of orders": () => nudgeAgents(env, now),
    "delete inactive agents": () => forgetAgents(db, now),
    "delete old events": () => deleteOldEvents(db, now),
    "delete old request counts": () => deleteOldRequestCounts(db, now),
    "publish changes of stock": () => publishStockChanges(db, now),
    "follow events": () => followEvents(env),
    "add up sales": () => addUpAllSales(db, now),
    "start webhook deliveries": () => nudgeAll(env),
    "re-encrypt webhook secrets": () => resealWebhookSecrets(db, readSettings(env).linkSecrets, now),
    "re-encrypt payment accounts": () => resealAccounts(db, readSettings(env).linkSecrets, now),
    "re-encrypt the secret of license keys": () => resealLicenseSecret({ db, settings: readSettings(env) }),
    "delete orphaned objects": () => deleteOrphanedObjects({ env, db }, now),
    "delete resolved failures": () => deleteSettled(db, now),
    "raise alerts": () => checkAlerts({ env, db, settings: readSettings(env) }, now),
  } satisfies Record<string, () => Promise<unknown>>;
}
export type ScheduledTask = keyof ReturnType<typeof tasksOf>;

/** Queries after which a run begins no other item. Its last items, and the health checks, take less than 100. */
const MOST_QUERIES = 800;

/** Milliseconds for further rounds, counted from the end of the first: a slow task must not take the time of others. */
const RUN_MS = 20_000;

/**
 * Runs the scheduled tasks of every minute and records which failed. A failing task does not stop the others. Each gets an equal
 * share of the remaining queries. Tasks that needed more share what is left at the end, in further rounds.
 */
export async function everyMinute(env: Env, now: number): Promise<void> {
  const queries = new QueryBudget(MOST_QUERIES);
  const limitedEnv = { ...env, DB: limited(env.DB, queries) };
  const db = connect(limitedEnv.DB);
  const startedAt = Date.now();
  const failures: { duty: string; reason: string }[] = [];
  const attempt = async (duty: string, run: () => PromiseLike<unknown>): Promise<boolean> => {
    try {
      await run();
      return queries.isCut;
    } catch (error) {
      logFault(`the schedule could not ${duty}`, error);
      failures.push({ duty, reason: causeOf(error) });
      return false;
    }
  };
  await attempt("record its start", () => recordRunStart(db, now));
  await attempt("read the currency", () => readCurrency(limitedEnv.DB));
  for (let tasks = Object.entries(tasksOf(limitedEnv, now)), endsAt = Number.POSITIVE_INFINITY; tasks.length > 0; ) {
    const cut: typeof tasks = [];
    for (const [index, task] of tasks.entries()) {
      queries.shareAmong(tasks.length - index);
      if (await attempt(...task)) cut.push(task);
    }
    endsAt = Math.min(endsAt, Date.now() + RUN_MS);
    tasks = queries.made < MOST_QUERIES && Date.now() < endsAt ? cut : [];
  }
  await attempt("record its end", () =>
    recordRun(db, { finishedAt: now, durationMs: Date.now() - startedAt, failures }),
  );
}
