import type { Context } from "hono";
import type { AppEnv } from "../../env.ts";
import { inBackground } from "../../http/background.ts";
import type { OrderRow } from "../schemas.ts";
import { closePayments } from "./close-payments.ts";
import { sendRefunds } from "./send-refunds.ts";

/** The part of a Context that this needs, whatever its gate has added. */
type Telling = Pick<Context, "executionCtx"> & { var: Pick<AppEnv["Variables"], "db" | "settings"> };

/**
 * Sends what an order gave back, and closes the page of one that was cancelled, without holding up the answer; what fails
 * here the schedule does.
 */
export function tellProvidersSoon(c: Telling, { paymentProvider, refundedTotal, status }: OrderRow): void {
  if (!paymentProvider) return;
  const { db, settings } = c.var;
  if (refundedTotal > 0) inBackground(c, "send refunds", sendRefunds(db, settings));
  if (status === "cancelled") inBackground(c, "close payments", closePayments(db, settings));
}
