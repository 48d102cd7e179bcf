import { type SQL, sql } from "drizzle-orm";
import { type Address, addressParts, toShownAddress } from "../../../domain/address.ts";
import { refuseReservedDomain } from "../../../domain/contact.ts";
import { badRequest, fieldError } from "../../../domain/errors.ts";
import type { Language } from "../../../domain/language.ts";
import type { PaymentMethod } from "../../../domain/payment-methods.ts";
import type { Spender } from "../../../platform/auth/author-limits.ts";
import {
  type ApiKeyCaller,
  isTestKey,
  requirePermission,
  type UserCaller,
  type WriteContext,
} from "../../../platform/auth/caller.ts";
import { hashSecret } from "../../../platform/auth/secrets.ts";
import type { VatCheck } from "../../../platform/db/schema.ts";
import type { Settings, UnpaidLimits } from "../../../platform/settings/settings.ts";
import type { AnyDiscount, Buyer, ChosenShipping, ProductFacts } from "../../pricing/public.ts";
import { newOrderReference } from "../reference.ts";
import { networkHash } from "./network-hash.ts";
import type { OrderCreate, QuoteRequest } from "./schemas.ts";

/** An address as it was sent, the id of an address in the buyer's address book, or null for no address. */
export type OrderAddress = Address | { id: number } | null;

/** A line to be priced. `listPrice` is the catalogue price if staff set another one, and otherwise undefined. */
export type DraftLine = {
  productId: number;
  quantity: number;
  unitPrice: number;
  listPrice?: number | undefined;
  metadata?: Record<string, string> | undefined;
  /** The line of a placed order that an edit keeps, at the price and with the product data of its sale. */
  kept?: KeptLine | undefined;
};

/** `currentPrice` is the catalogue price now. Undefined if the product is no longer for sale. */
type KeptLine = { id: number; quantity: number; facts: ProductFacts; currentPrice?: number | undefined };

/** The input that an order and its quote are calculated from. */
export type CheckoutDraft = {
  userId: number | null;
  apiKeyId: number | null;
  lines: DraftLine[];
  customer: { email: string; name: string } | undefined;
  shippingAddress: OrderAddress;
  billingAddress: OrderAddress;
  shippingMethodId: number | null;
  /** Shipping and a discount set by staff. Null shipping is none, as for an order placed before the shop had methods. */
  customShipping?: ChosenShipping | null | undefined;
  manualDiscount?: AnyDiscount | undefined;
  /** Discount codes as sent, in upper case. */
  discountCodes: readonly string[];
  /** Why the order is tax-exempt. An account's exemption is stored in the account. */
  taxExemptReason: string | null;
  currency: string;
  unpaidLimits: UnpaidLimits;
  /** The network of a guest, as named by `networkHash`, if orders of its guests are limited together. */
  unpaidFrom?: string | null;
  /** Language of the buyer's request. */
  language?: Language | null | undefined;
  verifiedBuyers: boolean;
  takesTestCards: boolean;
  /** True for an order of a test key. */
  sandbox?: boolean;
  /** Equal for an order and its repetitions. Null for a quote. */
  fingerprint: string | null;
  /** True if the request has an Idempotency-Key, so that an equal order may be placed on purpose. */
  keyed: boolean;
  /** A check of the VAT ID that an edited order was placed with. */
  vatCheck?: VatCheck | null;
  /** The placed order that is edited. It does not count as an earlier order of the buyer. */
  editedOrderId?: number | undefined;
  now: number;
};

