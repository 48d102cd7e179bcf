import { and, eq } from "drizzle-orm";
import * as z from "zod";
import { type CurrentPage, inOneLanguage } from "../../../catalogue/pages/public.ts";
import { Address } from "../../../domain/address.ts";
import { Email } from "../../../domain/contact.ts";
import { ApiError, badRequest, type FieldError, fieldError, requireFound } from "../../../domain/errors.ts";
import { Id, line, Text } from "../../../domain/fields.ts";
import { formatMoney, Price, toMinor } from "../../../domain/money.ts";
import { type PaymentMethod, paymentMethods } from "../../../domain/payment-methods.ts";
import type { WriteContext } from "../../../platform/auth/caller.ts";
import { sessionOfLink } from "../../../platform/auth/order-link.ts";
import { checkoutSessions, orders } from "../../../platform/db/schema.ts";
import { createOrder } from "../create/create-order.ts";
import type { OrderDraft } from "../create/draft.ts";
import { atCurrentPrices, offerOf, readOrderState } from "../create/order-state.ts";
import { type Quote, quoteOf } from "../create/quote.ts";
import { selectOrders } from "../orders.ts";
import type { OrderRow } from "../schemas.ts";
import { type BuyerContext, draftOfSession, type SessionContent } from "./content.ts";
import { type CheckoutSessionRow, changeSession, sessionBecomesOrder, sessionContentOf } from "./sessions.ts";

type PricingContext = BuyerContext & Pick<WriteContext, "env" | "settings">;
type PlacementContext = PricingContext & Pick<WriteContext, "caller">;

/** A session's current price, the problems that prevent its order, the discount codes left out, and the shop's pages. */
export type QuotedSession = {
  quote: Quote;
  problems: FieldError[];
  rejectedCodes: FieldError[];
  pages: readonly CurrentPage[];
};

export async function quoteSession(
  ctx: PricingContext,
  content: SessionContent,
  method: PaymentMethod | null,
): Promise<QuotedSession> {
  const { draft, missing } = draftOfSession(ctx, content);
  const state = await readOrderState(ctx, draft);
  const quote = quoteOf({ settings: ctx.settings, state }, draft, method ?? undefined);
  const found = quote.problems.map(
    ({ field, code, message, ...facts }) => ({ field, code, message, facts }) as FieldError,
  );
  // Without an address, the price is for the buyer's probable location.
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
    pages: inOneLanguage(state.pages),
  };
}

/** A session's order, if it has been placed. */
export async function orderOfSession(
  { db }: Pick<PricingContext, "db">,
  { orderId }: CheckoutSessionRow,
): Promise<OrderRow | null> {
  return orderId === null ? null : ((await selectOrders(db).where(eq(orders.id, orderId)).get()) ?? null);
}

type Terms = Pick<OrderDraft, "acceptedTerms" | "charge"> & {
  method: PaymentMethod;
  expectedTotal: number;
  rejectedCodes: readonly FieldError[];
};

/** Places the order of a session once. A second caller gets the first one's order. */
export async function placeSession(ctx: PlacementContext, row: CheckoutSessionRow, terms: Terms): Promise<OrderRow> {
  const { draft } = draftOfSession(ctx, sessionContentOf(row));
  const rejected = new Set(terms.rejectedCodes.map(({ field }) => field));
  const asked = {
    ...draft,
    discountCodes: draft.discountCodes.filter((_, place) => !rejected.has(`discount_codes.${place}`)),
  };
  const order = {
    ...asked,
    lines: atCurrentPrices(asked.lines, await readOrderState(ctx, asked)),
    reference: row.reference,
    paymentMethod: terms.method,
    expectedTotal: terms.expectedTotal,
    acceptedTerms: terms.acceptedTerms,
    charge: terms.charge,
    cartTokenHash: null,
    alongside: sessionBecomesOrder(ctx, row),
  };
  try {
    return await createOrder(ctx, order);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const again = await ctx.db.select().from(checkoutSessions).where(eq(checkoutSessions.id, row.id)).get();
    const placed = again && (await orderOfSession(ctx, again));
    if (placed) return placed;
    throw error;
  }
}

