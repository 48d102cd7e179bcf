import { followEvents } from "./apps/follow-events.ts";
import { deleteExpiredGuestCarts } from "./cart/queries.ts";
import { connect } from "./db/client.ts";
import { skipEventEmails } from "./email/follow.ts";
import { canSend } from "./email/mailer.ts";
import { deleteOldEmails } from "./email/queries.ts";
import { sendEmails } from "./email/send.ts";
import { deleteOldEvents, publishExpiringKeys } from "./events/queries.ts";
import { deleteOrphanedObjects } from "./files/orphaned-objects.ts";
import { logFault } from "./http/log.ts";
import { deleteOldKeys } from "./idempotency/queries.ts";
import { UNDO_DAYS } from "./jobs/schemas.ts";
import { restartJobs } from "./jobs/start.ts";
import { expireOrders } from "./orders/move-queries.ts";
import { closePayments } from "./payments/close-payments.ts";
import { sendRefunds } from "./payments/send-refunds.ts";
import { eraseDueAccounts } from "./personal-data/erase-due.ts";
import { forgetAuditAddresses, forgetJobChanges, forgetSpending } from "./personal-data/retention-queries.ts";
import { queueStockDigest } from "./products/stock-digest-queries.ts";
import { addUpAllSales } from "./sales/add-up-queries.ts";
import { readSettings } from "./settings/settings.ts";
import { deleteExpiredLinks } from "./users/link-tokens/queries.ts";
import { deleteExpiredSessions } from "./users/sessions/queries.ts";
import { deleteExpiredChallenges } from "./users/two-factor/challenge-queries.ts";
import { resealTotpSecrets } from "./users/two-factor/reseal.ts";
import { nudgeAll } from "./webhooks/nudge.ts";
import { resealWebhookSecrets } from "./webhooks/reseal.ts";

/** The jobs of every minute. One that fails does not stop the others. */
export async function everyMinute(env: Env, now: number): Promise<void> {
  const db = connect(env.DB);
  const duties = {
    "expire unpaid orders": () => expireOrders(db, now),
    "send refunds": () => sendRefunds(db, readSettings(env)),
    "tell staff of low stock": async () => {
      if (canSend(env, readSettings(env).email)) await queueStockDigest(db, now);
    },
    "leave out e-mails that cannot be sent": () => skipEventEmails(env),
    "send e-mails": () => sendEmails({ env, db, settings: readSettings(env) }, now),
    "forget old e-mails": () => deleteOldEmails(db, now, readSettings(env).retention.emailDays),
    "close payments": () => closePayments(db, readSettings(env)),
    "forget ended sessions": () => deleteExpiredSessions(db, now),
    "forget ended links": () => deleteExpiredLinks(db, now),
    "forget login challenges": () => deleteExpiredChallenges(db, now),
    "seal second factors anew": () => resealTotpSecrets(db, readSettings(env).linkSecrets),
    "forget guest carts": () => deleteExpiredGuestCarts(db, now),
    "forget idempotency keys": () => deleteOldKeys(db, now),
    "forget addresses in the audit log": () =>
      forgetAuditAddresses(db, now, readSettings(env).retention.auditAddressDays),
    "forget what jobs changed": () => forgetJobChanges(db, now, UNDO_DAYS),
    "forget what staff spent": () => forgetSpending(db, now),
    "erase accounts": () => eraseDueAccounts(env, db, now),
    "start jobs again": () => restartJobs(env, now),
    "publish API keys that expire": () => publishExpiringKeys(db, now),
    "forget old events": () => deleteOldEvents(db, now),
    "follow events": () => followEvents(env),
    "add up sales": () => addUpAllSales(db),
    "nudge webhooks": () => nudgeAll(env),
    "seal the secrets of webhooks anew": () => resealWebhookSecrets(db, readSettings(env).linkSecrets),
    "delete objects that no file holds": () => deleteOrphanedObjects({ db, bucket: env.FILES }, now),
  };
  for (const [duty, run] of Object.entries(duties)) {
    try {
      await run();
    } catch (error) {
      logFault(`the schedule could not ${duty}`, error);
    }
  }
}
