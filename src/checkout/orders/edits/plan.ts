import { eq, sql } from "drizzle-orm";
import { badRequest, conflict, type FieldError, fieldError } from "../../../domain/errors.ts";
import { formatAmount, toDecimal } from "../../../domain/money.ts";
import { rememberTimeZone } from "../../../domain/time.ts";
import { lockOf, walletLocked } from "../../../domain/wallet-lock.ts";
import type { SettingsContext, WriteContext } from "../../../platform/auth/caller.ts";
import type { Database } from "../../../platform/db/client.ts";
import { orderItems, products, stockAllocations } from "../../../platform/db/schema.ts";
import { savedTimeZone } from "../../../platform/db/time-zone.ts";
import type { AnyDiscount, ChosenShipping, Discount } from "../../pricing/public.ts";
import { NO_LIMITS, toDiscount, toShipping } from "../by-hand/create-by-hand.ts";
import type { CheckoutDraft, DraftLine } from "../create/draft.ts";
import { orderErrors } from "../create/order-errors.ts";
import {
  atCurrentPrices,
  type OrderState,
  type PricingFacts,
  readFacts,
  readOrderState,
} from "../create/order-state.ts";
import { type PricedCheckout, priceCheckout } from "../create/price-order.ts";
import type { ItemRow, OrderRow } from "../schemas.ts";
import type { EditContent, Settlement } from "./schemas.ts";

/** A priced edit, and the reasons why it cannot be made. */
export type PlannedEdit = PricedCheckout & {
  order: OrderRow;
  /** The order as it is and after the edit. */
  before: CheckoutDraft;
  draft: CheckoutDraft;
  state: OrderState;
  facts: PricingFacts;
  total: number;
  settlement: Settlement;
};

/** True if nothing was shipped or refunded, and the order has not ended. */
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
  ctx: SettingsContext,
  { order, sold, content }: { order: OrderRow; sold: readonly SoldLine[]; content: EditContent },
): Promise<PlannedEdit> {
  if (sold[0]) rememberTimeZone(sold[0].timeZone);
  const asked = draftOfEdit(ctx, { order, sold, content });
  const before = {
    ...draftOfEdit(ctx, { order, sold, content: {} }),
    ...shippingAfter(order, {}, true),
  };
  const read = await readOrderState(ctx, {
    ...asked,
    discountCodes: [...new Set([...asked.discountCodes, ...before.discountCodes])],
  });
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
    order,
    before,
    draft,
    state,
    facts,
    total,
    settlement,
  };
}

function settlementOf({ paidAt, total: before, paymentMethod }: OrderRow, total: number): Settlement {
  if (paidAt === null) return "unpaid";
  if (total === before) return "none";
  if (total < before) return "refund";
  return paymentMethod === "wallet" ? "charge_wallet" : "receive";
}

/** The stock without the order's own reservations. Staff may exceed the limits of unpaid orders. */
function stateWithout(sold: readonly SoldLine[], state: OrderState): OrderState {
  const held = Map.groupBy(sold, ({ productId }) => productId);
  const products = [...state.products].map(([id, product]) => {
    const units = held.get(id)?.reduce((sum, line) => sum + line.held, 0) ?? 0;
    const stockQuantity = product.stockQuantity === null ? null : product.stockQuantity + units;
    return [id, { ...product, stockQuantity }] as const;
  });
  return { ...state, products: new Map(products) };
}

/** The pricing data without the order itself, so that its own discounts can be used again. */
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

/** Reads the data with which the order's lines were priced, the stock that each holds, and the shop's time zone. */
export const readSoldLines = (db: Database, orderId: number) =>
  db
    .select({
      id: orderItems.id,
      productId: orderItems.productId,
      categoryId: orderItems.categoryId,
      taxClass: orderItems.taxClass,
      weightGrams: orderItems.weightGrams,
      parentId: products.parentId,
      renews: products.renews,
      held: sql<number>`coalesce(${stockAllocations.quantity}, 0)`.as("held"),
      timeZone: savedTimeZone.as("time_zone"),
    })
    .from(orderItems)
    .innerJoin(products, eq(products.id, orderItems.productId))
    .leftJoin(stockAllocations, eq(stockAllocations.orderItemId, orderItems.id))
    .where(eq(orderItems.orderId, orderId));
export type SoldLine = Awaited<ReturnType<typeof readSoldLines>>[number];

type OrderToEdit = { order: OrderRow; sold: readonly SoldLine[]; content: EditContent };

/**
 * The draft of an order after an edit, without shipping. It is priced as of the time it was placed: discounts that have
 * ended since still apply. Kept lines come first, in their order.
 */
