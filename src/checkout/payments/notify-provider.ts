import type { Context } from "hono";
import type { AppEnv } from "../../platform/auth/gates.ts";
import type { orders } from "../../platform/db/schema.ts";
import { inBackground } from "../../platform/http/background.ts";
import { closePayments } from "./close-payments.ts";
import { sendRefunds } from "./send-refunds.ts";

/** The part of a Context that `notifyProvider` needs, independent of variables that gates add. */
type NotifyContext = Pick<Context, "executionCtx"> & { var: Pick<AppEnv["Variables"], "db" | "settings"> };

type EditedOrder = Pick<typeof orders.$inferSelect, "paymentProvider" | "paidAt">;
type ChangedOrder = Pick<typeof orders.$inferSelect, "paymentProvider" | "refundedTotal" | "status">;

/**
 * Sends an order's refunds to its payment provider in the background, and closes the payment page of a cancelled order. The
 * schedule retries failures.
 */
export function notifyProvider(c: NotifyContext, { paymentProvider, refundedTotal, status }: ChangedOrder): void {
  if (!paymentProvider) return;
  const { db, settings } = c.var;
  if (refundedTotal > 0) inBackground(c, "send refunds", sendRefunds({ db, settings }, Date.now()));
  if (status === "cancelled") inBackground(c, "close payments", closePayments({ db, settings }, Date.now()));
}

/** Sends the difference that an edit refunds, and closes the payment page that it replaced, in the background. */
export function notifyOfEdit(c: NotifyContext, { paymentProvider, paidAt }: EditedOrder): void {
  if (!paymentProvider) return;
  const { db, settings } = c.var;
  if (paidAt === null) inBackground(c, "close payments", closePayments({ db, settings }, Date.now()));
  else inBackground(c, "send refunds", sendRefunds({ db, settings }, Date.now()));
}
