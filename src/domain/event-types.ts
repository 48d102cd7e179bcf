type EventDeclaration =
  | { readers: "orders" | "packages"; email: string | null }
  | { readers: "products" | "users" | "files" | "metrics" | "webhooks" | null };

/**
 * Every event type. `readers` is the resource whose permission to read it requires, and null means administrators only. `email`
 * is the template of the e-mail that the buyer gets, for events of orders. Events are written by the triggers in
 * src/integrations/events/guards.sql.
 */
export const eventTypes = {
  "order.created": { readers: "orders", email: "order_confirmation" },
  "order.edited": { readers: "orders", email: "order_edited" },
  "order.paid": { readers: "orders", email: "payment_received" },
  "order.payment_failed": { readers: "orders", email: "payment_failed" },
  "order.disputed": { readers: "orders", email: null },
  // The e-mail is about the parcel.
  "order.shipped": { readers: "orders", email: null },
  "order.completed": { readers: "orders", email: null },
  "order.cancelled": { readers: "orders", email: "order_cancelled" },
  "order.expired": { readers: "orders", email: "order_expired" },
  "shipment.created": { readers: "orders", email: "order_shipped" },
  "refund.created": { readers: "orders", email: null },
  "refund.succeeded": { readers: "orders", email: "refund_sent" },
  "refund.failed": { readers: "orders", email: null },
  "return.requested": { readers: "orders", email: "return_requested" },
  "return.approved": { readers: "orders", email: "return_approved" },
  "return.in_transit": { readers: "orders", email: null },
  "return.received": { readers: "orders", email: null },
  "return.settled": { readers: "orders", email: null },
  "return.declined": { readers: "orders", email: "return_declined" },
  "product.created": { readers: "products" },
  "product.updated": { readers: "products" },
  "product.deleted": { readers: "products" },
  "product.stock_low": { readers: "products" },
  "product.sold_out": { readers: "products" },
  "product.back_in_stock": { readers: "products" },
  "stock.changed": { readers: "products" },
  "package.granted": { readers: "packages", email: "downloads_ready" },
  "package.revoked": { readers: "packages", email: null },
  "package.exhausted": { readers: "packages", email: null },
  "license_key.created": { readers: "packages", email: "downloads_ready" },
  "license_key.revoked": { readers: "packages", email: null },
  "gift_card.created": { readers: "orders", email: "downloads_ready" },
  "subscription.created": { readers: "orders", email: null },
  "subscription.updated": { readers: "orders", email: "subscription_cancelled" },
  "subscription.renewing": { readers: "orders", email: "subscription_renewing" },
  "subscription.payment_failed": { readers: "orders", email: "renewal_failed" },
  "subscription.cancelled": { readers: "orders", email: null },
  "user.created": { readers: "users" },
  "user.updated": { readers: "users" },
  "user.deleted": { readers: "users" },
  "file.created": { readers: "files" },
  "file.updated": { readers: "files" },
  "api_key.created": { readers: null },
  "api_key.rotated": { readers: null },
  "api_key.revoked": { readers: null },
  "api_key.expiring": { readers: null },
  "api_key.unused": { readers: null },
  "app.uninstalled": { readers: null },
  "system.alert_raised": { readers: "metrics" },
  "system.alert_resolved": { readers: "metrics" },
  "webhook.test": { readers: "webhooks" },
} as const satisfies Record<string, EventDeclaration>;

export type EventType = keyof typeof eventTypes;

const isEventType = (name: string): name is EventType => name in eventTypes;

export const eventTypeNames = Object.keys(eventTypes).filter(isEventType);

export const nounOf = (type: string): string => type.slice(0, type.indexOf("."));

/** Selects types by patterns: `*`, all types of a noun such as `order.*`, or one type. */
export const matchingTypes = (patterns: readonly string[], types: readonly EventType[] = eventTypeNames): EventType[] =>
  types.filter((type) => [type, `${nounOf(type)}.*`, "*"].some((pattern) => patterns.includes(pattern)));

/** Templates of the e-mails to buyers by the type of their event. */
export const emailOfEvent = Object.fromEntries(
  Object.entries(eventTypes).flatMap(([type, declared]) =>
    "email" in declared && declared.email !== null ? [[type, declared.email] as const] : [],
  ),
);

type EventEmail<Type> = Type extends { email: infer Name extends string } ? Name : never;

/** A template of an e-mail to buyers about an event. */
export type OrderEmail = EventEmail<(typeof eventTypes)[EventType]>;
