import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Address } from "../../../domain/address.ts";
import { ApiError, conflict, requireFound } from "../../../domain/errors.ts";
import type { WriteContext } from "../../../platform/auth/caller.ts";
import { draftOfLink } from "../../../platform/auth/order-link.ts";
import { draftOrders, orders, users } from "../../../platform/db/schema.ts";
import { precondition } from "../../../platform/db/statements.ts";
import { draftByHand } from "../by-hand/create-by-hand.ts";
import { contentOf, type DraftRow } from "../by-hand/schemas.ts";
import { createOrder } from "../create/create-order.ts";
import { atCurrentPrices, readOrderState } from "../create/order-state.ts";
import { type Quote, quoteOf } from "../create/quote.ts";
import { selectOrders } from "../orders.ts";
import type { OrderRow } from "../schemas.ts";
import { becomesOrder, DRAFT_LINK_MS } from "./drafts.ts";

// The page behind the link to a draft. Anyone with the link may confirm the draft, once.

type Visitor = Pick<WriteContext, "env" | "db" | "caller" | "author" | "settings">;

/** A sent draft with its current quote, or the resulting order. */
export type OpenedDraft = { draft: DraftRow; quote: Quote } | { order: OrderRow };

/** Condition that the account of a draft, if it has one, is not disabled. */
const buyerIsEnabled = (userId: SQL | number | null): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${userId} AND ${users.disabledAt} IS NOT NULL)`;

/** Returns the link's content. Null if the link is wrong or too old, the draft was deleted, or its account is disabled. */
export async function openDraft(ctx: Visitor, token: string): Promise<OpenedDraft | null> {
  const reference = draftOfLink(ctx.settings.linkSecrets, token);
  if (reference === null) return null;
  const isOpen = and(
    eq(draftOrders.reference, reference),
    gt(draftOrders.sentAt, ctx.author.now - DRAFT_LINK_MS),
    buyerIsEnabled(sql`${draftOrders.userId}`),
  );
  const draft = await ctx.db.select().from(draftOrders).where(isOpen).get();
  if (!draft) return null;
  if (draft.orderId !== null) {
    const order = await selectOrders(ctx.db).where(eq(orders.id, draft.orderId)).get();
    return order ? { order } : null;
  }
  const asked = draftByHand(ctx, contentOf(draft));
  const state = await readOrderState(ctx, asked);
  return { draft, quote: quoteOf({ settings: ctx.settings, state }, asked, contentOf(draft).payment_method) };
}

/**
 * The person who sent the draft or changed it last. What list prices have risen since counts towards their limit. Undefined
 * for senders without a limit.
 */
function givenBy({ author: { now } }: Visitor, { givenAway }: DraftRow) {
  if (!givenAway || givenAway.limit === null) return undefined;
  const { actor, limit, amount } = givenAway;
  return { spender: { actor, spendingLimit: limit, now }, alreadyCounted: amount };
}

const offerOutdated = () =>
  conflict(
    "changed_meanwhile",
    "The shop's prices have changed since this offer was made. Ask the shop for a new offer",
  );

/** A buyer's confirmation: the total they saw, an address if the draft has none, and the version of the terms. */
export type Confirmation = {
  token: string;
  expected_total: number;
  shipping_address?: Address | undefined;
  accepted_terms?: number | undefined;
};

/** Places the order of a draft for its buyer, by the terms of its payment method. Confirming again returns the order. */
export async function confirmDraft(ctx: Visitor, confirmation: Confirmation) {
  const { token, expected_total, shipping_address, accepted_terms: acceptedTerms } = confirmation;
  const opened = await requireFound(openDraft(ctx, token), "The draft of this link");
  if ("order" in opened) return opened.order;
  const { draft } = opened;
  const content = contentOf(draft);
  const asked = draftByHand(ctx, content);
  const actor = content.user_id === undefined ? "guest" : `user:${content.user_id}`;
  const order = {
    ...asked,
    shippingAddress: asked.shippingAddress ?? shipping_address ?? null,
    lines: atCurrentPrices(asked.lines, await readOrderState(ctx, asked)),
    reference: draft.reference,
    paymentMethod: content.payment_method,
    expectedTotal: expected_total,
    acceptedTerms,
    cartTokenHash: null,
    keyed: true,
    alongside: [precondition(buyerIsEnabled(draft.userId)), ...becomesOrder(ctx, draft, ctx.author.now)],
    givenBy: givenBy(ctx, draft),
  };
  try {
    return await createOrder({ ...ctx, author: { ...ctx.author, actor } }, order);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Another tab was faster.
    const again = await openDraft(ctx, token);
    if (again && "order" in again) return again.order;
    throw error.code === "spending_limit" ? offerOutdated() : error;
  }
}
