import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { type EventType, eventTypeNames } from "../../src/domain/event-types.ts";
import { Timestamp } from "../../src/domain/fields.ts";
import { dataOf } from "../../src/integrations/events/schemas.ts";

/** Explains when an event of each type is written. */
const when: Record<EventType, string> = {
  "order.edited": "Sent when staff edit a placed order: its items, addresses, shipping or discounts",
  "order.created": "Sent when an order is placed",
  "order.paid": "Sent when an order is paid: by wallet, by a provider, or marked as paid by staff",
  "order.payment_failed": "Sent when a payment is declined. The buyer can try again until the order expires",
  "order.disputed": "Sent when a buyer disputes a payment at the bank. A lost dispute is a refund",
  "order.shipped": "Sent when all items of an order have been shipped",
  "order.completed": "Sent when an order is paid and has nothing to ship, or is marked as completed",
  "order.cancelled": "Sent when an order is cancelled",
  "order.expired": "Sent when an order expires because it was not paid in time",
  "shipment.created": "Sent when a parcel is shipped, with all or part of an order",
  "refund.created": "Sent when money will be returned, also for a payment that arrived too late or in another amount",
  "refund.succeeded": "Sent when a refund is paid out or accepted by the provider",
  "refund.failed": "Sent when the provider cannot carry out a refund",
  "return.requested": "Sent when a buyer requests a return, or declares withdrawal from the contract",
  "return.approved": "Sent when staff approve or create a return",
  "return.in_transit": "Sent when the goods of a return are on their way back",
  "return.received": "Sent when the goods of a return arrive",
  "return.settled": "Sent when a return is refunded, or its order ends",
  "return.declined": "Sent when staff decline a return",
  "product.created": "Sent when a product is created",
  "product.updated": "Sent when a product is edited. Stock changes by orders do not count as edits",
  "product.deleted": "Sent when a product is deleted",
  "product.stock_low": "Sent when the stock of a product falls to its `low_stock_threshold`",
  "product.sold_out": "Sent when a product goes out of stock",
  "product.back_in_stock": "Sent when a product is back in stock",
  "stock.changed":
    "Sent within two minutes after orders or adjustments changed the stock of a product or variant, once for all changes",
  "package.granted": "Sent when download access is granted: once for each line of a paid order, or by staff",
  "package.revoked": "Sent when download access is revoked",
  "package.exhausted": "Sent when the last download of a package is used",
  "license_key.created": "Sent for each license key of a paid order. The event does not contain the key",
  "gift_card.created": "Sent for each gift card of a paid order, and of staff. The event does not contain the code",
  "subscription.created": "Sent when the first period of a subscription is paid. Renewals are orders",
  "subscription.updated": "Sent when a subscription is cancelled, at once or for the end of its period, or resumed",
  "subscription.renewing": "Sent 40 days before a subscription renews, if its period is longer than that",
  "subscription.payment_failed":
    "Sent when a renewal is not paid. Access ends at `access_until` unless it is paid later",
  "subscription.cancelled": "Sent when a subscription has ended",
  "license_key.revoked": "Sent when a license key is revoked by a refund, an edit of its order, or staff",
  "user.created": "Sent when an account is created",
  "user.updated": "Sent when an account is edited",
  "user.deleted": "Sent when the personal data of an account is erased",
  "file.created": "Sent when a file is uploaded",
  "file.updated": "Sent when a file is edited, published or replaced by a new version",
  "api_key.created": "Sent when an API key is created",
  "api_key.rotated": "Sent when an API key is rotated",
  "api_key.revoked": "Sent when an API key is revoked",
  "api_key.expiring": "Sent when an API key expires within seven days",
  "app.uninstalled":
    "Sent to the webhooks of an app when it is removed from the shop. Nothing is sent to them afterwards",
  "api_key.unused": "Sent when an active API key has been unused for 90 days: once until it is used again",
  "system.alert_raised": "Sent when an alert is raised, such as a stuck queue",
  "system.alert_resolved": "Sent when the condition of an alert has been gone for ten minutes",
  "webhook.test": "Sent when a test of the webhook is requested",
};

const header = (name: string, description: string) => z.string().meta({ description, param: { id: name } });

const headers = z.object({
  "webhook-id": header("WebhookId", "Id of the event. Identical for all delivery attempts"),
  "webhook-timestamp": header("WebhookTimestamp", "Time at which this attempt was signed, in seconds since 1970"),
  "webhook-signature": header(
    "WebhookSignature",
    "Signature by Standard Webhooks 1.0: `v1,` and an HMAC-SHA256 in base64. Two signatures during the grace period of a rotated secret",
  ),
});

/** Webhook requests, one for each event type. */
export const webhooks: ZodOpenApiPathsObject = Object.fromEntries(
  eventTypeNames.map((type) => [
    type,
    {
      post: {
        operationId: type,
        summary: when[type],
        security: [],
        requestParams: { header: headers },
        requestBody: { required: true, content: { "application/json": { schema: payload(type) } } },
        responses: {
          "2XX": { description: "Return 2xx to acknowledge the event. Any other status is retried" },
          "410": { description: "Return 410 to stop deliveries. The webhook is paused" },
        },
      },
    },
  ]),
);

function payload(type: EventType) {
  return z.object({ type: z.literal(type), timestamp: Timestamp, data: dataOf(type) });
}
