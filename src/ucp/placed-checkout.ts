import { type CurrentPage, listPages } from "../catalogue/pages/pages.ts";
import { type OrderRow, toOrder } from "../checkout/orders/schemas.ts";
import type { CheckoutSessionRow } from "../checkout/orders/sessions/sessions.ts";
import { sessionLinkToken } from "../platform/auth/order-link.ts";
import { isPaidLater } from "../platform/db/order-payment.ts";
import { confirmationOf, linesOfPlaced } from "./order.ts";
import { errorMessage, type Message, type UcpContext, ucpOf } from "./protocol.ts";
import { messagesMember } from "./session.ts";
import { totalsOf } from "./totals.ts";

// Checkouts that have an order.

export type Status =
  | "incomplete"
  | "requires_escalation"
  | "ready_for_complete"
  | "complete_in_progress"
  | "completed"
  | "canceled";

/** Page on which the buyer finishes a checkout. */
export const continueUrl = ({ origin, settings }: UcpContext, { reference }: CheckoutSessionRow): string =>
  `${origin}/account/checkout?token=${sessionLinkToken(settings.linkSecrets, reference)}`;

/** Types of links that the protocol knows. Others are shown by their title. */
const linkTypes: Partial<Record<CurrentPage["slug"], string>> = {
  terms: "terms_of_service",
  privacy: "privacy_policy",
  returns: "refund_policy",
  shipping: "shipping_policy",
};

/** Links to the shop's pages, which platforms must show, each in its current version, and the policies on these pages. */
export function linkMembers({ origin, mapping }: UcpContext, pages: readonly CurrentPage[]) {
  const links = pages.map(({ id, slug, title }) => ({
    type: linkTypes[slug] ?? slug,
    url: `${origin}/account/pages/${slug}?version=${id}`,
    title,
  }));
  return { links, ...mapping.policies(links) };
}

/** A session with an order, from which the response is built. */
export async function placedCheckout(ctx: UcpContext, row: CheckoutSessionRow, order: OrderRow) {
  const status = statusOfOrder(order);
  const isOpen = status !== "completed" && status !== "canceled";
  const messages = [
    ...(status === "requires_escalation" ? [paymentOfBuyer] : []),
    ...(order.paymentInstructions === null ? [] : [instructions(order.paymentInstructions)]),
  ];
  return {
    ucp: { ...ucpOf(ctx, "checkout"), payment_handlers: {} },
    id: row.token,
    status,
    line_items: linesOfPlaced(order, row),
    currency: order.currency,
    totals: totalsOf(toOrder(order)),
    ...messagesMember(messages),
    ...linkMembers(ctx, await listPages(ctx.db, ctx.author.language)),
    ...(status === "complete_in_progress"
      ? ctx.mapping.orderInProgress(confirmationOf(ctx, order, row))
      : { order: confirmationOf(ctx, order, row) }),
    ...(isOpen && { continue_url: continueUrl(ctx, row) }),
  };
}

/**
 * An order is completed once it is paid, or if its payment needs no page: a bank transfer is awaited, or goods ship before
 * payment.
 */
function statusOfOrder(order: OrderRow): Status {
  const { status, paidAt, paymentUrl, paymentReference, paymentMethod, paymentStatus } = order;
  if (paidAt !== null || isPaidLater(order)) return "completed";
  if (status !== "pending") return "canceled";
  if (paymentUrl === null) return paymentReference === null ? "completed" : "complete_in_progress";
  const isForBuyer = paymentMethod !== "test_card" || paymentStatus === "failed";
  return isForBuyer ? "requires_escalation" : "complete_in_progress";
}

const paymentOfBuyer = errorMessage(
  "buyer_payment_required",
  "The order is placed. The buyer pays it on the page of continue_url",
  { severity: "requires_buyer_input" },
);

const instructions = (content: string): Message => ({ type: "info", code: "payment_instructions", content });
