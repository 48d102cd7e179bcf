import { auditedKey } from "../audit/entry.ts";
import type { Author, Claim } from "../auth/author.ts";
import type { ApiKeyCaller, UserCaller } from "../auth/caller.ts";
import { hashSecret } from "../auth/secrets.ts";
import type { Address } from "../domain/address.ts";
import { type PaymentMethod, paymentTerms } from "../domain/payment-methods.ts";
import { badRequest, fieldError } from "../errors.ts";
import type { OpenedPayment } from "../payments/public.ts";
import type { Settings, UnpaidLimits } from "../settings/settings.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { newOrderNumber } from "./number.ts";
import type { NewOrder } from "./schemas.ts";

/** An address as it was sent, or the id of one of the buyer's address book; null where there is none. */
export type OrderAddress = Address | { id: number } | null;

/** An order as it is about to be written: everything that can be known without asking the database. */
export type OrderDraft = {
  number: string;
  userId: number | null;
  apiKeyId: number | null;
  actor: string;
  /** Who is audited for it, if anybody is. */
  audit: Author | null;
  lines: { productId: number; quantity: number; unitPrice: number }[];
  /** Minor units. */
  total: number;
  currency: string;
  unpaidLimits: UnpaidLimits;
  verifiedBuyers: boolean;
  paymentMethod: PaymentMethod;
  /** By a method that pays at once, or as it costs nothing. */
  paid: boolean;
  /** Opened at the provider, where the method has one that is switched on. */
  payment: OpenedPayment | null;
  customer: { email: string; name: string } | undefined;
  shippingAddress: OrderAddress;
  billingAddress: OrderAddress;
  /** When the stock of an order that is not paid by then goes back. */
  expiresAt: number;
  /** The guest cart that is being ordered, by its token's hash. A user's is found by the user. */
  cartTokenHash: string | null;
  fingerprint: string;
  now: number;
  claim: Claim | undefined;
};

/** Settles what an order will be. A guest has no wallet, and a user is their own customer. */
export function draftOrder(
  caller: UserCaller | ApiKeyCaller,
  author: Author,
  order: NewOrder,
  cartToken: string | undefined,
  { currency, unpaidLimits, verifiedBuyers }: Pick<Settings, "currency" | "unpaidLimits" | "verifiedBuyers">,
): OrderDraft {
  const { actor, now, claim } = author;
  const isGuest = caller.kind === "api_key";
  if (isGuest && order.payment_method === "wallet") {
    throw badRequest(fieldError("payment_method", "account_required", "wallet needs a user token"));
  }
  if (!isGuest && order.customer) {
    throw badRequest(fieldError("customer", "not_applicable", "is for orders placed with an API key"));
  }
  for (const field of ["shipping_address_id", "billing_address_id"] as const) {
    if (isGuest && order[field] !== undefined) {
      throw badRequest(fieldError(field, "not_applicable", "is for accounts, which have an address book"));
    }
  }
  const cartTokenHash = isGuest && cartToken !== undefined ? hashSecret(cartToken) : null;
  const total = order.items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const { minutesToPay } = paymentTerms[order.payment_method];
  return {
    number: newOrderNumber(),
    userId: isGuest ? null : caller.id,
    apiKeyId: isGuest ? caller.id : null,
    actor,
    audit: auditedKey(caller, author),
    lines: order.items.map(({ product_id, quantity, price }) => ({
      productId: product_id,
      quantity,
      unitPrice: price,
    })),
    total,
    currency,
    unpaidLimits,
    verifiedBuyers,
    paymentMethod: order.payment_method,
    paid: minutesToPay === 0 || total === 0,
    payment: null,
    customer: order.customer,
    shippingAddress: addressOf(order.shipping_address, order.shipping_address_id),
    billingAddress: addressOf(order.billing_address, order.billing_address_id),
    expiresAt: now + minutesToPay * 60_000,
    cartTokenHash,
    fingerprint: fingerprintOf({ actor, cartTokenHash }, order),
    now,
    claim,
  };
}

const addressOf = (sent: Address | null | undefined, id: number | undefined): OrderAddress =>
  id === undefined ? (sent ?? null) : { id };

/** The addresses of the buyer's address book that the order refers to. */
export const addressIdsOf = ({ shippingAddress, billingAddress }: OrderDraft): number[] =>
  [shippingAddress, billingAddress].flatMap((address) => (address && "id" in address ? [address.id] : []));
