/** What a provider has to know to take the money of an order. Minor units. */
export type PayableOrder = { number: string; total: number; currency: string; expiresAt: number };

/** A payment that was opened: its name at the provider, and where the buyer pays. */
export type OpenedPayment = { provider: ProviderName; reference: string; url: string };

export type ProviderName = "stripe" | "paypal";

/** What a provider says has happened to the payment of an order. `id` is the event's, `reference` the payment's. */
export type PaymentEvent = {
  id: string;
  kind: "paid" | "failed";
  orderNumber: string;
  /** What a refund has to name. */
  reference: string;
  /** Minor units. */
  amount: number;
  /** ISO 4217, upper case. */
  currency: string;
};

/** Money back: `id` is ours and the same when the refund is asked for again, so that it is paid once. */
type RefundRequest = { id: string; reference: string; amount: number; currency: string };

/** A payment service behind one face. What it cannot do for now it throws as `unavailable`. */
export type PaymentProvider = {
  name: ProviderName;
  /** Opens a payment for an order that is about to be written. */
  open(order: PayableOrder): Promise<OpenedPayment>;
  /** Reads a webhook after verifying that the provider sent it; null when it says nothing of an order's payment. */
  readEvent(request: Request): Promise<PaymentEvent | null>;
  /** Answers the provider's name for the refund. */
  refund(request: RefundRequest): Promise<string>;
};
