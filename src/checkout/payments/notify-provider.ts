import type { Context } from "hono";
import type { AppEnv } from "../../platform/auth/app-env.ts";
import type { orders } from "../../platform/db/schema.ts";
import { inBackground } from "../../platform/http/background.ts";
import { closePayments } from "./close-payments.ts";
import { sendRefunds } from "./send-refunds.ts";

/** The part of a Context that `notifyProvider` needs, whatever variables a gate has added. */
type NotifyContext = Pick<Context, "executionCtx"> & { var: Pick<AppEnv["Variables"], "db" | "settings"> };

type ChangedOrder = Pick<typeof orders.$inferSelect, "paymentProvider" | "refundedTotal" | "status">;

/**
 * Sends the refunds of an order to its payment provider, and closes the payment page of a cancelled one, in the background.
 * The schedule repeats what fails here.
 */
export function notifyProvider(c: NotifyContext, { paymentProvider, refundedTotal, status }: ChangedOrder): void {
  if (!paymentProvider) return;
  const { db, settings } = c.var;
  if (refundedTotal > 0) inBackground(c, "send refunds", sendRefunds(db, settings, Date.now()));
  if (status === "cancelled") inBackground(c, "close payments", closePayments(db, settings, Date.now()));
}
