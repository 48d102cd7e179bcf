import { badRequest, conflict, fieldError, notFound } from "../../../domain/errors.ts";
import { formatAmount, toDecimal } from "../../../domain/money.ts";
import { minutesToPay } from "../../../domain/payment-methods.ts";
import {
  type ApiKeyCaller,
  accountScopeOf,
  requirePermission,
  type UserCaller,
  type WriteContext,
} from "../../../platform/auth/caller.ts";
import { type IfMatch, requireVersion } from "../../../platform/http/version.ts";
import { requireUnusedKey } from "../../../platform/idempotency/claims.ts";
import { providerFor, requireRefundPayable } from "../../payments/public.ts";
import { giftCardInUse, orderChangeWrites, renewalNotPossible, spendingRefusals, writeOrder } from "../change.ts";
import { payableOrder } from "../create/create-order.ts";
import type { CheckoutDraft } from "../create/draft.ts";
import { totalChanged } from "../create/price-order.ts";
import { toQuote } from "../create/quote.ts";
import { setUnpaidLimits } from "../create/unpaid.ts";
import { valueGivenAway } from "../create/value-given-away.ts";
import { orderById } from "../orders.ts";
import type { OrderRow } from "../schemas.ts";
import { type PlannedEdit, planEdit, readSoldLines, requireEditable } from "./plan.ts";
import type { EditContent, EditQuote, OrderEditCreate } from "./schemas.ts";
import { type NewPayment, planEditWrites, refundedByProvider } from "./write.ts";

// Edits of placed orders by staff: calculated like new orders, and written with all consequences in one batch.

type Staff = Pick<WriteContext<UserCaller | ApiKeyCaller>, "env" | "db" | "caller" | "author" | "settings">;
type WhichEdited = { id: number; ifMatch: IfMatch };

/** Quotes an order after an edit, with every reason to refuse the edit. Also returns the current order. */
export async function quoteEdit(
  ctx: Staff,
  which: WhichEdited,
  content: EditContent,
): Promise<{ order: OrderRow; quote: EditQuote }> {
  const edit = await readAndPlan(ctx, which, content);
  const { order, draft, state, total, problems, settlement } = edit;
  const { items, ...quote } = toQuote(draft, edit, state, problems);
  return {
    order,
    quote: {
      ...quote,
      items: items.map((item, index) => ({ ...item, id: draft.lines[index]?.kept?.id ?? null })),
      previous_total: toDecimal(order.total),
      difference: toDecimal(total - order.total),
      settlement,
    },
  };
}

/** Edits a placed order, all or nothing. */
export async function editPlacedOrder(ctx: Staff, which: WhichEdited, sent: OrderEditCreate): Promise<OrderRow> {
  const { note = null, notify, received, expected_total: expected, ...content } = sent;
  const plan = async () => {
    const edit = await readAndPlan(ctx, which, content);
    requireSettled(ctx, edit, received);
    const problems = [...edit.problems, ...totalChanged(expected, edit.pricing)];
    if (problems.length > 0) throw badRequest(problems, "The order was not edited");
    return edit;
  };
  const edit = await plan();
  const payment = await renewPayment(ctx, edit);
  const { order } = edit;
  const change = planEditWrites(ctx, edit, { note, notify, payment });
  const writes = orderChangeWrites(order, change, ctx.author);
  const limits = writes.length > 0 && order.paidAt === null ? [setUnpaidLimits(edit.draft.unpaidLimits)] : [];
  const { reference } = order;
  const edited = await writeOrder(ctx, {
    reference,
    writes: [...limits, ...writes],
    refusals: { ...refusals, ...spendingRefusals(ctx.db, change, ctx.author) },
  });
  if (edited) return edited;
  await plan();
  throw conflict("changed_meanwhile", "Something changed while the order was edited. Nothing was saved. Try again");
}