// The page on which a buyer completes an agent's checkout. Anyone with the link may confirm the session, once.

type Visitor = Pick<WriteContext, "env" | "db" | "caller" | "author" | "settings">;

/** An open session with its current quote, or the resulting order. */
export type OpenedSession =
  | { row: CheckoutSessionRow; content: SessionContent; quoted: QuotedSession }
  | { order: OrderRow };

/** Returns the link's content. Null if the link is wrong, or the session has expired or was canceled. */
export async function openCheckoutSession(ctx: Visitor, token: string): Promise<OpenedSession | null> {
  const reference = sessionOfLink(ctx.settings.linkSecrets, token);
  if (reference === null) return null;
  const isIt = and(eq(checkoutSessions.reference, reference), eq(checkoutSessions.kind, "checkout"));
  const row = await ctx.db.select().from(checkoutSessions).where(isIt).get();
  if (!row || row.status === "canceled") return null;
  const order = await orderOfSession(ctx, row);
  if (order) return { order };
  if (row.expiresAt <= ctx.author.now) return null;
  const content = sessionContentOf(row);
  return { row, content, quoted: await quoteSession({ ...ctx, userId: row.userId }, content, content.payment_method) };
}

/** The buyer's own input, and the total they saw. */
export const SessionConfirmation = z.strictObject({
  token: Text.max(200),
  expected_total: Price,
  /** Not asked of an account's buyer. */
  customer: z.strictObject({ name: line(100), email: Email }).optional(),
  shipping_address: Address.optional(),
  shipping_method: Id.optional(),
  payment_method: z.enum(paymentMethods).exclude(["wallet"]),
  accepted_terms: Id.optional(),
});
export type SessionConfirmation = z.output<typeof SessionConfirmation>;

/**
 * Places the order of a session for its buyer, with their input replacing the agent's. A repeated call returns the
 * order.
 */
export async function confirmSession(visitor: Visitor, confirmation: SessionConfirmation): Promise<OrderRow> {
  const opened = await requireFound(openCheckoutSession(visitor, confirmation.token), "The checkout of this link");
  if ("order" in opened) return opened.order;
  const ctx = { ...visitor, userId: opened.row.userId };
  const { payment_method: method, expected_total: expectedTotal } = confirmation;
  const content = contentConfirmed(opened.content, confirmation);
  const row = await changeSession(ctx, opened.row, { content });
  const { quote, problems, rejectedCodes } = await quoteSession(ctx, content, method);
  if (problems.length > 0) throw badRequest(problems, "The order cannot be placed yet");
  // An account's methods are not for the page, because an agent has its link and could send the form for the shopper.
  if (quote.total > 0 && !quote.payment_options.some((option) => option.method === method && option.guests)) {
    const words = `${method} is not offered on this page. Choose another method`;
    throw badRequest(fieldError("payment_method", "method_not_offered", words));
  }
  const total = toMinor(quote.total);
  if (total !== expectedTotal) {
    const words = `is now ${formatMoney(total, quote.currency)}. Check it and confirm again`;
    const { subtotal, discount_total, shipping_total, tax_total } = quote;
    const parts = { subtotal, discount_total, shipping_total, tax_total, total: quote.total };
    throw badRequest(fieldError("expected_total", "total_changed", words, parts), `The total ${words}`);
  }
  return placeSession({ ...ctx, author: { ...ctx.author, actor: "guest" } }, row, {
    method,
    expectedTotal,
    rejectedCodes,
    acceptedTerms: confirmation.accepted_terms,
  });
}

const contentConfirmed = (
  content: SessionContent,
  { customer, shipping_address: sent, shipping_method, payment_method }: SessionConfirmation,
): SessionContent => ({
  ...content,
  buyer: customer
    ? { ...content.buyer, first_name: customer.name, last_name: undefined, email: customer.email }
    : content.buyer,
  address: sent && { ...withoutNulls(sent), first_name: sent.name, id: content.address?.id },
  shipping_method: shipping_method ?? content.shipping_method,
  payment_method,
});

const withoutNulls = ({ name: _, ...address }: Address) =>
  Object.fromEntries(Object.entries(address).filter(([, part]) => part !== null && part !== undefined));
