import type { RefusalCode } from "../../../domain/error-codes.ts";
import { type FieldError, fieldError } from "../../../domain/errors.ts";
import { limits } from "../../../domain/limits.ts";
import { formatAmount, toDecimal } from "../../../domain/money.ts";
import { nameWithValues } from "../../../domain/option-values.ts";
import { type PaymentMethod, renewingMethods } from "../../../domain/payment-methods.ts";
import { lockOf, walletLocked } from "../../../domain/wallet-lock.ts";
import { chooseVariant, priceChanged } from "../../cart/public.ts";
import type { CheckoutDraft, OrderDraft } from "./draft.ts";
import type { OrderState, ProductState } from "./order-state.ts";
import { maxOrdersWaiting, maxUnitsOfNetwork, maxUnitsUnpaid } from "./unpaid.ts";

/** The checked parts of an order or a quote. A quote may omit the payment method. */
type Checkout = CheckoutDraft & { paymentMethod: PaymentMethod | undefined; total: number; paid: boolean };

/** Returns every reason why an order cannot be placed now. Empty if it can. */
export function orderErrors(draft: Checkout, state: OrderState): FieldError[] {
  const errors: FieldError[] = [];
  const asked = new Map<number, number>();
  let packages = 0;
  let sends = false;
  let needsEmail = false;
  for (const [index, line] of draft.lines.entries()) {
    const product = state.products.get(line.productId);
    const soFar = (asked.get(line.productId) ?? 0) + line.quantity;
    asked.set(line.productId, soFar);
    const isNew = line.quantity > (line.kept?.quantity ?? 0);
    if (!product || (isNew && product.status !== "active")) {
      errors.push(notForSale(index, line.productId));
      continue;
    }
    if (isNew && product.options.length > 0) {
      errors.push(chooseVariant(`items.${index}.product_id`, product));
      continue;
    }
    const isGiftCard = (line.kept?.facts ?? product).type === "gift_card";
    if (isGiftCard && line.listPrice !== undefined) errors.push(giftCardPrice(index));
    if (!line.kept && product.price !== (line.listPrice ?? line.unitPrice))
      errors.push(priceChanged(`items.${index}.price`, product));
    const short = isNew && shortage(index, draft, { ...line, product, units: soFar, state });
    if (short) errors.push(short);
    const isDelivered = product.grantsFiles || product.license !== null || isGiftCard;
    if (isDelivered) packages += line.quantity;
    needsEmail ||= isNew && isDelivered;
    if (packages > limits.DOWNLOAD_UNITS_PER_ORDER) errors.push(tooManyPackages(index));
    sends ||= (line.kept?.facts ?? product).requiresShipping;
    if (product.renews && (draft.lines.length > 1 || line.quantity > 1)) errors.push(renewsAlone(index));
    if (product.renews && draft.total === 0) errors.push(renewsForFree(index));
    if (product.renews && draft.paymentMethod && !renewingMethods.includes(draft.paymentMethod)) {
      errors.push(notRenewable);
    }
  }
  if (sends && !draft.shippingAddress) {
    errors.push(fieldError("shipping_address", "required", "is required because the order contains items to ship"));
  }
  if (needsEmail && draft.userId === null && !draft.customer) {
    errors.push(fieldError("customer.email", "required", "is required because a guest gets downloads by e-mail"));
  }
  errors.push(...addressErrors(draft, state));
  const balance = state.user?.walletBalance ?? 0;
  if (draft.paymentMethod === "wallet" && balance < draft.total) errors.push(insufficientFunds(balance, draft.total));
  const lock = draft.paymentMethod === "wallet" && draft.total > 0 && state.user ? lockOf(state.user, draft.now) : null;
  if (lock !== null) errors.push(walletLocked("payment_method", lock));
  const limit = maxOrdersWaiting(draft);
  if (!draft.paid && state.ordersWaiting >= limit) errors.push(tooManyOpenOrders(limit));
  const unverified = addressMissing(draft, state);
  if (unverified) errors.push(unverified);
  return errors;
}

const addressErrors = ({ shippingAddress, billingAddress }: Checkout, { addressBook }: OrderState): FieldError[] =>
  Object.entries({ shipping_address_id: shippingAddress, billing_address_id: billingAddress }).flatMap(
    ([field, address]) =>
      address && "id" in address && !addressBook.has(address.id)
        ? [fieldError(field, "unknown_reference", `address ${address.id} is not in the address book`)]
        : [],
  );

/** Returns the reasons why an account with an unverified address may not place the order. */
function addressMissing({ lines, paid, unpaidLimits, verifiedBuyers }: Checkout, { user, products }: OrderState) {
  if (!user || user.emailVerifiedAt !== null) return undefined;
  const refused = (words: string) =>
    fieldError("body", "email_not_verified", `verify your e-mail address first: ${words}`);
  if (verifiedBuyers) return refused("you can order only then");
  const held = lines.filter(({ productId }) => products.get(productId)?.stockQuantity != null);
  const units = held.reduce((sum, { quantity }) => sum + quantity, 0);
  if (paid || units === 0 || units + user.heldUnpaid <= unpaidLimits.unverified) return undefined;
  return refused(`until then, unpaid orders can hold at most ${unpaidLimits.unverified} units. ${PAID_AT_ONCE}`);
}

