import type { SQL } from "drizzle-orm";
import { refuseReservedDomain } from "../../../domain/contact.ts";
import { badRequest, fieldError } from "../../../domain/errors.ts";
import {
  type ApiKeyCaller,
  accountScopeOf,
  requirePermission,
  type UserCaller,
  type WriteContext,
} from "../../../platform/auth/caller.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import { hashSecret } from "../../../platform/auth/secrets.ts";
import type { Settings, UnpaidLimits } from "../../../platform/settings/settings.ts";
import type { AnyDiscount, ChosenShipping } from "../../pricing/public.ts";
import { createOrder } from "../create/create-order.ts";
import { type CheckoutDraft, FINGERPRINT_CHARACTERS, orderAddress } from "../create/draft.ts";
import { atCurrentPrices, type OrderState, readOrderState } from "../create/order-state.ts";
import { type Quote, quoteOf } from "../create/quote.ts";
import { newOrderReference } from "../reference.ts";
import type { OrderRow } from "../schemas.ts";
import type { AdminOrderCreate, DraftContent } from "./schemas.ts";

// Orders that staff place for a buyer. They are calculated and written like any other, with a few more inputs.

type Staff = Pick<WriteContext<UserCaller | ApiKeyCaller>, "env" | "db" | "caller" | "author" | "settings">;

const MINUTES_PER_DAY = 24 * 60;

/** The draft from which an order is placed: its reference, the value that was counted, and statements written with the order. */
type FromDraft = { reference: string; alreadyCounted: number; alongside: SQL[] };

/** Places an order that is already paid, or is paid outside the platform. No payment provider is called. */
export async function placeByHand(ctx: Staff, order: AdminOrderCreate, from?: FromDraft): Promise<OrderRow> {
  const { reference = newOrderReference(), alreadyCounted = 0, alongside } = from ?? {};
  if (order.paid) requirePermission(ctx.caller, "payments:write");
  const { draft, state } = await readByHand(ctx, order);
  const { claim, actor } = ctx.author;
  const { paid, pay_within_days: days, note } = order;
  return createOrder(ctx, {
    ...draft,
    reference,
    alongside,
    givenBy: { spender: ctx.author, alreadyCounted },
    lines: atCurrentPrices(draft.lines, state),
    paymentMethod: order.payment_method,
    expectedTotal: order.expected_total ?? null,
    cartTokenHash: null,
    byStaff: { paid, minutesToPay: days === undefined ? null : days * MINUTES_PER_DAY },
    note,
    externalId: order.external_id,
    metadata: order.metadata,
    fingerprint: hashSecret(JSON.stringify([actor, order])).slice(0, FINGERPRINT_CHARACTERS),
    keyed: claim !== undefined || from !== undefined,
  });
}

/** Quotes an order by staff, with every reason to refuse it. */
export async function quoteByHand(ctx: Staff, order: DraftContent): Promise<Quote> {
  const { draft, state } = await readByHand(ctx, order);
  return quoteOf({ settings: ctx.settings, state }, draft, undefined);
}

/** Checks the fields and the buyer that staff may set, and reads the state that the order depends on. */
export async function readByHand(
  ctx: Staff,
  order: DraftContent,
): Promise<{ draft: CheckoutDraft; state: OrderState }> {
  if (setsPrices(order)) requirePermission(ctx.caller, "payments:write");
  const apiKeyId = order.user_id === undefined && ctx.caller.kind === "api_key" ? ctx.caller.id : null;
  const draft = { ...draftByHand(ctx, order), apiKeyId };
  const state = await readOrderState(ctx, draft);
  requireBuyer(ctx, order, state);
  return { draft, state };
}

const setsPrices = ({ items, discount, custom_shipping }: DraftContent): boolean =>
  (discount ?? custom_shipping) !== undefined || items.some(({ unit_price }) => unit_price !== undefined);

/** Staff decide how much a buyer may hold unpaid, so the limits for buyers do not apply. */
export const NO_LIMITS: UnpaidLimits = { orders: 1e9, units: 1e9, percent: 100, unverified: 1e9, unverifiedMs: 1e15 };

/** Builds the draft to be priced, for staff and for the buyer who confirms it. */
export function draftByHand(
  { settings, author: { now } }: { settings: Settings; author: { now: number } },
  order: DraftContent,
): CheckoutDraft {
  if (order.customer) refuseReservedDomain(settings, order.customer.email, "customer.email");
  return {
    userId: order.user_id ?? null,
    apiKeyId: null,
    // A price set by staff is paired with its catalogue price once that is read.
    lines: order.items.map(({ product_id, quantity, unit_price, metadata }) => ({
      productId: product_id,
      quantity,
      unitPrice: unit_price ?? 0,
      listPrice: unit_price,
      metadata,
    })),
    customer: order.customer,
    shippingAddress: orderAddress(order.shipping_address, order.shipping_address_id),
    billingAddress: orderAddress(order.billing_address, order.billing_address_id),
    shippingMethodId: order.shipping_method ?? null,
    customShipping: order.custom_shipping && toShipping(order.custom_shipping),
    manualDiscount: order.discount && toDiscount(order.discount),
    discountCodes: order.discount_codes ?? [],
    taxExemptReason: order.tax_exempt_reason ?? null,
    currency: settings.currency,
    unpaidLimits: NO_LIMITS,
    verifiedBuyers: false,
    takesTestCards: settings.test !== null,
    fingerprint: null,
    keyed: false,
    now,
  };
}

export const toShipping = ({ name, price }: NonNullable<DraftContent["custom_shipping"]>): ChosenShipping => ({
  id: null,
  name,
  kind: "flat_rate",
  min_days: null,
  max_days: null,
  price,
});

/** A discount on all items, without any limits. */
export const toDiscount = ({ amount, percent, reason }: NonNullable<DraftContent["discount"]>): AnyDiscount => ({
  id: null,
  code: null,
  name: reason,
  kind: amount === undefined ? "percentage" : "amount",
  amount: amount ?? null,
  percent: percent ?? null,
  buyQuantity: null,
  getQuantity: null,
  appliesTo: "all_products",
  productIds: [],
  categoryIds: [],
  minimumSubtotal: null,
  startsAt: null,
  endsAt: null,
  maxUses: null,
  maxUsesPerCustomer: null,
  uses: 0,
  firstOrderOnly: false,
  combinable: true,
  priority: 0,
  enabled: true,
  updatedAt: 0,
});

/** Refuses an account that does not exist, or that the caller may not access. */
function requireBuyer({ caller }: Staff, { user_id: id }: DraftContent, { user }: OrderState): void {
  const isOpen = user && user.erasedAt === null;
  if (id === undefined || (isOpen && (accountScopeOf(caller) === "everybody" || !isStaff(user.role)))) return;
  throw badRequest(fieldError("user_id", "unknown_reference", `account ${id} does not exist`));
}
