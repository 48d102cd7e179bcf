export const paymentMethods = ["wallet", "credit_card", "paypal"] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** The services that take money for the shop. */
export const paymentProviders = ["stripe", "paypal"] as const;
export type ProviderName = (typeof paymentProviders)[number];

type Terms = {
  /** The method's name in the panel. */
  label: string;
  /** Who takes the money once its secrets are set; with null an administrator marks what came as paid. */
  provider: ProviderName | null;
  /** How long an order waits to be paid and holds its stock; 0 pays at once. */
  minutesToPay: number;
};

export const paymentTerms: Record<PaymentMethod, Terms> = {
  wallet: { label: "wallet", provider: null, minutesToPay: 0 },
  credit_card: { label: "credit card", provider: "stripe", minutesToPay: 30 },
  paypal: { label: "PayPal", provider: "paypal", minutesToPay: 30 },
};
