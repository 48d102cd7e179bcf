import { forgetSessions } from "./auth/sessions/queries.ts";
import { forgetGuestCarts } from "./cart/queries.ts";
import { connect } from "./db/client.ts";
import { deleteUnclaimed } from "./files/unclaimed.ts";
import { logFault } from "./http/log.ts";
import { forgetOldKeys } from "./idempotency/queries.ts";
import { expireOrders } from "./orders/move-queries.ts";
import { closePayments } from "./orders/payments/close-payments.ts";
import { sendRefunds } from "./orders/payments/send-refunds.ts";
import { readSettings } from "./settings.ts";

/** What has to happen though nobody asks, every minute. Each duty stands alone: one that fails keeps none from its turn. */
export async function everyMinute(env: Env, now: number): Promise<void> {
  const db = connect(env.DB);
  const duties = {
    "expire unpaid orders": () => expireOrders(db, now),
    "send refunds": () => sendRefunds(db, readSettings(env)),
    "close payments": () => closePayments(db, readSettings(env)),
    "forget ended sessions": () => forgetSessions(db, now),
    "forget guest carts": () => forgetGuestCarts(db, now),
    "forget idempotency keys": () => forgetOldKeys(db, now),
    "delete objects that no file holds": () => deleteUnclaimed({ db, bucket: env.FILES }, now),
  };
  for (const [duty, run] of Object.entries(duties)) {
    try {
      await run();
    } catch (error) {
      logFault(`the schedule could not ${duty}`, error);
    }
  }
}
