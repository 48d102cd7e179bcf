/**
 * Every event type with the resource that a reader must see as staff do. Null is for administrators only. The triggers
 * in src/integrations/events/guards.sql write events.
 */
export const eventTypes = {
  "order.created": "orders",
  "order.edited": "orders",
  "order.paid": "orders",
  "order.payment_failed": "orders",
  "order.disputed": "orders",
  "order.shipped": "orders",
  "order.completed": "orders",
  "order.cancelled": "orders",
  "order.expired": "orders",
  "shipment.created": "orders",
  "refund.created": "orders",
  "refund.succeeded": "orders",
  "refund.failed": "orders",
  "return.requested": "orders",
  "return.approved": "orders",
  "return.in_transit": "orders",
  "return.received": "orders",
  "return.settled": "orders",
  "return.declined": "orders",
  "product.created": "products",
  "product.updated": "products",
  "product.deleted": "products",
  "product.stock_low": "products",
  "product.sold_out": "products",
  "product.back_in_stock": "products",
  "stock.changed": "products",
  "package.granted": "packages",
  "package.revoked": "packages",
  "package.exhausted": "packages",
  "license_key.created": "packages",
  "license_key.revoked": "packages",
  "gift_card.created": "orders",
  "subscription.created": "orders",
  "subscription.updated": "orders",
  "subscription.renewing": "orders",
  "subscription.payment_failed": "orders",
  "subscription.cancelled": "orders",
  "user.created": "users",
  "user.updated": "users",
  "user.deleted": "users",
  "file.created": "files",
  "file.updated": "files",
  "api_key.created": null,
  "api_key.rotated": null,
  "api_key.revoked": null,
  "api_key.expiring": null,
  "api_key.unused": null,
  "app.uninstalled": null,
  "system.alert_raised": "metrics",
  "system.alert_resolved": "metrics",
  "webhook.test": "webhooks",
} as const;

export type EventType = keyof typeof eventTypes;

const isEventType = (name: string): name is EventType => name in eventTypes;

export const eventTypeNames = Object.keys(eventTypes).filter(isEventType);

export const nounOf = (type: string): string => type.slice(0, type.indexOf("."));

/** Selects types by patterns: `*`, all types of a noun such as `order.*`, or one type. */
export const matchingTypes = (patterns: readonly string[], types: readonly EventType[] = eventTypeNames): EventType[] =>
  types.filter((type) => [type, `${nounOf(type)}.*`, "*"].some((pattern) => patterns.includes(pattern)));
