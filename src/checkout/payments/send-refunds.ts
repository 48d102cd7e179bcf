import { and, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import { auditStates } from "../../platform/audit/audit.ts";
import type { AuthorContext, WriteContext } from "../../platform/auth/caller.ts";
import { type Database, runAll, statement } from "../../platform/db/client.ts";
import { decimal } from "../../platform/db/json.ts";
import { MAX_REFUND_FAILURES, orderHistory, orders, refunds } from "../../platform/db/schema.ts";
import { insertSelected, precondition, violates } from "../../platform/db/statements.ts";
import { log } from "../../platform/http/log.ts";
import { isFree } from "../../platform/queues/failed-items.ts";
import { workOff } from "../../platform/queues/work-off.ts";
import { type RefundAttempt, RefundFailed } from "./provider.ts";
import { providerFor } from "./providers.ts";

type QueuedRefund = Awaited<ReturnType<typeof findRefundsToSend>>[number];

/**
 * Sends refunds that providers have not accepted yet. A failed request is repeated later under the same id, so that the
 * refund is paid once.
 */
export const sendRefunds = (ctx: Pick<WriteContext, "db" | "settings">, now: number): Promise<void> =>
  workOff(ctx.db, now, {
    queue: "send_refunds",
    find: () => findRefundsToSend(ctx.db, now),
    idOf: ({ refundId }) => refundId,
    run: (refund) => sendRefund(ctx, refund),
  });

async function sendRefund(
  ctx: Pick<WriteContext, "db" | "settings">,
  { payment, amount, currency, method, ...attempt }: QueuedRefund,
) {
  const { db } = ctx;
  const provider = await providerFor(ctx, method);
  if (!provider) throw new Error(`the provider of ${method} is disabled`);
  const { refundId, orderReference, failures } = attempt;
  // A new attempt needs a new id: under the old one, the provider would repeat its earlier answer.
  const id = `refund-${orderReference}-${refundId}${failures > 0 ? `-${failures}` : ""}`;
  const contextNow = () => ({
    db,
    author: { actor: provider.name, address: null, requestId: "schedule", now: Date.now() },
  });
  try {
    const reference = await provider.refund({ ...attempt, id, reference: payment, amount, currency });
    await markRefundSent(contextNow(), { ...attempt, reference });
  } catch (error) {
    if (!(error instanceof RefundFailed)) throw error;
    log("error", { message: "a provider could not carry a refund out", refund: refundId, reason: error.message });
    await returnRefund(contextNow(), { ...attempt, reason: error.message });
  }
}

/** Maximum number of refunds that one run sends. */
const SENT_AT_ONCE = 20;

/** Refunds that no provider has accepted yet, except those on hold. */
const findRefundsToSend = (db: Database, now: number) =>
  db
    .select({
      refundId: refunds.id,
      orderReference: orders.reference,
      failures: refunds.failures,
      payment: refunds.payment,
      amount: refunds.amount,
      currency: sql<string>`coalesce(${refunds.currency}, ${orders.currency})`,
      method: orders.paymentMethod,
    })
    .from(refunds)
    .innerJoin(orders, eq(orders.id, refunds.orderId))
    .where(
      and(
        isNull(refunds.reference),
        lt(refunds.failures, sql.raw(String(MAX_REFUND_FAILURES))),
        isFree("send_refunds", refunds.id, now),
      ),
    )
    .orderBy(refunds.id)
    .limit(SENT_AT_ONCE);

/** The refund, if it is still at this attempt. */
const atAttempt = ({ refundId, failures }: RefundAttempt): SQL | undefined =>
  and(eq(refunds.id, refundId), eq(refunds.failures, failures));

/** Inserts an order history entry about a refund, if the refund matches `where`. */
const insertStep = (
  { author: { actor, now } }: Pick<WriteContext, "author">,
  { kind, note, where }: { kind: "refund_sent" | "refund_failed"; note: string | null; where: SQL | undefined },
): SQL =>
  insertSelected(
    orderHistory,
    {
      orderId: orders.id,
      at: now,
      kind,
      from: orders.status,
      to: orders.status,
      amount: refunds.amount,
      currency: refunds.currency,
      actor,
      note,
    },
    sql`FROM ${refunds} JOIN ${orders} ON ${orders.id} = ${refunds.orderId} WHERE ${where}`,
  );

/** Records once that the provider accepted a refund. Two concurrent senders get the same answer. */
async function markRefundSent(
  { db, author }: AuthorContext,
  { reference, ...attempt }: RefundAttempt & { reference: string },
) {
  const where = and(atAttempt(attempt), isNull(refunds.reference));
  await db.batch([
    statement(db, insertStep({ author }, { kind: "refund_sent", note: null, where })),
    db.update(refunds).set({ reference }).where(where),
  ]);
}

/**
 * Requeues a refund that the provider could not complete. Each attempt fails once, however many events report it. After the
 * last attempt the refund is not requeued, and staff must send the money another way.
 */
export async function returnRefund(
  { db, author }: AuthorContext,
  { reason, ...attempt }: RefundAttempt & { reason: string | null },
): Promise<void> {
  const { refundId, orderReference, failures } = attempt;
  const isLast = failures + 1 >= MAX_REFUND_FAILURES;
  const note = [reason, isLast ? "Not retried. Send the money another way, unless the provider returned it" : null]
    .filter(Boolean)
    .join(". ");
  const { id, orderId, amount, currency } = refunds;
  const currencyOf = sql`coalesce(${currency}, (SELECT ${orders.currency} FROM ${orders} WHERE ${orders.id} = ${orderId}))`;
  const ofOrder = sql`(SELECT ${orders.id} FROM ${orders} WHERE ${orders.reference} = ${orderReference})`;
  const where = atAttempt(attempt);
  const writes = [
    precondition(sql`EXISTS (SELECT 1 FROM ${refunds} WHERE ${where} AND ${orderId} = ${ofOrder})`),
    insertStep({ author }, { kind: "refund_failed", note: note || null, where }),
    auditStates(
      { author },
      {
        subject: "order",
        action: "refund_failed",
        id: ofOrder,
        after: sql`(SELECT json_object('refund', ${id}, 'amount', ${decimal(sql`${amount}`, currencyOf)},
        'failures', ${failures + 1}, 'reason', ${reason}) FROM ${refunds} WHERE ${eq(id, refundId)})`,
      },
    ),
    db
      .update(refunds)
      .set({ reference: null, failures: failures + 1 })
      .where(where)
      .getSQL(),
  ];
  try {
    await runAll(db, writes);
  } catch (error) {
    if (!violates(error, "row_changed")) throw error;
  }
}
