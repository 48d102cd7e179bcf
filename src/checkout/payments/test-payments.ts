import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import { MINUTE_MS } from "../../domain/time.ts";
import { orders, testPayments } from "../../platform/db/schema.ts";
import { logFault } from "../../platform/http/log.ts";
import { isFree } from "../../platform/queues/failed-items.ts";
import { workOff } from "../../platform/queues/work-off.ts";
import { type EventOutcome, receiveEvent } from "./handle-event.ts";
import { canBePaid, type TestCardContext, type TestEvent, testCard, testEventRequest } from "./test-card.ts";

/** Outcomes that a buyer can choose. */
export const testOutcomes = ["succeed", "fail", "confirm_later", "refund_fails"] as const;
export type TestOutcome = (typeof testOutcomes)[number];

type TestPayment = typeof testPayments.$inferSelect;
type TestPaymentContext = TestCardContext & { requestId: string };

export const findTestPayment = (ctx: TestCardContext, reference: string): Promise<TestPayment | undefined> =>
  ctx.db
    .select()
    .from(testPayments)
    .where(and(eq(testPayments.reference, reference), isTaken(ctx)))
    .get();

/** A deployment without test payments accepts them for test keys' orders. */
const isTaken = ({ settings }: TestCardContext): SQL | undefined =>
  settings.test
    ? undefined
    : sql`EXISTS (SELECT 1 FROM ${orders} WHERE ${orders.reference} = ${testPayments.orderReference} AND ${orders.sandbox})`;

/** Time after which a payment with delayed confirmation is confirmed, in the next run of the schedule. */
const LATER_MS = MINUTE_MS;

/**
 * Pays a test payment as the buyer chose, and notifies the shop. Returns null if the payment cannot be paid, because it
 * was paid or closed, or has expired. If the notification fails, the schedule repeats it.
 */
export async function payByTestCard(
  ctx: TestPaymentContext,
  { reference, outcome }: { reference: string; outcome: TestOutcome },
): Promise<EventOutcome | "later" | null> {
  const now = Date.now();
  const payment = await findTestPayment(ctx, reference);
  if (payment?.state !== "open" || payment.expiresAt <= now) return null;
  if (outcome === "fail") return tellShop(ctx, { ...eventOf(payment, "failed"), id: crypto.randomUUID() });
  const confirmAt = outcome === "confirm_later" ? now + LATER_MS : now;
  // Two simultaneous clicks pay once.
  const paid = await ctx.db
    .update(testPayments)
    .set({ state: "paid", failsRefunds: outcome === "refund_fails", confirmAt })
    .where(canBePaid(reference))
    .returning();
  if (paid.length === 0) return null;
  if (outcome === "confirm_later") return "later";
  try {
    return await confirm(ctx, payment);
  } catch (error) {
    logFault("shop not notified of a test payment", error, { payment: reference });
    return "later";
  }
}

const eventOf = ({ reference, orderReference, amount, currency }: TestPayment, type: TestEvent["type"]): TestEvent => ({
  id: `paid-${reference}`,
  type,
  payment: reference,
  order_reference: orderReference,
  amount,
  currency,
});

/** Sends an event to the shop's own webhook, signed. A Worker cannot fetch its own address. */
async function tellShop(ctx: TestPaymentContext, event: TestEvent): Promise<EventOutcome> {
  const { sandbox, linkSecrets } = ctx.settings;
  if (!sandbox) throw new Error("the test provider has no address");
  const request = testEventRequest(event, linkSecrets, sandbox.baseUrl);
  const provider = testCard(ctx, sandbox.baseUrl);
  return receiveEvent(ctx, { provider, request, limitForged: (_, isGenuine) => isGenuine() });
}

async function confirm(ctx: TestPaymentContext, payment: TestPayment): Promise<EventOutcome> {
  const outcome = await tellShop(ctx, eventOf(payment, "paid"));
  await ctx.db.update(testPayments).set({ confirmAt: null }).where(eq(testPayments.reference, payment.reference));
  return outcome;
}

/** Maximum number of payments that one run confirms. */
const CONFIRMED_AT_ONCE = 20;

/** Notifies the shop of test payments with delayed confirmation, and of those whose notification failed. */
export async function confirmTestPayments(ctx: TestCardContext, now: number): Promise<void> {
  if (!ctx.settings.sandbox) return;
  const isDue = and(
    lte(testPayments.confirmAt, now),
    isTaken(ctx),
    isFree("confirm_test_payments", testPayments.reference, now),
  );
  await workOff(ctx.db, now, {
    queue: "confirm_test_payments",
    find: () => ctx.db.select().from(testPayments).where(isDue).limit(CONFIRMED_AT_ONCE),
    idOf: ({ reference }) => reference,
    run: (payment) => confirm({ ...ctx, requestId: "schedule" }, payment),
  });
}
