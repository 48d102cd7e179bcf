import type { Database } from "../../db/client.ts";
import { badRequest, fieldError } from "../../errors.ts";
import { log } from "../../http/log.ts";
import { inWords } from "../../money.ts";
import { acceptPayment, findOrderNumbered, noteFailure, type ReceivedEvent, returnPayment } from "./settle-queries.ts";

/** "returned" is money that goes back: it came for an order that cannot be paid, or is paid. */
type Settlement = "settled" | "returned" | "ignored";

/**
 * Does what a verified event says, once however often it comes. Money for an order that was cancelled, or whose stock is
 * gone, goes back.
 */
export async function settlePayment(db: Database, event: ReceivedEvent): Promise<Settlement> {
  const order = await findOrderNumbered(db, event.orderNumber);
  if (!order) {
    log("error", { message: "a payment names no order", provider: event.provider, event: event.id });
    return "ignored";
  }
  if (event.kind === "failed") {
    await noteFailure(db, event);
    return "settled";
  }
  if (event.amount !== order.total || event.currency !== order.currency) {
    log("error", { message: "a payment is not what was due", provider: event.provider, event: event.id });
    const due = `${inWords(order.total)} ${order.currency}`;
    throw badRequest(
      fieldError("amount", "payment_mismatch", `must be ${due}, but ${inWords(event.amount)} ${event.currency} came`),
    );
  }
  if ((await acceptPayment(db, event)) !== "refused") return "settled";
  return (await returnPayment(db, event)) === "done" ? "returned" : "ignored";
}