function draftOfEdit(
  { settings }: Pick<WriteContext, "settings">,
  { order, sold, content }: OrderToEdit,
): CheckoutDraft {
  const { userId, customerEmail: email, customerName: name } = order;
  return {
    userId,
    apiKeyId: order.apiKeyId,
    lines: linesAfter({ order, sold, content }),
    customer: userId === null && email !== null ? { email, name: name ?? "" } : undefined,
    shippingAddress: content.shipping_address === undefined ? order.shippingAddress : content.shipping_address,
    billingAddress: content.billing_address === undefined ? order.billingAddress : content.billing_address,
    shippingMethodId: null,
    manualDiscount: discountAfter(order, content),
    discountCodes: content.discount_codes ?? order.discounts.flatMap(({ code }) => code ?? []),
    taxExemptReason: content.tax_exempt_reason === undefined ? reasonOfStaff(order) : content.tax_exempt_reason,
    vatCheck: order.vatCheck,
    language: order.language,
    currency: order.currency,
    unpaidLimits: NO_LIMITS,
    verifiedBuyers: false,
    takesTestCards: settings.test !== null,
    sandbox: order.sandbox,
    fingerprint: null,
    keyed: false,
    editedOrderId: order.id,
    now: order.createdAt,
  };
}

/** An exemption by law is judged again. */
const reasonOfStaff = ({ taxExemptReason, taxLines }: OrderRow): string | null =>
  taxLines.some(({ exemption }) => exemption) ? null : taxExemptReason;

/** Position of each line of the draft in the request. */
const requestedOrder = ({ items }: EditContent): number[] =>
  (items ?? [])
    .map(({ id }, place) => ({ id: id ?? Number.POSITIVE_INFINITY, place }))
    .toSorted((one, other) => (one.id === other.id ? one.place - other.place : one.id - other.id))
    .map(({ place }) => place);

function linesAfter({ order, sold, content }: OrderToEdit): DraftLine[] {
  const facts = new Map(sold.map((line) => [line.id, line]));
  const items = new Map(order.items.map((item) => [item.id, item]));
  const keep = (item: ItemRow): DraftLine => keptLine(item, facts.get(item.id));
  if (!content.items) return order.items.map(keep);
  const asked = content.items;
  return requestedOrder(content).map((place) => {
    const { id, product_id: productId = 0, quantity, unit_price: price } = asked[place] ?? { quantity: 0 };
    if (id === undefined) return { productId, quantity, unitPrice: price ?? 0, listPrice: price };
    const item = items.get(id);
    if (!item) {
      const words = "is not an item of this order, or is listed twice";
      throw badRequest(fieldError(`items.${place}.id`, "unknown_reference", words));
    }
    items.delete(id);
    const line = { ...keep(item), quantity };
    if (price === undefined || price === item.unitPrice) return line;
    return { ...line, unitPrice: price, listPrice: item.listPrice ?? item.unitPrice };
  });
}

const keptLine = (item: ItemRow, sold: SoldLine | undefined): DraftLine => ({
  productId: item.productId,
  quantity: item.quantity,
  unitPrice: item.unitPrice,
  listPrice: item.listPrice ?? undefined,
  kept: {
    id: item.id,
    quantity: item.quantity,
    facts: {
      type: item.type,
      requiresShipping: item.requiresShipping,
      categoryId: sold?.categoryId ?? null,
      taxClass: sold?.taxClass ?? "standard",
      weightGrams: sold?.weightGrams ?? null,
      parentId: sold?.parentId ?? null,
      renews: sold?.renews ?? null,
    },
  },
});

/** Shipping after the edit. It is unchanged, unless nothing is left to ship or a digital order gets its first item to ship. */
function shippingAfter(
  { shippingMethod, shippingTotal, items }: OrderRow,
  { shipping_method: id, custom_shipping: custom }: EditContent,
  sends: boolean,
): { shippingMethodId: number | null; customShipping?: ChosenShipping | null | undefined } {
  if (custom) return { shippingMethodId: null, customShipping: toShipping(custom) };
  if (id !== undefined) return { shippingMethodId: id };
  if (!sends) return { shippingMethodId: null };
  if (!shippingMethod) {
    const wasSent = items.some(({ requiresShipping }) => requiresShipping);
    return { shippingMethodId: null, customShipping: wasSent ? null : undefined };
  }
  return shippingMethod.id === null
    ? { shippingMethodId: null, customShipping: { ...shippingMethod, price: shippingTotal } }
    : { shippingMethodId: shippingMethod.id };
}

/** The discount by staff after the edit. One that is kept has the same terms. */
function discountAfter({ discounts }: OrderRow, { discount: sent }: EditContent): AnyDiscount | undefined {
  if (sent) return toDiscount(sent);
  const before = discounts.find(({ given }) => given !== undefined);
  if (sent === null || !before?.given) return undefined;
  const { amount, percent } = before.given;
  return toDiscount({ amount: amount ?? undefined, percent: percent ?? undefined, reason: before.name });
}