/** An order before it is priced and written: everything known without querying the database. */
export type OrderDraft = CheckoutDraft & {
  reference: string;
  paymentMethod: PaymentMethod;
  /** Total that the buyer agreed to, in minor units. */
  expectedTotal: number | null;
  /** The version of the shop's terms that the buyer accepted. */
  acceptedTerms?: number | undefined;
  externalId?: string | undefined;
  metadata?: Record<string, string> | undefined;
  /** The buyer's note, or that of staff, for the first entry of the history. */
  note?: string | undefined;
  /** True if the buyer asked for downloads at once, and knows that this ends the right of withdrawal. */
  downloadConsent?: boolean | undefined;
  /** How an order by staff is paid. Undefined if the buyer orders, by the terms of the payment method. */
  byStaff?: StaffTerms | undefined;
  /** The staff whose limits the order counts towards. Undefined if a buyer orders at the shop's own prices. */
  givenBy?: { spender: Spender; alreadyCounted: number } | undefined;
  /** The order whose subscription this one renews. */
  renewalOf?: number | undefined;
  /** Statements to write in the batch of the order. */
  alongside?: SQL[] | undefined;
  /** An agent's token that pays the order without a person. `requestId` names the attempt. */
  charge?: { token: string; requestId: string } | undefined;
  /** Hash of the token of the guest cart being ordered. A user's cart is found by the user. */
  cartTokenHash: string | null;
};

/** `minutesToPay` is null for an order that does not expire. */
type StaffTerms = { paid: boolean; minutesToPay: number | null };

type CheckoutCaller = UserCaller | ApiKeyCaller;
type Choices = Pick<
  Settings,
  "currency" | "linkSecrets" | "unpaidLimits" | "verifiedBuyers" | "allowsReservedDomains" | "test" | "sandbox"
>;

type Shopper = Pick<WriteContext<CheckoutCaller>, "caller" | "author"> & { settings: Choices };

export function draftOrder(
  ctx: Shopper,
  { order, cartToken }: { order: OrderCreate; cartToken: string | undefined },
): OrderDraft {
  const { caller, author } = ctx;
  const { actor, claim } = author;
  const isGuest = caller.kind === "api_key";
  const lines = order.items.map(({ product_id, quantity, price, metadata }) => ({
    productId: product_id,
    quantity,
    unitPrice: price,
    metadata,
  }));
  const cartTokenHash = isGuest && cartToken !== undefined ? hashSecret(cartToken) : null;
  return {
    ...draftCheckout(ctx, { sent: order, lines }),
    reference: newOrderReference(),
    paymentMethod: order.payment_method,
    expectedTotal: order.expected_total ?? null,
    acceptedTerms: order.accepted_terms,
    metadata: order.metadata,
    note: order.note,
    downloadConsent: order.download_consent,
    cartTokenHash,
    fingerprint: fingerprintOf({ actor, cartTokenHash }, order),
    keyed: claim !== undefined,
  };
}

/** Builds the draft to be priced. A guest has no wallet, and a user is their own customer. */
export function draftCheckout(
  { caller, author, settings }: Shopper,
  { sent, lines }: { sent: OrderCreate | QuoteRequest; lines: CheckoutDraft["lines"] },
): CheckoutDraft {
  const { currency, unpaidLimits, verifiedBuyers } = settings;
  const isGuest = caller.kind === "api_key";
  if (isTestKey(caller) && (sent.payment_method ?? "test_card") !== "test_card") {
    throw badRequest(fieldError("payment_method", "method_not_offered", "must be test_card with a test key"));
  }
  if (isGuest && sent.payment_method === "wallet") {
    throw badRequest(fieldError("payment_method", "account_required", "wallet requires a user token"));
  }
  if (!isGuest && sent.customer) {
    throw badRequest(fieldError("customer", "not_applicable", "is only for orders placed with an API key"));
  }
  if (sent.customer) refuseReservedDomain(settings, sent.customer.email, "customer.email");
  for (const field of ["shipping_address_id", "billing_address_id"] as const) {
    if (isGuest && sent[field] !== undefined) {
      throw badRequest(fieldError(field, "not_applicable", "is only for accounts, which have an address book"));
    }
  }
  if (sent.tax_exempt_reason !== undefined) requireExempter(caller);
  return {
    userId: isGuest ? null : caller.id,
    apiKeyId: isGuest ? caller.id : null,
    lines,
    customer: sent.customer,
    shippingAddress: orderAddress(sent.shipping_address, sent.shipping_address_id),
    billingAddress: orderAddress(sent.billing_address, sent.billing_address_id),
    shippingMethodId: sent.shipping_method ?? null,
    discountCodes: sent.discount_codes ?? [],
    taxExemptReason: sent.tax_exempt_reason ?? null,
    currency,
    unpaidLimits,
    unpaidFrom: networkHash(settings, author),
    language: author.language,
    verifiedBuyers,
    takesTestCards: (isTestKey(caller) ? settings.sandbox : settings.test) !== null,
    sandbox: isTestKey(caller),
    fingerprint: null,
    keyed: false,
    now: author.now,
  };
}

