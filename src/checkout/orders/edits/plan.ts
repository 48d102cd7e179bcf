import { conflict, type FieldError, fieldError } from "../../../domain/errors.ts";
import { formatAmount, toDecimal } from "../../../domain/money.ts";
import { rememberTimeZone } from "../../../domain/time-zone.ts";
import { lockOf, walletLocked } from "../../../domain/wallet-lock.ts";
import type { WriteContext } from "../../../platform/auth/write-context.ts";
import type { Discount } from "../../pricing/public.ts";
import type { CheckoutDraft } from "../checkout/draft.ts";
import { orderErrors } from "../checkout/order-errors.ts";
import { atCurrentPrices, type OrderState, type PricingFacts } from "../checkout/order-state.ts";
import { type PricedCheckout, priceCheckout } from "../checkout/price-order.ts";
import { readFacts, readOrderState } from "../checkout/read-state.ts";
import type { OrderRow } from "../schemas.ts";
import { draftOfEdit, requestedOrder, type SoldLine, shippingAfter } from "./draft.ts";
import type { EditContent, Settlement } from "./schemas.ts";

/** A priced edit, and the reasons why it cannot be made. */
export type PlannedEdit = PricedCheckout & {
  order: OrderRow;
  draft: CheckoutDraft;
  state: OrderState;
  facts: PricingFacts;
  total: number;
  settlement: Settlement;
};

/** True if nothing was sent or refunded, and the order goes on. */
export const canBeEdited = ({ status, fulfillmentStatus, refundedTotal, items }: OrderRow): boolean =>
  (status === "pending" || status === "processing") &&
  fulfillmentStatus !== "partially_fulfilled" &&
  refundedTotal === 0 &&
  items.every(({ refundedQuantity }) => refundedQuantity === 0);

export function requireEditable(order: OrderRow, currency: string): void {
  if (canBeEdited(order) && order.currency === currency) return;
  throw conflict(
    "order_not_editable",
    "Only pending and processing orders can be edited, before anything of them is shipped or refunded",
  );
}

/** Prices an order with the content of an edit, by the function that prices new orders. */
export async function planEdit(
  ctx: Pick<WriteContext, "db" | "settings" | "author">,
  { order, sold, content }: { order: OrderRow; sold: readonly SoldLine[]; content: EditContent },
): Promise<PlannedEdit> {
  if (sold[0]) rememberTimeZone(sold[0].timeZone);
  const asked = draftOfEdit(ctx, { order, sold, content });
  const read = await readOrderState(ctx.db, asked);
  const sends = asked.lines.some(
    ({ productId, kept }) => (kept?.facts ?? read.products.get(productId))?.requiresShipping,
  );
  const draft = { ...asked, ...shippingAfter(order, content, sends), lines: atCurrentPrices(asked.lines, read) };
  const facts = factsWithout(order, readFacts(draft, read));
  const state = stateWithout(sold, read);
  const priced = priceCheckout(draft, facts);
  const { total } = priced.pricing;
  const settlement = settlementOf(order, total);
  const problems = [
    ...orderErrors({ ...draft, paymentMethod: undefined, total, paid: true }, state),
    ...walletErrors(order, { total, settlement }, { state, now: ctx.author.now }),
    ...priced.problems,
  ];
  return {
    ...priced,
    problems: content.items ? asRequested(problems, requestedOrder(content)) : problems,
    ...{ order, draft, state, facts, total, settlement },
  };
}

function settlementOf({ paidAt, total: before, paymentMethod }: OrderRow, total: number): Settlement {
  if (paidAt === null) return "unpaid";
  if (total === before) return "none";
  if (total < before) return "refund";
  return paymentMethod === "wallet" ? "charge_wallet" : "receive";
}

/** The stock as it would be without the order. Staff may exceed the limits of unpaid orders. */
function stateWithout(sold: readonly SoldLine[], state: OrderState): OrderState {
  const held = Map.groupBy(sold, ({ productId }) => productId);
  const products = [...state.products].map(([id, product]) => {
    const units = held.get(id)?.reduce((sum, line) => sum + line.held, 0) ?? 0;
    const stockQuantity = product.stockQuantity === null ? null : product.stockQuantity + units;
    return [id, { ...product, stockQuantity }] as const;
  });
  return { ...state, products: new Map(products) };
}

/** The facts as they would be without the order: discounts that it uses can be used once more. */
function factsWithout({ discounts: used }: OrderRow, { history, ...facts }: PricingFacts): PricingFacts {
  const isUsed = (id: number) => used.some((discount) => discount.id === id);
  const release = (discount: Discount): Discount =>
    isUsed(discount.id) ? { ...discount, uses: discount.uses - 1 } : discount;
  const uses = [...(history?.uses ?? [])].map(([id, times]) => [id, isUsed(id) ? times - 1 : times] as const);
  return {
    ...facts,
    rules: { ...facts.rules, discounts: facts.rules.discounts.map(release) },
    discounts: new Map([...facts.discounts].map(([code, discount]) => [code, release(discount)])),
    history: history && { ...history, uses: new Map(uses) },
  };
}

/** Refuses a difference that the wallet cannot pay. */
function walletErrors(
  { total: before }: OrderRow,
  { total, settlement }: Pick<PlannedEdit, "total" | "settlement">,
  { state: { user }, now }: { state: OrderState; now: number },
): FieldError[] {
  if (settlement !== "charge_wallet" || !user) return [];
  const lock = lockOf(user, now);
  if (lock !== null) return [walletLocked("body", lock)];
  const { walletBalance: balance } = user;
  if (balance >= total - before) return [];
  const words = `the wallet holds ${formatAmount(balance)} and the edit costs ${formatAmount(total - before)} more`;
  return [fieldError("body", "insufficient_funds", words, { balance: toDecimal(balance) })];
}

/** Names lines by their positions in the request. */
const asRequested = (problems: FieldError[], places: readonly number[]): FieldError[] =>
  problems.map((problem) => ({
    ...problem,
    field: problem.field.replace(/^items\.(\d+)/, (_, index) => `items.${places[Number(index)]}`),
  }));
