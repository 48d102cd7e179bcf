import { formatAmount } from "../../domain/money.ts";
import type { Database } from "../../platform/db/client.ts";
import { log } from "../../platform/http/log.ts";
import { acceptPayment, noteFailure, type Received, type ReceivedEvent, returnPayment } from "./event-queries.ts";
import type { Payment } from "./provider.ts";
import { returnRefund } from "./refund-queries.ts";

/** "returned" is money that goes back: it came for an order that cannot be paid, or is paid, or in another amount. */
type EventOutcome = "settled" | "returned" | "ignored";

/**
 * Handles a verified event of a payment provider, once however often it is delivered. Money for an order that was cancelled, or whose stock is
 * gone, goes back, and so does money that is not what was due.
 */
export async function handlePaymentEvent(db: Database, event: ReceivedEvent): Promise<EventOutcome> {
  if (event.kind === "refund_failed") {
    const author = { actor: event.provider, address: null, requestId: event.requestId, now: event.now };
    await returnRefund(db, author, event, event.reason);
    return "settled";
  }
  if (event.kind === "failed") {
    await noteFailure(db, event);
    return "settled";
  }
  return handlePayment(db, event);
}

async function handlePayment(db: Database, payment: Received<Payment>): Promise<EventOutcome> {
  const mismatch = mismatchOf(payment);
  if (mismatch) {
    log("error", { message: "a payment is not what was due", provider: payment.provider, event: payment.id });
  } else if ((await acceptPayment(db, payment)) !== "refused") return "settled";
  const why = mismatch ?? "It came too late, or twice";
  return (await returnPayment(db, payment, why)) === "done" ? "returned" : "ignored";
}

function mismatchOf({ order, amount, currency }: Payment): string | undefined {
  if (amount === order.total && currency === order.currency) return undefined;
  const due = `${formatAmount(order.total, order.currency)} ${order.currency}`;
  return `${formatAmount(amount, currency)} ${currency} came, and ${due} was due`;
}
