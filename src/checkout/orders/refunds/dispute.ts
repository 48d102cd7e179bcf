import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { ApiError } from "../../../domain/errors.ts";
import type { ProviderName } from "../../../domain/payment-methods.ts";
import type { AuthorContext } from "../../../platform/auth/caller.ts";
import { type Database, runAll } from "../../../platform/db/client.ts";
import { giftCards, orderHistory, orders, paymentEvents } from "../../../platform/db/schema.ts";
import { insertSelected, versionAfter, violates } from "../../../platform/db/statements.ts";
import type { Dispute } from "../../payments/public.ts";
import { applyOrderChange } from "../change.ts";
import { refundableAmount } from "./extent.ts";
import { planRefund } from "./refund.ts";

type DisputeEvent = { provider: ProviderName; dispute: Dispute };
/**
 * Records a dispute on its order, once for each state. A lost one is a refund that the provider made: it ends downloads and
 * license keys as others do, and no goods return. Until then the buyer keeps them, because the shop may win. Returns the id
 * of the order, or undefined if the payment is not an order's.
 */
export async function recordDispute(
  ctx: AuthorContext,
  { provider, dispute }: DisputeEvent,
): Promise<number | undefined> {
  const orderId = await findPaidOrder(ctx.db, provider, dispute.payment);
  if (orderId === undefined) return undefined;
  try {
    if (dispute.state === "lost") await refundLost(ctx, orderId, { provider, dispute });
    else await runAll(ctx.db, noted(ctx, orderId, { provider, dispute }, dispute.reason));
  } catch (error) {
    if (!violates(error, "payment_events.")) throw error;
  }
  return orderId;
}

/** The order that a payment paid. Each payment that is kept is recorded under its reference. */
async function findPaidOrder(db: Database, provider: ProviderName, payment: string): Promise<number | undefined> {
  const isPaidBy = and(eq(paymentEvents.provider, provider), eq(paymentEvents.eventId, payment));
  return (await db.select({ id: paymentEvents.orderId }).from(paymentEvents).where(isPaidBy).get())?.id ?? undefined;
}

async function refundLost(ctx: AuthorContext, orderId: number, disputed: DisputeEvent): Promise<void> {
  const { id, amount, reason } = disputed.dispute;
  const note = `Dispute lost: ${reason}. The bank returned the money`;
  try {
    await applyOrderChange(ctx, {
      which: { id: orderId, scope: "everybody" },
      audit: ctx.author,
      decide: (order) => {
        const what = Math.min(amount, refundableAmount(order));
        const plan = planRefund(ctx, { order, what, restock: false, ends: "refunded", note, dispute: id });
        return { ...plan, statements: [recordEvent(ctx, orderId, disputed), ...plan.statements] };
      },
    });
  } catch (error) {
    if (!(error instanceof ApiError) || !NOT_REFUNDABLE.includes(error.code)) throw error;
    const step = noted(ctx, orderId, disputed, `${note}. No refund was recorded: ${error.message}`);
    await runAll(ctx.db, [...step, endGiftCards(ctx, orderId)]);
  }
}

/** Codes for orders that were refunded before, or whose gift cards were redeemed. */
const NOT_REFUNDABLE: string[] = ["move_not_allowed", "gift_card_in_use"];

/** Ends the gift cards of an order whose payment the bank took back. */
const endGiftCards = ({ db, author: { now } }: AuthorContext, orderId: number): SQL =>
  db
    .update(giftCards)
    .set({ endedAt: now, updatedAt: versionAfter(now) })
    .where(and(eq(giftCards.orderId, orderId), isNull(giftCards.endedAt)))
    .getSQL();

const recordEvent = (
  { db, author: { now } }: AuthorContext,
  orderId: number,
  { provider, dispute }: DisputeEvent,
): SQL =>
  db
    .insert(paymentEvents)
    .values({ provider, eventId: `${dispute.id} ${dispute.state}`, orderId, createdAt: now })
    .getSQL();

const noted = (ctx: AuthorContext, orderId: number, disputed: DisputeEvent, note: string): SQL[] => {
  const { state, amount, currency } = disputed.dispute;
  const step = {
    orderId: orders.id,
    at: ctx.author.now,
    kind: state === "opened" ? "dispute_opened" : "dispute_closed",
    from: orders.status,
    to: orders.status,
    amount,
    currency: sql`nullif(${currency}, ${orders.currency})`,
    actor: ctx.author.actor,
    note,
  } as const;
  return [
    recordEvent(ctx, orderId, disputed),
    insertSelected(orderHistory, step, sql`FROM ${orders} WHERE ${orders.id} = ${orderId}`),
  ];
};
