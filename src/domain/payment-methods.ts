export const paymentMethods = [
  "wallet",
  "credit_card",
  "paypal",
  "test_card",
  "bank_transfer",
  "invoice",
  "cash",
] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** Services that collect payments for the shop. `test` moves no money. */
export const paymentProviders = ["stripe", "paypal", "test"] as const;
export type ProviderName = (typeof paymentProviders)[number];

/** Providers whose accounts administrators connect. */
export const accountProviders = ["stripe", "paypal"] as const satisfies ProviderName[];
export type AccountProvider = (typeof accountProviders)[number];

/** The note in the history of an order that was paid at a provider in test mode. */
export const PAID_IN_TEST_MODE = "Paid in test mode: no money moved";

/** Accounts connected by administrators: true if live, false in test mode. */
export type ConnectedAccounts = { readonly [Name in AccountProvider]?: boolean };

/** Methods whose payments staff mark as received. */
export const manualMethods = ["bank_transfer", "invoice", "cash"] as const satisfies PaymentMethod[];
export type ManualMethod = (typeof manualMethods)[number];

export const isManualMethod = (method: PaymentMethod): method is ManualMethod =>
  manualMethods.some((manual) => manual === method);

/** Methods whose orders may ship before payment. */
export const laterMethods = ["invoice", "cash"] as const satisfies ManualMethod[];
export type LaterMethod = (typeof laterMethods)[number];

/** How a shop offers a method. Instructions and days matter for manual methods only. */
export type MethodSettings = {
  offered: boolean;
  /** True if guests may use the method, not only accounts. */
  guests: boolean;
  /** Payment instructions for the buyer. */
  instructions: string;
  /** Days in which an order can be paid. Unless it ships before payment, it then expires. */
  days: number;
  /** True if orders are processed while unpaid. Always false for methods that are not paid later. */
  ship_before_payment: boolean;
};

/** Settings by method. Methods that are missing have their initial settings. */
export type PaymentChoices = { readonly [Method in PaymentMethod]?: MethodSettings };

type Terms = {
  /** Name of the method in the panel. */
  label: string;
  /** Provider that collects the money once it is connected. Null for the wallet and manual methods. */
  provider: ProviderName | null;
  /** Minutes in which an unpaid order holds its stock. 0 if the method charges immediately. Null if the settings have days. */
  minutesToPay: number | null;
  /** Settings of a shop that saved none. */
  initial: MethodSettings;
};

const online = { offered: true, guests: true, instructions: "", days: 0, ship_before_payment: false } as const;

/** The terms of a method. Only manual methods have days to pay, and only some of them ship before payment. */
type TermsOf<Method extends PaymentMethod> = Terms & {
  minutesToPay: Method extends ManualMethod ? null : number;
  initial: { ship_before_payment: Method extends LaterMethod ? true : false };
};

export const paymentTerms: { readonly [Method in PaymentMethod]: TermsOf<Method> } = {
  wallet: { label: "wallet", provider: null, minutesToPay: 0, initial: { ...online, guests: false } },
  credit_card: { label: "credit card", provider: "stripe", minutesToPay: 30, initial: online },
  paypal: { label: "PayPal", provider: "paypal", minutesToPay: 30, initial: online },
  test_card: { label: "test card", provider: "test", minutesToPay: 30, initial: online },
  bank_transfer: {
    label: "bank transfer",
    provider: null,
    minutesToPay: null,
    initial: { ...online, days: 7 },
  },
  invoice: {
    label: "invoice",
    provider: null,
    minutesToPay: null,
    initial: { ...online, offered: false, guests: false, days: 14, ship_before_payment: true },
  },
  cash: {
    label: "cash",
    provider: null,
    minutesToPay: null,
    initial: { ...online, offered: false, days: 7, ship_before_payment: true },
  },
};

/** Methods whose provider charges the buyer again each period. */
export const renewingMethods: string[] = Object.entries(paymentTerms)
  .filter(([, { provider }]) => provider === "stripe")
  .map(([method]) => method);

export const settingsOf = (choices: PaymentChoices, method: PaymentMethod): MethodSettings => ({
  ...paymentTerms[method].initial,
  ...choices[method],
});

/** Minutes in which an order can be paid. 0 if it is paid immediately. */
export const minutesToPay = (choices: PaymentChoices, method: PaymentMethod): number =>
  paymentTerms[method].minutesToPay ?? settingsOf(choices, method).days * 24 * 60;

type PaidOrder = { paymentMethod: PaymentMethod; paymentProvider: string | null };

/** Payment method of an order that is paid later, such as "cash on delivery". */
export const laterLabel = (method: PaymentMethod): string =>
  method === "cash" ? "cash on delivery" : paymentTerms[method].label;

/** True if buyer and shop arrange the payment themselves, because no provider collects it. */
export const isPaidManually = ({ paymentMethod, paymentProvider }: PaidOrder): boolean =>
  paymentTerms[paymentMethod].provider !== null && paymentProvider === null;

/** Payment method in the panel and on paper. */
export const paymentLabel = (order: PaidOrder): string =>
  isPaidManually(order) ? "manual payment" : paymentTerms[order.paymentMethod].label;

/** Returns a stored address if a page may link to it: with HTTPS, or on the developer's own machine. */
export const webAddress = (url: string | null): string | null =>
  url !== null && /^https:\/\/|^http:\/\/localhost[:/]/.test(url) ? url : null;
