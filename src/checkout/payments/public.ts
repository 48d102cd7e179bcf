export { requireRefundPayable } from "./amounts.ts";
export { authorizePayment, releasePayment } from "./authorizations.ts";
export { notifyOfEdit, notifyProvider } from "./notify-provider.ts";
export { payOrder } from "./pay.ts";
export type { OpenedPayment, PayableOrder, PaymentProvider } from "./provider.ts";
export { isPaidOnline, providerFor } from "./providers.ts";
export { connectedProviders, PaymentOption, paymentOptions } from "./settings.ts";
