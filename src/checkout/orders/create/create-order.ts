import { type ApiError, badRequest, conflict, fieldError, unauthorized } from "../../../domain/errors.ts";
import { nameWithValues } from "../../../domain/option-values.ts";
import type { WriteContext } from "../../../platform/auth/caller.ts";
import { requireUnusedKey } from "../../../platform/idempotency/claims.ts";
import {
  authorizePayment,
  isPaidOnline,
  type OpenedPayment,
  type PayableOrder,
  type PaymentProvider,
  providerFor,
  releasePayment,
} from "../../payments/public.ts";
import type { OrderRow } from "../schemas.ts";
import type { OrderDraft } from "./draft.ts";
import { insertOrder } from "./insert-order.ts";
import { notRenewable, orderErrors, termsErrors } from "./order-errors.ts";
import { atCurrentPrices, type OrderState, readFacts, readOrderState, rememberedFacts } from "./order-state.ts";
import { type PricedOrder, priceOrder } from "./price-order.ts";

type PlacementContext = Pick<WriteContext, "env" | "db" | "caller" | "author" | "settings">;

/**
 * Places an order in one round trip, priced with data cached by this isolate. If the data is outdated, the database
 * refuses the order, and the data is read again to report every error or to reprice the order.
 */
export async function createOrder(ctx: PlacementContext, draft: OrderDraft): Promise<OrderRow> {
  const facts = rememberedFacts(draft);
  const priced = facts && priceOrder(draft, facts);
  if (priced && priced.problems.length === 0 && redeemsCodes(priced) && !awaitsProvider(ctx, draft, priced)) {
    const order = await insertOrder(ctx, priced);
    if (order) return order;
  }
  return placeByReading(ctx, draft);
}

/** True if the order is paid at a provider. Accounts of providers are a part of the pricing rules' version. */
const awaitsProvider = (
  { settings }: PlacementContext,
  { byStaff, paymentMethod }: OrderDraft,
  { paid, facts }: PricedOrder,
) => !byStaff && !paid && isPaidOnline(settings, facts.rules.accounts, paymentMethod);

/** True if each code lowers the price. The database does not check the limits of discounts that an order does not redeem. */
const redeemsCodes = ({ discountCodes, pricing }: PricedOrder): boolean =>
  discountCodes.every((code) => pricing.discounts.some((discount) => discount.code === code));

/**
 * Opens the payment before writing an order that looks valid. If the order is then refused, the payment was never shown to
 * anybody.
 */
async function placeByReading(ctx: PlacementContext, draft: OrderDraft): Promise<OrderRow> {
  const provider = draft.byStaff ? undefined : await providerFor(ctx, draft.paymentMethod);
  if (provider) await requireUnusedKey(ctx);
  const { state, priced, refused } = await readAndPrice(ctx, draft);
  if (refused) throw refused;
  const renews = draft.lines.some(({ productId }) => state.products.get(productId)?.renews);
  if (renews && (!provider?.subscriptions || priced.charge)) throw badRequest(notRenewable);
  const payment = provider && !priced.paid ? await openPayment(ctx, provider, { priced, state }) : null;
  const order = await insertOrder(ctx, { ...priced, payment });
  if (order) return order;
  if (payment?.url === null) await releasePayment(ctx, payment);
  const outdated = conflict(
    "changed_meanwhile",
    "The catalogue changed while the order was placed. Nothing was charged. Place the order again",
  );
  throw (await readAndPrice(ctx, draft)).refused ?? outdated;
}

const openPayment = (
  ctx: PlacementContext,
  provider: PaymentProvider,
  { priced, state }: { priced: PricedOrder; state: OrderState },
): Promise<OpenedPayment> =>
  priced.charge
    ? authorizePayment(ctx, provider, {
        order: payableOrder(priced, state, priced.charge.requestId),
        token: priced.charge.token,
      })
    : provider.open(payableOrder(priced, state));

/** Reads the current state and prices the order. Also returns the error that placing it would cause, if any. */
async function readAndPrice(ctx: PlacementContext, draft: OrderDraft) {
  const state = await readOrderState(ctx, draft);
  const priced = priceOrder({ ...draft, lines: atCurrentPrices(draft.lines, state) }, readFacts(draft, state));
  return { state, priced, refused: refusal({ ...priced, lines: draft.lines }, state) };
}

function refusal(order: PricedOrder, state: OrderState): ApiError | undefined {
  if (order.userId !== null && !state.user) return unauthorized("invalid_token", "The account no longer exists");
  if (state.resent !== undefined) return resent(state.resent);
  const errors = [...orderErrors(order, state), ...order.problems, ...termsErrors(order, state)];
  if (errors.length === 0) return undefined;
  return badRequest(errors, "The order was not placed, and nothing was charged");
}

function resent(number: string): ApiError {
  const again = "to place it again on purpose, send a new Idempotency-Key";
  return conflict(
    "order_resent",
    `This duplicates order ${number}, placed seconds ago. Nothing was charged`,
    fieldError("body", "order_resent", `duplicates order ${number}: ${again}`, { order_number: number }),
  );
}

/** The order as sent to a payment provider, with identical lines and totals. */
export const payableOrder = (
  {
    reference,
    total,
    currency,
    expiresAt,
    now,
    lines,
    pricing,
  }: Pick<PricedOrder, "reference" | "total" | "currency" | "expiresAt" | "now" | "lines" | "pricing">,
  { products }: Pick<OrderState, "products">,
  requestId: string = reference,
): PayableOrder => ({
  reference,
  requestId,
  total,
  currency,
  expiresAt: expiresAt ?? now,
  lines: lines.map(({ productId, quantity, unitPrice }, index) => ({
    name: nameWithValues(products.get(productId) ?? { name: "", optionValues: [] }),
    quantity,
    unitPrice,
    discount: pricing.lines[index]?.discount ?? 0,
  })),
  shipping: pricing.shippingTotal,
  shippingDiscount: pricing.shippingDiscount,
  taxAdded: pricing.pricesIncludeTax ? 0 : pricing.taxTotal,
  renews: lines.map(({ productId }) => products.get(productId)?.renews).find(Boolean) ?? null,
});
