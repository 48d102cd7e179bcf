import { and, eq } from "drizzle-orm";
import * as z from "zod";
import { Address } from "../../../domain/address.ts";
import { Email } from "../../../domain/contact.ts";
import { badRequest, fieldError, notFound } from "../../../domain/errors.ts";
import { Id, line, Text } from "../../../domain/fields.ts";
import { formatMoney, Price, toMinor } from "../../../domain/money.ts";
import { paymentMethods } from "../../../domain/payment-methods.ts";
import { sessionOfLink } from "../../../platform/auth/order-link.ts";
import type { WriteContext } from "../../../platform/auth/write-context.ts";
import { checkoutSessions } from "../../../platform/db/schema.ts";
import type { OrderRow } from "../schemas.ts";
import type { SessionContent } from "./content.ts";
import { orderOfSession, placeSession, type QuotedSession, quoteSession } from "./place.ts";
import { type CheckoutSessionRow, changeSession, sessionContentOf } from "./sessions.ts";

// The page on which a buyer finishes what an agent began. Anyone with the link may confirm the session, once.

type Visitor = Pick<WriteContext, "db" | "caller" | "author" | "settings">;

/** An open session with its current quote, or the order that it has become. */
export type OpenedSession =
  | { row: CheckoutSessionRow; content: SessionContent; quoted: QuotedSession }
  | { order: OrderRow };

/** Returns what the link shows. Null if it shows nothing: it is wrong, or the session has expired or was canceled. */
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
  return { row, content, quoted: await quoteSession(ctx, content, content.payment_method) };
}

/** The buyer's own input, and the total they saw. */
export const SessionConfirmation = z.strictObject({
  token: Text.max(200),
  expected_total: Price,
  customer: z.strictObject({ name: line(100), email: Email }),
  shipping_address: Address.optional(),
  shipping_method: Id.optional(),
  payment_method: z.enum(paymentMethods).exclude(["wallet"]),
});
export type SessionConfirmation = z.output<typeof SessionConfirmation>;

/** Places the order of a session for its buyer, with their input in place of the agent's. Once more returns the order. */
export async function confirmSession(ctx: Visitor, confirmation: SessionConfirmation): Promise<OrderRow> {
  const opened = await openCheckoutSession(ctx, confirmation.token);
  if (!opened) throw notFound("The checkout of this link");
  if ("order" in opened) return opened.order;
  const { payment_method: method, expected_total: expectedTotal } = confirmation;
  const content = contentConfirmed(opened.content, confirmation);
  const row = await changeSession(ctx, opened.row, { content });
  const { quote, problems, rejectedCodes } = await quoteSession(ctx, content, method);
  if (problems.length > 0) throw badRequest(problems, "The order cannot be placed yet");
  const total = toMinor(quote.total);
  if (total !== expectedTotal) {
    const words = `is now ${formatMoney(total, quote.currency)}. Check it and confirm again`;
    throw badRequest(fieldError("payment_method", "invalid", `the total ${words}`), `The total ${words}`);
  }
  return placeSession({ ...ctx, author: { ...ctx.author, actor: "guest" } }, row, {
    method,
    expectedTotal,
    rejectedCodes,
  });
}

const contentConfirmed = (
  content: SessionContent,
  { customer, shipping_address: sent, shipping_method, payment_method }: SessionConfirmation,
): SessionContent => ({
  ...content,
  buyer: { ...content.buyer, first_name: customer.name, last_name: undefined, email: customer.email },
  address: sent && { ...withoutNulls(sent), first_name: sent.name, id: content.address?.id },
  shipping_method: shipping_method ?? content.shipping_method,
  payment_method,
});

const withoutNulls = ({ name: _, ...address }: Address) =>
  Object.fromEntries(Object.entries(address).filter(([, part]) => part !== null && part !== undefined));
