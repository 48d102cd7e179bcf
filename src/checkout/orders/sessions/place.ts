import { eq } from "drizzle-orm";
import { ApiError, type FieldError, fieldError } from "../../../domain/errors.ts";
import type { PaymentMethod } from "../../../domain/payment-methods.ts";
import type { WriteContext } from "../../../platform/auth/write-context.ts";
import { checkoutSessions, orders } from "../../../platform/db/schema.ts";
import { atCurrentPrices, offerOf, readOrderState } from "../checkout/order-state.ts";
import { placeOrder } from "../checkout/place.ts";
import { type Quote, quoteOf } from "../checkout/quote.ts";
import { selectOrders } from "../orders.ts";
import type { OrderRow } from "../schemas.ts";
import { draftOfSession, type SessionContent } from "./content.ts";
import { type CheckoutSessionRow, sessionBecomesOrder, sessionContentOf } from "./sessions.ts";

type Pricing = Pick<WriteContext, "db" | "author" | "settings">;
type Placing = Pricing & Pick<WriteContext, "caller">;

/** A session's current price, what prevents its order, and the discount codes that it is without. */
export type QuotedSession = { quote: Quote; problems: FieldError[]; rejectedCodes: FieldError[] };

export async function quoteSession(
  ctx: Pricing,
  content: SessionContent,
  method: PaymentMethod | null,
): Promise<QuotedSession> {
  const { draft, missing } = draftOfSession(ctx, content);
  const state = await readOrderState(ctx.db, draft);
  const quote = quoteOf({ settings: ctx.settings, state }, draft, method ?? undefined);
  const found = quote.problems.map(
    ({ field, code, message, ...facts }) => ({ field, code, message, facts }) as FieldError,
  );
  // Without an address, the price is of the place where the buyer probably is.
  const isSent = draft.lines.some(({ productId }) => offerOf(productId, state)?.requiresShipping);
  if (isSent && !content.address && draft.shippingAddress) {
    missing.push(fieldError("shipping_address", "required", "is required because the order contains items to ship"));
  }
  const isOfCode = ({ field }: FieldError) => field.startsWith("discount_codes");
  const reported = new Set(missing.map(({ field }) => field));
  return {
    quote,
    problems: [...missing, ...found.filter((problem) => !isOfCode(problem) && !reported.has(problem.field))],
    rejectedCodes: found.filter(isOfCode),
  };
}

/** The order of a session, if it has become one. */
export async function orderOfSession(
  { db }: Pick<Pricing, "db">,
  { orderId }: CheckoutSessionRow,
): Promise<OrderRow | null> {
  return orderId === null ? null : ((await selectOrders(db).where(eq(orders.id, orderId)).get()) ?? null);
}

type Terms = { method: PaymentMethod; expectedTotal: number; rejectedCodes: readonly FieldError[] };

/** Places the order of a session once. A second caller gets the order that the first one placed. */
export async function placeSession(ctx: Placing, row: CheckoutSessionRow, terms: Terms): Promise<OrderRow> {
  const { draft } = draftOfSession(ctx, sessionContentOf(row));
  const rejected = new Set(terms.rejectedCodes.map(({ field }) => field));
  const asked = {
    ...draft,
    discountCodes: draft.discountCodes.filter((_, place) => !rejected.has(`discount_codes.${place}`)),
  };
  const order = {
    ...asked,
    lines: atCurrentPrices(asked.lines, await readOrderState(ctx.db, asked)),
    reference: row.reference,
    paymentMethod: terms.method,
    expectedTotal: terms.expectedTotal,
    cartTokenHash: null,
    alongside: sessionBecomesOrder(ctx, row),
  };
  try {
    return await placeOrder(ctx, order);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const again = await ctx.db.select().from(checkoutSessions).where(eq(checkoutSessions.id, row.id)).get();
    const placed = again && (await orderOfSession(ctx, again));
    if (placed) return placed;
    throw error;
  }
}
