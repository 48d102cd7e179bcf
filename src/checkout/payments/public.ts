export { requireRefundPayable } from "./amounts.ts";
export { authorizePayment, releasePayment } from "./authorizations.ts";
export { findDueOrder, handlePaymentEvent } from "./handle-event.ts";
export { notifyOfEdit, notifyProvider } from "./notify-provider.ts";
export { payOrder } from "./pay.ts";
export type {
  Dispute,
  OpenedPayment,
  PaidInvoice,
  PayableOrder,
  PaymentProvider,
  ProviderSubscription,
} from "./provider.ts";
export { findProvider, isPaidOnline, providerFor } from "./providers.ts";
export { connectedProviders, PaymentOption, paymentOptions } from "./settings.ts";