/**
 * Throws if buyers exempt themselves from tax. The shop exempts accounts, and a key with permission to write orders exempts
 * single orders.
 */
function requireExempter(caller: CheckoutCaller): void {
  if (caller.kind === "user") {
    throw badRequest(fieldError("tax_exempt_reason", "not_applicable", "is only for orders placed with an API key"));
  }
  requirePermission(caller, "orders:write");
}

export const orderAddress = (sent: Address | null | undefined, id: number | undefined): OrderAddress =>
  id === undefined ? (sent ?? null) : { id };

/** Copies all current parts of an address into the order. */
export const addressAsJson = (address: OrderAddress): SQL => {
  if (address === null) return sql`NULL`;
  if (!("id" in address)) return sql`${JSON.stringify(address)}`;
  const parts = sql.raw(addressParts.map((part) => `'${part}', ${part}`).join(", "));
  return sql`(SELECT json_object(${parts}) FROM addresses WHERE id = ${address.id})`;
};

/** Ids of the address book entries that the order refers to. */
export const addressIdsOf = ({ shippingAddress, billingAddress }: CheckoutDraft): number[] =>
  [shippingAddress, billingAddress].flatMap((address) => (address && "id" in address ? [address.id] : []));

/** Identifies one customer for discount limits: the account, or a hash of a guest's e-mail address. */
export function buyerOf({ userId, customer }: Pick<CheckoutDraft, "userId" | "customer">): Buyer {
  const email = customer?.email ?? null;
  const guest = email === null ? null : `guest:${hashSecret(email)}`;
  return { userId, email, customer: userId === null ? guest : `user:${userId}` };
}

/** A random token of 132 bits. */
export const FINGERPRINT_CHARACTERS = 33;

/** The buyer: the caller as named by `nameOf`, and the cart that a guest orders from. */
type FingerprintOwner = { actor: string; cartTokenHash: string | null };

/**
 * Returns a hash shared by equal orders of one caller, however they are written: fields are compared after validation,
 * and lines in any order. A guest is identified by the order's own data.
 */
const textsOf = (metadata: Record<string, string> | undefined): string[] =>
  metadata ? [JSON.stringify(Object.entries(metadata).toSorted())] : [];

function fingerprintOf({ actor, cartTokenHash }: FingerprintOwner, order: OrderCreate): string {
  const { customer } = order;
  const lines = order.items
    .map(({ product_id, quantity, price, metadata }) => [product_id, quantity, price, ...textsOf(metadata)].join(":"))
    .toSorted();
  const said = [
    [actor, cartTokenHash, order.payment_method, order.expected_total ?? null],
    lines,
    customer ? [customer.email, customer.name] : null,
    [order.shipping_method ?? null, order.discount_codes?.toSorted() ?? [], order.tax_exempt_reason ?? null],
    saidOf(order.shipping_address) ?? order.shipping_address_id ?? null,
    saidOf(order.billing_address) ?? order.billing_address_id ?? null,
  ];
  return hashSecret(JSON.stringify(said)).slice(0, FINGERPRINT_CHARACTERS);
}

const saidOf = (address: Address | null | undefined) => address && Object.values(toShownAddress(address));
