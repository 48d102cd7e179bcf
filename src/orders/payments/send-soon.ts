import type { Context } from "hono";
import type { AppEnv } from "../../env.ts";
import { inBackground } from "../../http/background.ts";
import type { OrderRow } from "../schemas.ts";
import { sendRefunds } from "./send-refunds.ts";

/** The part of a Context that this needs, whatever its gate has added. */
type Sending = Pick<Context, "executionCtx"> & { var: Pick<AppEnv["Variables"], "db" | "settings"> };

/** Sends what an order gave back without holding up the answer; what fails here the schedule sends. */
export function sendRefundsSoon(c: Sending, { paymentProvider, refundedTotal }: OrderRow): void {
  if (paymentProvider && refundedTotal > 0) inBackground(c, "send refunds", sendRefunds(c.var.db, c.var.settings));
}
