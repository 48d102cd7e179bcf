import { type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "../../db/client.ts";
import { versionAfter } from "../../db/precondition.ts";
import { isViolation, violates } from "../../db/violation.ts";
import { payOrder } from "../pay-queries.ts";
import { selectSnapshot } from "../queries.ts";
import type { OrderRow } from "../schemas.ts";
import type { PaymentEvent, ProviderName } from "./provider.ts";

/** An event together with who sent it and when it came. */
export type ReceivedEvent = PaymentEvent & { provider: ProviderName; now: number };

/** "done", or why not: the event came before, or the order can no longer be paid. */
type Settled = "done" | "known" | "refused";

export const findOrderNumbered = async (db: Database, number: string): Promise<OrderRow | undefined> =>
  (await selectSnapshot(db, number).get())?.order;

/** A payment is remembered by its own name, however many events tell of it; a failure by its event's. */
const remember = ({ provider, kind, id, reference, orderNumber, now }: ReceivedEvent): SQL => sql`
  INSERT INTO payment_events (provider, event_id, order_id, created_at)
  VALUES (${provider}, ${kind === "paid" ? reference : id}, (SELECT id FROM orders WHERE number = ${orderNumber}), ${now})`;

async function settle(db: Database, event: ReceivedEvent, writes: SQL[]): Promise<Settled> {
  try {
    await db.batch([statement(db, remember(event)), ...writes.map((write) => statement(db, write))]);
    return "done";
  } catch (error) {
    if (violates(error, "payment_events.")) return "known";
    if (isViolation(error)) return "refused";
    throw error;
  }
}

/** Pays the order with the money that came. */
export const acceptPayment = (db: Database, event: ReceivedEvent) =>
  settle(
    db,
    event,
    payOrder(event.orderNumber, {
      actor: event.provider,
      now: event.now,
      note: null,
      reference: event.reference,
    }),
  );

/** Notes that a payment did not go through; the buyer may try again until the order expires. */
export const noteFailure = (db: Database, event: ReceivedEvent) =>
  settle(db, event, [
    sql`UPDATE orders SET payment_status = 'failed', updated_at = ${versionAfter(event.now)}, updated_by = ${event.provider}
      WHERE number = ${event.orderNumber} AND status = 'pending'`,
  ]);

/** Sends money back that came too late, or twice: it is charged and refunded in one go, and the order stays as it is. */
export const returnPayment = (db: Database, event: ReceivedEvent) => {
  const { orderNumber, amount, reference, now } = event;
  const entry = (kind: "charge" | "refund", value: number) => sql`
    INSERT INTO transactions (user_id, api_key_id, order_id, kind, method, amount, created_at)
    SELECT user_id, api_key_id, id, ${kind}, payment_method, ${value}, ${now} FROM orders WHERE number = ${orderNumber}`;
  return settle(db, event, [
    entry("charge", -amount),
    entry("refund", amount),
    sql`INSERT INTO refunds (order_id, payment, amount, created_at)
      SELECT id, ${reference}, ${amount}, ${now} FROM orders WHERE number = ${orderNumber}`,
  ]);
};
