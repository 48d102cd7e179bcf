import type { EventType } from "../../domain/event-types.ts";
import type { TemplateName } from "./templates/index.ts";

/** E-mails to buyers, with the event that each is about. */
export const orderEmails = {
  order_confirmation: "order.created",
  payment_received: "order.paid",
  payment_failed: "order.payment_failed",
  order_shipped: "shipment.created",
  downloads_ready: "package.granted",
  order_cancelled: "order.cancelled",
  order_expired: "order.expired",
  refund_sent: "refund.succeeded",
} as const satisfies Partial<Record<TemplateName, EventType>>;

/** E-mails to staff about the shop. */
const staffEmails = ["low_stock", "api_key_expiring", "webhook_paused"] as const satisfies TemplateName[];

export type StaffEmail = (typeof staffEmails)[number];
export type SwitchableEmail = keyof typeof orderEmails | StaffEmail;

/** True if administrators may switch it off. E-mails that protect an account are always sent. */
export const isSwitchable = (name: string): name is SwitchableEmail =>
  Object.hasOwn(orderEmails, name) || staffEmails.some((email) => email === name);
