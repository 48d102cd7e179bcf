import { type QuotedSession, quoteSession } from "../checkout/orders/sessions/complete.ts";
import {
  type CheckoutSessionRow,
  changeSession,
  findSession,
  insertSession,
  sessionContentOf,
} from "../checkout/orders/sessions/sessions.ts";
import { iso } from "../domain/fields.ts";
import { sessionForShopper } from "./identity.ts";
import { type Message, type UcpContext, ucpOf, unknownResource } from "./protocol.ts";
import type { UpdateCart } from "./requests.ts";
import {
  adjustedQuantities,
  contentAfter,
  isOfItem,
  messagesMember,
  NOTHING,
  nothingToBuy,
  problemMessage,
  quoteSent,
  sessionMembers,
  warningsOf,
} from "./session.ts";

export async function findCartSession(ctx: UcpContext, token: string): Promise<CheckoutSessionRow | undefined> {
  const row = await findSession(ctx, { kind: "cart", token, agent: ctx.agent.owner });
  return sessionForShopper(ctx, "cart", row?.status === "open" ? row : undefined);
}

/** `create_cart` */
export async function createCart(ctx: UcpContext, input: UpdateCart) {
  const content = contentAfter(NOTHING, input);
  const quoted = await quoteSent(ctx, content, input);
  const nothing = nothingToBuy(ctx, quoted);
  if (nothing) return nothing;
  const session = { kind: "cart" as const, agent: ctx.agent.owner, content, webhookUrl: null };
  return shownCart(ctx, await insertSession(ctx, session), quoted, adjustedQuantities(input));
}

/** `get_cart` */
export async function getCart(ctx: UcpContext, id: string) {
  const row = await findCartSession(ctx, id);
  return row
    ? shownCart(ctx, row, await quoteSession(ctx, sessionContentOf(row), null))
    : unknownResource(ctx, "The cart");
}

/** `update_cart` */
export async function updateCart(ctx: UcpContext, id: string, input: UpdateCart) {
  const row = await findCartSession(ctx, id);
  if (!row) return unknownResource(ctx, "The cart");
  const content = contentAfter(sessionContentOf(row), input);
  const quoted = await quoteSent(ctx, content, input);
  return shownCart(ctx, await changeSession(ctx, row, { content }), quoted, adjustedQuantities(input));
}

/** `cancel_cart` */
export async function cancelCart(ctx: UcpContext, id: string) {
  const row = await findCartSession(ctx, id);
  if (!row) return unknownResource(ctx, "The cart");
  const quoted = await quoteSession(ctx, sessionContentOf(row), null);
  return shownCart(ctx, await changeSession(ctx, row, { status: "canceled" }), quoted);
}

/**
 * A cart has an estimated price. Only its items are validated: the checkout asks for everything else that an order
 * requires.
 */
function shownCart(ctx: UcpContext, row: CheckoutSessionRow, quoted: QuotedSession, more: Message[] = []) {
  const problems = quoted.problems.filter(isOfItem).map(problemMessage);
  return {
    ucp: ucpOf(ctx, "cart"),
    id: row.token,
    ...sessionMembers(ctx, sessionContentOf(row), quoted),
    ...messagesMember([...problems, ...more, ...warningsOf(ctx, quoted)]),
    expires_at: iso(row.expiresAt),
  };
}
