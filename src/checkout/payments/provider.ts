import { type ApiError, providerUnavailable } from "../../domain/errors.ts";
import type { ProviderName } from "../../domain/payment-methods.ts";

/**
 * What a provider has to know to take the money of an order. Minor units: the total is the lines at their prices and
 * shipping, less their discounts, with the tax that is added to prices.
 */
export type PayableOrder = {
  number: string;
  total: number;
  currency: string;
  expiresAt: number;
  lines: { name: string; quantity: number; unitPrice: number; discount: number }[];
  shipping: number;
  shippingDiscount: number;
  taxAdded: number;
};

/** A payment that was opened: its name at the provider, and where the buyer pays. */
export type OpenedPayment = { provider: ProviderName; reference: string; url: string };

/** The part of an order that opening a payment needs. */
export type DueOrder = { number: string; total: number; currency: string };

/** Looks up the order that an event names; undefined when it is none of this shop. */
export type FindOrder = (number: string) => Promise<DueOrder | undefined>;

/** What the shop does for a provider that reads an event. */
export type EventReading = {
  findOrder: FindOrder;
  /** Whether an event was handled before, by the id that it is recorded under. */
  isHandled: (id: string) => Promise<boolean>;
  /** Verifies an event that names an order, where that costs a request; refuses whoever sent too many forged ones. */
  limitForged: (orderNumber: string, isGenuine: () => Promise<boolean>) => Promise<boolean>;
};

/** A provider's event about the payment of an order. `id` is the event's, `reference` the payment's. */
export type Payment = {
  id: string;
  kind: "paid" | "failed";
  order: DueOrder;
  /** What a refund has to name. */
  reference: string;
  /** Minor units. */
  amount: number;
  /** ISO 4217, upper case. */
  currency: string;
};

/** A payment is recorded under its own id, however many events report it, and a failure under its event's id. */
export const recordedIdOf = ({ kind, id, reference }: Payment): string => (kind === "paid" ? reference : id);

/** Which time a refund was asked for: `failures` came before. */
export type RefundAttempt = { refundId: number; orderNumber: string; failures: number };

/** A provider's event that a refund failed which it had accepted: the money did not reach the buyer. */
export type RefundFailure = RefundAttempt & { id: string; kind: "refund_failed"; reason: string | null };

export type PaymentEvent = Payment | RefundFailure;

/** Money back: `id` is ours and the same when the attempt is asked for again, so that it is paid once. */
type RefundRequest = RefundAttempt & { id: string; reference: string; amount: number; currency: string };

/** A payment service behind one face. What it cannot do for now it throws as `unavailable`. */
export type PaymentProvider = {
  name: ProviderName;
  /** Opens a payment for an order that is about to be written. */
  open(order: PayableOrder): Promise<OpenedPayment>;
  /** Reads a webhook after verifying that the provider sent it; null when it is not about the payment of an order. */
  readEvent(request: Request, reading: EventReading): Promise<PaymentEvent | null>;
  /** Closes the payment page that `open` opened, so that nobody can pay there any more. */
  close(reference: string): Promise<void>;
  /** Answers the provider's name for the refund; throws `RefundFailed` where it was accepted and did not go through. */
  refund(request: RefundRequest): Promise<string>;
};

/** 503 for a provider that does not answer. `cause` is logged and never sent to the client; it must hold no secret. */
export const providerUnreachable = (provider: string, cause: string): ApiError =>
  Object.assign(providerUnavailable(provider), { cause: new Error(cause) });

/** The provider accepted a refund and could not carry it out. */
export class RefundFailed extends Error {}

/** Transient statuses: an equal request may succeed later. 409 is a request under the same key that is under way. */
export const isTransient = (status: number): boolean => status >= 500 || status === 429 || status === 409;
