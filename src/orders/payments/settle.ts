import type { Database } from "../../db/client.ts";
import { log } from "../../http/log.ts";
import { inWords } from "../../money.ts";
import type { Payment } from "./provider.ts";
import { returnRefund } from "./refund-queries.ts";
import { acceptPayment, noteFailure, type Received, type ReceivedEvent, returnPayment } from "./settle-queries.ts";

/** "returned" is money that goes back: it came for an order that cannot be paid, or is paid, or in another amount. */
type Settlement = "settled" | "returned" | "ignored";

/**
 * Does what a verified event says, once however often it comes. Money for an order that was cancelled, or whose stock is
 * gone, goes back, and so does money that is not what was due.
 */
export async function settleEvent(db: Database, event: ReceivedEvent): Promise<Settlement> {
  if (event.kind === "refund_failed") {
    const author = { actor: event.provider, address: null, requestId: event.requestId, now: event.now };
    await returnRefund(db, author, event, event.reason);
    return "settled";
  }
  if (event.kind === "failed") {
    await noteFailure(db, event);
    return "settled";
  }
  return settlePayment(db, event);
}

async function settlePayment(db: Database, payment: Received<Payment>): Promise<Settlement> {
  const mismatch = mismatchOf(payment);
  if (mismatch) {
    log("error", { message: "a payment is not what was due", provider: payment.provider, event: payment.id });
  } else if ((await acceptPayment(db, payment)) !== "refused") return "settled";
  const why = mismatch ?? "It came too late, or twice";
  return (await returnPayment(db, payment, why)) === "done" ? "returned" : "ignored";
}

function mismatchOf({ order, amount, currency }: Payment): string | undefined {
  if (amount === order.total && currency === order.currency) return undefined;
  return `${inWords(amount)} ${currency} came, and ${inWords(order.total)} ${order.currency} was due`;
}
