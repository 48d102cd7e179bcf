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
