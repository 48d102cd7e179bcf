import type * as z from "zod";
import {
  customerInvitation,
  emailChange,
  emailChanged,
  emailProposed,
  emailVerification,
  erasureRequested,
  newSignIn,
  passwordChanged,
  passwordReset,
  twoFactorDisabled,
  twoFactorEnabled,
  twoFactorRemoved,
} from "../../accounts/users/emails.ts";
import {
  apiKeyExpiring,
  apiKeyUnused,
  healthAlert,
  lowStock,
  operationDeprecated,
  paymentAccountChanged,
  staffInvitation,
  staffNotification,
  webhookPaused,
} from "../../accounts/users/staff/emails.ts";
import { downloadsReady } from "../../checkout/orders/emails/downloads.ts";
import { draftSent } from "../../checkout/orders/emails/order.ts";
import {
  orderCancelled,
  orderConfirmation,
  orderEdited,
  orderExpired,
  orderShipped,
  paymentFailed,
  paymentReceived,
  refundSent,
} from "../../checkout/orders/emails/order-events.ts";
import {
  renewalFailed,
  subscriptionCancelled,
  subscriptionRenewing,
} from "../../checkout/orders/emails/subscriptions.ts";
import {
  returnApproved,
  returnDeclined,
  returnRequested,
  withdrawalReceived,
} from "../../checkout/orders/returns/emails.ts";

export const templates = {
  draft_order: draftSent,
  order_confirmation: orderConfirmation,
  order_edited: orderEdited,
  payment_received: paymentReceived,
  payment_failed: paymentFailed,
  order_shipped: orderShipped,
  downloads_ready: downloadsReady,
  subscription_renewing: subscriptionRenewing,
  renewal_failed: renewalFailed,
  subscription_cancelled: subscriptionCancelled,
  order_cancelled: orderCancelled,
  order_expired: orderExpired,
  refund_sent: refundSent,
  return_requested: returnRequested,
  return_approved: returnApproved,
  return_declined: returnDeclined,
  withdrawal_received: withdrawalReceived,
  staff_notifications: staffNotification,
  low_stock: lowStock,
  api_key_expiring: apiKeyExpiring,
  api_key_unused: apiKeyUnused,
  operation_deprecated: operationDeprecated,
  webhook_paused: webhookPaused,
  payment_account_changed: paymentAccountChanged,
  health_alert: healthAlert,
  staff_invitation: staffInvitation,
  customer_invitation: customerInvitation,
  email_verification: emailVerification,
  email_change: emailChange,
  email_proposed: emailProposed,
  email_changed: emailChanged,
  password_reset: passwordReset,
  password_changed: passwordChanged,
  erasure_requested: erasureRequested,
  new_sign_in: newSignIn,
  two_factor_enabled: twoFactorEnabled,
  two_factor_disabled: twoFactorDisabled,
  two_factor_removed: twoFactorRemoved,
};

export type TemplateName = keyof typeof templates;
export type Params<Name extends TemplateName> = z.input<(typeof templates)[Name]["params"]>;

export const isTemplate = (name: string): name is TemplateName => Object.hasOwn(templates, name);
