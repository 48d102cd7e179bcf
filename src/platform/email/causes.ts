import type { EventType } from "../../domain/event-types.ts";
import type { TemplateName } from "./templates/index.ts";

/** The e-mails that a buyer gets, and the event that each is about. */
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

/** The e-mails that staff gets of the shop. */
const staffEmails = ["low_stock", "api_key_expiring", "webhook_paused"] as const satisfies TemplateName[];

export type StaffEmail = (typeof staffEmails)[number];
export type SwitchableEmail = keyof typeof orderEmails | StaffEmail;

/** Whether administrators may switch it off: never what protects an account. */
export const isSwitchable = (name: string): name is SwitchableEmail =>
  Object.hasOwn(orderEmails, name) || staffEmails.some((email) => email === name);
