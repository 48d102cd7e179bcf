export const paymentMethods = ["wallet", "credit_card", "paypal"] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** Services that collect payments for the shop. */
export const paymentProviders = ["stripe", "paypal"] as const;
export type ProviderName = (typeof paymentProviders)[number];

type Terms = {
  /** Name of the method in the panel. */
  label: string;
  /** Provider that collects the money once its secrets are set. Null if an administrator marks payments as received. */
  provider: ProviderName | null;
  /** Minutes in which an unpaid order holds its stock. 0 if the method charges immediately. */
  minutesToPay: number;
};

export const paymentTerms: Record<PaymentMethod, Terms> = {
  wallet: { label: "wallet", provider: null, minutesToPay: 0 },
  credit_card: { label: "credit card", provider: "stripe", minutesToPay: 30 },
  paypal: { label: "PayPal", provider: "paypal", minutesToPay: 30 },
};

type PaidOrder = { paymentMethod: PaymentMethod; paymentProvider: string | null };

/** True if the buyer pays the shop by bank transfer or as they agree, because no provider collects the money. */
export const isPaidManually = ({ paymentMethod, paymentProvider }: PaidOrder): boolean =>
  paymentTerms[paymentMethod].provider !== null && paymentProvider === null;

/** How an order is paid, in the panel and on paper. */
export const paymentLabel = (order: PaidOrder): string =>
  isPaidManually(order) ? "manual payment" : paymentTerms[order.paymentMethod].label;