async function readAndPlan(ctx: Staff, { id, ifMatch }: WhichEdited, content: EditContent): Promise<PlannedEdit> {
  const scope = accountScopeOf(ctx.caller);
  const [[order], sold] = await ctx.db.batch([orderById(ctx.db, { id, scope }), readSoldLines(ctx.db, id)]);
  if (!order) throw notFound(`Order ${id}`);
  requireVersion(ifMatch, order.updatedAt);
  requireEditable(order, ctx.settings.currency);
  if (setsPrices(order, content)) requirePermission(ctx.caller, "payments:write");
  const edit = await planEdit(ctx, { order, sold, content });
  if (givesMore(edit, ctx.author.now)) requirePermission(ctx.caller, "payments:write");
  return edit;
}

/**
 * True if an edit lets a price or discount of staff apply to more than before. Tax exemptions are left out, because the
 * permission to write orders covers them.
 */
function givesMore({ before, draft, facts }: PlannedEdit, now: number): boolean {
  const exempt = { ...facts, accountExemption: draft.taxExemptReason ?? facts.accountExemption };
  const given = (each: CheckoutDraft) => valueGivenAway({ ...each, taxExemptReason: null }, exempt, { now });
  return given(draft) > given(before);
}

function setsPrices({ items }: OrderRow, { items: sent = [], discount, custom_shipping }: EditContent): boolean {
  if (discount !== undefined || custom_shipping !== undefined) return true;
  return sent.some(
    ({ id, unit_price: price }) => price !== undefined && price !== items.find((item) => item.id === id)?.unitPrice,
  );
}

/**
 * Requires the permission to move the difference of a paid order, and the receipt of the difference if the order costs
 * more.
 */
function requireSettled({ caller }: Staff, edit: PlannedEdit, received: boolean): void {
  const { order, total, settlement } = edit;
  if (settlement === "none" || settlement === "unpaid") return;
  requirePermission(caller, "payments:write");
  const byProvider = refundedByProvider(edit);
  if (byProvider > 0 && order.paymentProvider) requireRefundPayable(order.paymentProvider, byProvider, order.currency);
  if (settlement !== "receive" || received) return;
  const more = formatAmount(total - order.total);
  const words = `is required: the order is paid and now costs ${more} more. Confirm that the shop has received it`;
  throw badRequest(fieldError("received", "required", words));
}

/** The interval in which the items are paid again. Null if they are paid once. */
const intervalOf = ({ lines }: CheckoutDraft, { products }: PlannedEdit["facts"]) =>
  lines.map(({ productId, kept }) => (kept?.facts ?? products.get(productId))?.renews).find(Boolean) ?? null;

/** Opens the page on which the buyer pays the new total, or pays it again each period, if the order waits for an online payment. */
async function renewPayment(ctx: Staff, edit: PlannedEdit): Promise<NewPayment | undefined> {
  const { order, before, draft, facts, pricing, state, total } = edit;
  const isSame = total === order.total && intervalOf(draft, facts) === intervalOf(before, facts);
  if (order.paidAt !== null || isSame) return undefined;
  const provider = await providerFor(ctx, order.paymentMethod);
  if (!provider && order.paymentUrl === null) return undefined;
  const minutes = provider ? minutesToPay(facts.rules.payments, order.paymentMethod) : null;
  const expiresAt = minutes === null ? order.expiresAt : ctx.author.now + minutes * 60_000;
  if (!provider || total === 0) return { payment: null, expiresAt };
  await requireUnusedKey(ctx);
  const { reference, updatedAt } = order;
  const payable = payableOrder(
    { ...draft, reference, total, pricing, expiresAt, now: ctx.author.now },
    state,
    `${reference}-${updatedAt}`,
  );
  return { payment: await provider.open(payable), expiresAt };
}

const refusals = {
  gift_card_in_use: giftCardInUse,
  renewal_not_possible: renewalNotPossible,
  downloads_used: () =>
    conflict(
      "downloads_used",
      "Downloads of an item were used, so the edit cannot remove its units. Refund them instead",
      fieldError("items", "downloads_used", "has units whose downloads were used. They cannot be removed"),
    ),
};
