import { type ApiError, providerUnavailable } from "../../domain/errors.ts";
import type { ProviderName } from "../../domain/payment-methods.ts";
import type { RenewalInterval } from "../../platform/db/schema.ts";

/**
 * The order data that a provider needs to collect payment. In minor units: the total is the line prices plus shipping,
 * less discounts, plus the tax added to prices.
 */
export type PayableOrder = {
  reference: string;
  /** Names this payment of the order. An edited order has a new one. Providers open each once. */
  requestId: string;
  total: number;
  currency: string;
  expiresAt: number;
  lines: { name: string; quantity: number; unitPrice: number; discount: number }[];
  shipping: number;
  shippingDiscount: number;
  taxAdded: number;
  /** Interval in which the total is charged again. Null for a single payment. */
  renews: RenewalInterval | null;
};

/**
 * An opened payment: its reference at the provider, and the URL where the buyer pays. The URL is null if the money is
 * reserved already.
 */
export type OpenedPayment = { provider: ProviderName; reference: string; url: string | null };

/** Returns the URL to which the buyer of an order returns after paying, or after turning back. */
export type ReturnUrl = (reference: string) => string;

/** The order data needed to match a payment event. */
export type DueOrder = { reference: string; total: number; currency: string };

/** Looks up the order that an event names. Returns undefined if it is not an order of this shop. */
export type FindOrder = (reference: string) => Promise<DueOrder | undefined>;

/** Functions that the shop passes to a provider to read an event. */
export type EventReading = {
  findOrder: FindOrder;
  /** Returns true if the event with this recorded id was handled before. */
  isHandled: (id: string) => Promise<boolean>;
  /** Returns true if money of this amount would pay the order now. A provider that captures asks before it charges. */
  isPayable: (order: DueOrder, money: { minor: number; currency: string }) => Promise<boolean>;
  /**
   * Verifies an event that names an order, if verification costs a request. Throws after too many forged events from the
   * sender.
   */
  limitForged: (orderReference: string, isGenuine: () => Promise<boolean>) => Promise<boolean>;
};

/** A provider's event about an order's payment. `id` identifies the event, `reference` the payment. */
export type Payment = {
  id: string;
  kind: "paid" | "failed";
  order: DueOrder;
  /** The reference that a refund must name. */
  reference: string;
  /** In minor units. */
  amount: number;
  /** ISO 4217, upper case. */
  currency: string;
};

/** A payment is recorded under its own id, however many events report it. A failure is recorded under its event's id. */
export const recordedIdOf = ({ kind, id, reference }: Payment): string => (kind === "paid" ? reference : id);

/** One attempt at a refund. `failures` counts the failed attempts before. */
export type RefundAttempt = { refundId: number; orderReference: string; failures: number };

/** A provider's event that an accepted refund failed: the money did not reach the buyer. */
export type RefundFailure = RefundAttempt & { id: string; kind: "refund_failed"; reason: string | null };

export type PaymentEvent = Payment | RefundFailure;

/** A provider's event that a buyer disputes a payment at the bank, or how that ended. Only a lost dispute returned the money. */
export type Dispute = Pick<Payment, "amount" | "currency"> & {
  kind: "dispute";
  /** The provider's id of the dispute. */
  id: string;
  /** The reference of the disputed payment. */
  payment: string;
  state: "opened" | "lost" | "closed";
  reason: string;
};

/** A provider's event about a subscription. Events may come late, twice or out of order, so its state is read instead. */
export type SubscriptionEvent = { kind: "subscription"; subscription: string };

/** A paid invoice of a subscription. `payment` is what a refund must name, null if nothing was charged. */
export type PaidInvoice = Pick<Payment, "amount" | "currency"> & {
  id: string;
  payment: string | null;
  /** End of the latest period that it pays. */
  periodEnd: number;
};

/** The current state of a subscription at the provider. */
export type ProviderSubscription = {
  reference: string;
  /** The order that began it. */
  orderReference: string;
  /** The provider's id of the buyer. */
  customer: string;
  pastDue: boolean;
  /** Time at which it ends unless it is resumed. Null if it renews. */
  cancelsAt: number | null;
  /** Time at which it was cancelled. Null if it renews. */
  cancelledAt: number | null;
  endedAt: number | null;
  currentPeriodStart: number;
  currentPeriodEnd: number;
  /** The latest ones, oldest first. */
  invoices: PaidInvoice[];
};

type Subscriptions = {
  /** Undefined if the subscription does not exist, or does not name an order. */
  find(reference: string): Promise<ProviderSubscription | undefined>;
  /** Ends it at the end of the paid period, or resumes it. */
  cancelAtPeriodEnd(reference: string, cancels: boolean): Promise<void>;
  /** Opens a page where the buyer changes the card or, unless `onlyCard`, cancels, and which returns to the order. Returns its URL. */
  openPortal(portal: { customer: string; orderReference: string; onlyCard: boolean }): Promise<string>;
};

/** A refund to send. `id` is ours and does not change when the attempt is repeated, so that it is paid once. */
type RefundRequest = RefundAttempt & { id: string; reference: string; amount: number; currency: string };

/** Charges without a person, by tokens that buyers' agents were given. */
type TokenCharges = {
  /** Prepares a payment of an order's total, and returns its reference. Reserves nothing. */
  prepare(order: PayableOrder): Promise<string>;
  /** Reserves the money. Throws `PaymentDeclined` if the token does not pay it. */
  authorize(reference: string, token: string): Promise<void>;
  /** Collects reserved money, once. The amount is in minor units. */
  capture(reference: string): Promise<Pick<Payment, "amount" | "currency">>;
};

/** A payment service. Methods throw `unavailable` for temporary failures. */
export type PaymentProvider = {
  name: ProviderName;
  /** True for an account in test mode, whose payments move no money. */
  isTest?: boolean;
  /** Opens a payment for an order before it is written. */
  open(order: PayableOrder): Promise<OpenedPayment>;
  /** Reads a webhook after verifying that the provider sent it. Returns null if it is not about an order's payment. */
  readEvent(request: Request, reading: EventReading): Promise<PaymentEvent | SubscriptionEvent | Dispute | null>;
  /**
   * Closes the payment page that `open` opened, so that it can no longer be paid, releases reserved money, or ends a
   * subscription at once.
   */
  close(reference: string): Promise<void>;
  /** Undefined if the provider takes no such tokens. */
  charges?: TokenCharges;
  /** Undefined if the provider cannot charge again without the buyer. */
  subscriptions?: Subscriptions;
  /** Returns the provider's id of the refund. Throws `RefundFailed` if the refund did not or will not go through. */
  refund(request: RefundRequest): Promise<string>;
};

/**
 * Returns a 503 for a provider that does not answer. `cause` is logged but never sent to the client, and must not contain
 * secrets.
 */
export const providerUnreachable = (provider: string, cause: string): ApiError =>
  Object.assign(providerUnavailable(provider), { cause: new Error(cause) });

/** Thrown if the provider declined an agent's token. Nothing is charged. */
export class PaymentDeclined extends Error {}

/** Thrown if the provider accepted a refund but could not complete it, or will never accept it. */
export class RefundFailed extends Error {}

/**
 * Returns true for statuses after which an identical request may succeed later. 409 means that a request with the same
 * idempotency key is in progress.
 */
export const isTransient = (status: number): boolean => status >= 500 || status === 429 || status === 409;
