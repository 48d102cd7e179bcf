import { type OrderRow, toOrder } from "../checkout/orders/schemas.ts";
import { orderOfSession } from "../checkout/orders/sessions/complete.ts";
import {
  type CheckoutSessionRow,
  findSession,
  findSessionOfOrder,
  sessionContentOf,
} from "../checkout/orders/sessions/sessions.ts";
import { iso } from "../domain/fields.ts";
import { type Agent, isUnsigned } from "../integrations/agents/identify.ts";
import { orderLinkToken } from "../platform/auth/order-link.ts";
import { isPaidLater } from "../platform/db/order-payment.ts";
import type { Settings } from "../platform/settings/settings.ts";
import { toDestination } from "./fulfillment.ts";
import { sessionForShopper } from "./identity.ts";
import { type UcpContext, ucpOf, unknownResource } from "./protocol.ts";
import { lineIdsOf, lineOfOrder, totalOf, totalsOf } from "./totals.ts";

// Orders as agents see them. An agent that signs knows an order by its reference.

/** Data for links to an order: the deployment's origin, the secrets of its links, and the shop's page of orders. */
type LinkSettings = { origin: string; settings: Pick<Settings, "linkSecrets" | "email"> };

/** `get_order`. Only the agent whose checkout placed the order may read it. */
export async function getOrder(ctx: UcpContext, id: string) {
  const { owner: agent, isProven } = ctx.agent;
  const found = await (isProven
    ? findSessionOfOrder(ctx, { agent, reference: id })
    : findSession(ctx, { kind: "checkout", token: id, agent }));
  const session = sessionForShopper(ctx, "order", found);
  const order = session && (await orderOfSession(ctx, session));
  return order ? { ucp: ucpOf(ctx, "order"), ...orderMembers(ctx, order, session) } : unknownResource(ctx, "The order");
}

/**
 * URL at which an agent that signs is notified of orders. Null if its profile names none at its own host or a subdomain:
 * the agent proved nothing about other hosts, which did not ask for messages with buyers' addresses.
 */
export function webhookOf({ profile, isProven }: Agent): string | null {
  const declared = isProven ? (profile.capabilities["dev.ucp.shopping.order"] ?? []) : [];
  return declared.map(({ config }) => config?.webhook_url).find((url) => isAtHost(url, profile.host)) ?? null;
}

function isAtHost(url: string | undefined, host: string): boolean {
  const named = URL.parse(url ?? "")?.host;
  return named !== undefined && (named === host || named.endsWith(`.${host}`));
}

/** An account's order is shown where the shopper signs in. A guest who replaces the link ends an agent's too. */
const permalink = ({ origin, settings }: LinkSettings, order: OrderRow): string =>
  order.userId === null
    ? `${origin}/account/order?token=${orderLinkToken(settings.linkSecrets, { ...order, linkVersion: 0 })}`
    : (settings.email.orderUrl?.replaceAll("{reference}", encodeURIComponent(order.reference)) ?? origin);

/**
 * The order in the response of its checkout. Buyers may forward the reference with a link, and anybody can claim an
 * agent's profile: the id for an agent that does not sign is its session's, which only the session's creator received.
 */
export const confirmationOf = (ctx: LinkSettings, order: OrderRow, { agent, token }: CheckoutSessionRow) => ({
  id: isUnsigned(agent) ? token : order.reference,
  label: order.number,
  permalink_url: permalink(ctx, order),
});

/** Lines of a checkout with an order. */
export function linesOfPlaced(order: OrderRow, session: CheckoutSessionRow) {
  const idOf = lineIdsOf(order, sessionContentOf(session).items);
  return order.items.map((item) => ({ ...lineOfOrder(item, idOf(item)), quantity: item.quantity }));
}

/** The complete order, for `get_order` and the webhook. */
export function orderMembers(ctx: LinkSettings, order: OrderRow, session: CheckoutSessionRow) {
  const idOf = lineIdsOf(order, sessionContentOf(session).items);
  return {
    ...confirmationOf(ctx, order, session),
    checkout_id: session.token,
    line_items: order.items.map((item) => ({ ...lineOfOrder(item, idOf(item)), ...progressOf(item, order) })),
    fulfillment: { expectations: expectationsOf(order, idOf), events: eventsOf(order, idOf) },
    adjustments: adjustmentsOf(order),
    currency: order.currency,
    totals: totalsOf(toOrder(order)),
  };
}

type OrderItem = OrderRow["items"][number];
type IdOf = ReturnType<typeof lineIdsOf>;

/**
 * Goods are fulfilled when they are shipped, and everything else when it is paid. An order that ended unpaid has
 * nothing left.
 */
function progressOf(item: OrderItem, order: OrderRow) {
  const { status, paidAt } = order;
  const isOver = paidAt === null && status !== "pending" && !isPaidLater(order);
  const total = isOver ? 0 : item.quantity - item.refundedQuantity;
  const fulfilled = Math.min(total, item.requiresShipping ? item.shippedQuantity : paidAt === null ? 0 : total);
  const state = total === 0 ? "removed" : fulfilled === total ? "fulfilled" : fulfilled > 0 ? "partial" : "processing";
  return { quantity: { original: item.quantity, total, fulfilled }, status: state };
}

/**
 * Goods go to the address, and everything else has no destination. The order has the recipient's full name only, which
 * does not say what their first and last names are.
 */
function expectationsOf({ items, shippingAddress, shippingMethod }: OrderRow, idOf: IdOf) {
  const expectation = (id: string, lines: OrderItem[], method_type: string, destination: object) => ({
    id,
    line_items: lines.map((line) => ({ id: idOf(line), quantity: line.quantity })),
    method_type,
    destination,
    ...(method_type !== "digital" && shippingMethod && { description: shippingMethod.name }),
  });
  const [sent, rest] = [items.filter((item) => item.requiresShipping), items.filter((item) => !item.requiresShipping)];
  const method = shippingMethod?.kind === "pickup" ? "pickup" : "shipping";
  return [
    ...(sent.length > 0 ? [expectation("goods", sent, method, toDestination(shippingAddress ?? {}))] : []),
    ...(rest.length > 0 ? [expectation("other", rest, "digital", {})] : []),
  ];
}

const eventsOf = ({ shipments }: OrderRow, idOf: IdOf) =>
  shipments.map(({ id, shippedAt, carrier, trackingNumber, trackingUrl, items }) => ({
    id: String(id),
    occurred_at: iso(shippedAt),
    type: "shipped",
    line_items: items.map(({ itemId, quantity }) => ({ id: idOf({ id: itemId }), quantity })),
    ...(trackingNumber && { tracking_number: trackingNumber }),
    ...(trackingUrl && { tracking_url: trackingUrl }),
    ...(carrier && { carrier }),
  }));

/** Refunds, and the end of an unpaid order. */
const adjustmentsOf = ({ history, paidAt }: OrderRow) =>
  history.flatMap(({ at, kind, to, amount }, step) => {
    const adjustment = { id: `step_${step + 1}`, occurred_at: iso(at), status: "completed" };
    if (kind === "refund" && amount !== null) {
      return [{ ...adjustment, type: "refund", totals: [totalOf("total", "Refund", -amount)] }];
    }
    const isEnd = kind === "status" && paidAt === null && (to === "cancelled" || to === "expired");
    return isEnd ? [{ ...adjustment, type: "cancellation" }] : [];
  });
