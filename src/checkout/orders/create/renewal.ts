import { and, eq, gt, type SQL } from "drizzle-orm";
import type { SettingsContext } from "../../../platform/auth/caller.ts";
import { orderItems, orders, type StoredTaxLine } from "../../../platform/db/schema.ts";
import { NO_LIMITS } from "../by-hand/create-by-hand.ts";
import { newOrderReference } from "../reference.ts";
import type { OrderRow } from "../schemas.ts";
import type { OrderDraft } from "./draft.ts";
import { insertOrder } from "./insert-order.ts";
import { type OrderState, readFacts, readOrderState } from "./order-state.ts";
import { type PricedOrder, priceOrder } from "./price-order.ts";

/** Money received for a renewal. `payment` is null if nothing was charged. */
type Renewal = {
  firstOrderId: number;
  payment: string | null;
  amount: number;
  currency: string;
  /** Note in the history of the order. */
  note: string | undefined;
  /** Statements to write with the order, which is named by its reference. */
  alongside: (reference: string) => SQL[];
};

/**
 * Places the paid order of a renewal. It costs what the provider charged, with taxes by the current rules. No rule for
 * buyers refuses it, because the money was received.
 */
export async function placeRenewal(ctx: SettingsContext, renewal: Renewal): Promise<OrderRow> {
  const { db, settings, author } = ctx;
  const first = await db.select().from(orders).where(eq(orders.id, renewal.firstOrderId)).get();
  // An edit may have put the product in the place of others, whose lines stay without units.
  const isSold = and(eq(orderItems.orderId, renewal.firstOrderId), gt(orderItems.quantity, 0));
  const item = await db.select().from(orderItems).where(isSold).get();
  if (!first || !item) throw new Error(`order ${renewal.firstOrderId} of a subscription has no line`);
  const reference = newOrderReference();
  const { customerEmail: email, customerName: name } = first;
  const draft: OrderDraft = {
    reference,
    renewalOf: first.id,
    userId: first.userId,
    apiKeyId: first.apiKeyId,
    lines: [{ productId: item.productId, quantity: 1, unitPrice: renewal.amount }],
    customer: first.userId === null && email !== null ? { email, name: name ?? "" } : undefined,
    shippingAddress: first.shippingAddress,
    billingAddress: first.billingAddress,
    shippingMethodId: null,
    // The amount includes what the first order cost to ship.
    customShipping: null,
    discountCodes: [],
    // Legal exemptions are determined again. Staff or the shop's own server gave all others.
    taxExemptReason: first.taxLines.some(isExempt) ? null : first.taxExemptReason,
    vatCheck: first.vatCheck,
    currency: renewal.currency,
    unpaidLimits: NO_LIMITS,
    verifiedBuyers: false,
    takesTestCards: false,
    language: first.language,
    paymentMethod: first.paymentMethod,
    expectedTotal: null,
    note: renewal.note,
    downloadConsent: first.downloadConsent,
    byStaff: { paid: true, minutesToPay: null },
    alongside: renewal.alongside(reference),
    cartTokenHash: null,
    fingerprint: null,
    keyed: true,
    now: author.now,
  };
  const state = await readOrderState({ ...ctx, settings }, draft);
  const payment = renewal.payment && { provider: "stripe" as const, reference: renewal.payment, url: null };
  const priced = { ...atTotal(draft, state, renewal.amount), payment: payment || null };
  const order = await insertOrder({ db, caller: { kind: "anonymous" }, author }, priced);
  if (!order) throw new Error(`the renewal of order ${first.number} was priced with outdated data`);
  return order;
}

const isExempt = ({ exemption }: StoredTaxLine): boolean => exemption !== undefined;

/** Finds the price that makes up the total: including taxes, or without them if none is due. */
function atTotal(draft: OrderDraft, state: OrderState, total: number): PricedOrder {
  const { rules, ...facts } = readFacts(draft, state);
  const order = [true, false]
    .map((pricesIncludeTax) =>
      priceOrder(draft, { ...facts, products: state.products, rules: { ...rules, discounts: [], pricesIncludeTax } }),
    )
    .find((priced) => priced.total === total);
  if (!order) throw new Error(`no price makes up ${total}`);
  return order;
}