/** Refuses an order without the terms that the shop asks for, or with terms that have changed since. */
export function termsErrors(
  { acceptedTerms, byStaff }: Pick<OrderDraft, "acceptedTerms" | "byStaff">,
  state: Pick<OrderState, "pages">,
): FieldError[] {
  const terms = state.pages.filter(({ slug }) => slug === "terms");
  const [current] = terms;
  if (byStaff || (acceptedTerms === undefined && !current?.termsRequired)) return [];
  if (acceptedTerms === undefined) {
    return [
      fieldError(
        "accepted_terms",
        "required",
        `is required. Show the buyer the terms, and send their version, ${current?.id}`,
      ),
    ];
  }
  if (terms.some(({ id }) => id === acceptedTerms)) return [];
  return [
    fieldError("accepted_terms", "stale", "is not the current version of the terms. Show the buyer the current terms"),
  ];
}

const notForSale = (index: number, id: number) =>
  fieldError(`items.${index}.product_id`, "not_for_sale", `product ${id} is not for sale`);

type WantedUnits = { productId: number; product: ProductState; units: number; state: OrderState };

/** Explains why this many units of a product are unavailable, given the units that unpaid orders hold. */
function shortage(index: number, draft: Checkout, { productId, product, units, state }: WantedUnits) {
  const { stockQuantity: available } = product;
  const name = nameWithValues(product);
  if (available === null) return undefined;
  const field = `items.${index}.quantity`;
  if (units > available) {
    const left = available === 0 ? "is out of stock" : `has only ${available} left in stock`;
    return fieldError(field, "insufficient_stock", `${name} ${left}`, { available });
  }
  if (draft.paid) return undefined;
  const held = state.unpaidUnits.get(productId) ?? 0;
  const limit = maxUnitsUnpaid(draft, available, held);
  if (units + held > limit) {
    const words = `unpaid orders can hold at most ${limit} of ${name}, and yours hold ${held}. ${PAID_AT_ONCE}`;
    return fieldError(field, "too_many_unpaid_units", words, { limit });
  }
  const ofNetwork = state.networkUnits.get(productId) ?? 0;
  const networkLimit = maxUnitsOfNetwork(draft, available, ofNetwork);
  if (!draft.unpaidFrom || units + ofNetwork <= networkLimit) return undefined;
  const words = `unpaid orders of guests in your network can hold at most ${networkLimit} of ${name}, and hold ${ofNetwork}. Sign in, or try again once those orders are paid or expired`;
  return fieldError(field, "too_many_unpaid_units", words, { limit: networkLimit });
}

const giftCardPrice = (index: number) =>
  fieldError(`items.${index}.unit_price`, "not_applicable", "cannot be set: the price of a gift card is its value");

const renewsAlone = (index: number) =>
  fieldError(`items.${index}.quantity`, "not_applicable", "renews, so it must be ordered alone and once");

const renewsForFree = (index: number) =>
  fieldError(`items.${index}.product_id`, "not_applicable", "renews, so it cannot be free");

export const notRenewable = fieldError(
  "payment_method",
  "not_applicable",
  "cannot pay again for a product that renews. Choose a credit card, if the shop takes them online",
);

const tooManyPackages = (index: number) =>
  fieldError(
    `items.${index}.quantity`,
    "too_many_packages",
    `an order can have at most ${limits.DOWNLOAD_UNITS_PER_ORDER} units that grant downloads`,
    { limit: limits.DOWNLOAD_UNITS_PER_ORDER },
  );

const insufficientFunds = (balance: number, total: number) =>
  fieldError(
    "payment_method",
    "insufficient_funds",
    `the wallet holds ${formatAmount(balance)} and the order costs ${formatAmount(total)}`,
    { balance: toDecimal(balance) },
  );

const PAID_AT_ONCE = "Orders paid immediately are not limited";

const tooManyOpenOrders = (limit: number) =>
  fieldError(
    "body",
    "too_many_open_orders",
    `at most ${limit} orders can be unpaid at a time. Pay or cancel one first. ${PAID_AT_ONCE}`,
    { limit },
  );

/** Codes with which placing or editing an order can fail. */
export const placementErrors = [
  "account_required",
  "choose_variant",
  "discount_not_applicable",
  "discount_used_up",
  "email_not_verified",
  "insufficient_funds",
  "insufficient_stock",
  "method_not_offered",
  "no_shipping_method",
  "not_for_sale",
  "payment_not_possible",
  "price_changed",
  "shipping_unavailable",
  "too_many_open_orders",
  "too_many_packages",
  "too_many_unpaid_units",
  "total_changed",
  "unknown_discount_code",
  "wallet_locked",
] as const satisfies readonly RefusalCode[];
