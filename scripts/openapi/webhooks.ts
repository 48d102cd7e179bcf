import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { type EventType, eventTypeNames } from "../../src/domain/event-types.ts";
import { Timestamp } from "../../src/domain/fields.ts";
import { dataOf } from "../../src/integrations/events/schemas.ts";

/** When an event of each type is written. */
const when: Record<EventType, string> = {
  "order.created": "An order was placed",
  "order.paid": "An order was paid, by the wallet, a provider or by hand",
  "order.payment_failed": "A payment was refused; the buyer may try again until the order expires",
  "order.shipped": "All of an order was sent",
  "order.completed": "Nothing of an order is left to do",
  "order.cancelled": "An order was cancelled",
  "order.expired": "An order was not paid in time",
  "shipment.created": "A parcel was sent: all of an order, or a part of it",
  "refund.created": "Money is to go back",
  "refund.succeeded": "Money went back, or the provider accepted to send it",
  "refund.failed": "The provider could not send money back",
  "product.created": "A product was made",
  "product.updated": "A product was edited; what orders take from its stock is no update",
  "product.deleted": "A product was deleted",
  "product.stock_low": "Five pieces or fewer are left",
  "product.sold_out": "The last piece was sold",
  "product.back_in_stock": "There are pieces again",
  "package.granted": "Files may be downloaded",
  "package.revoked": "The right to download was taken back",
  "package.exhausted": "The last download was used",
  "user.created": "An account was opened",
  "user.updated": "An account was edited",
  "user.deleted": "The personal data of an account was erased",
  "file.created": "A file was uploaded",
  "file.updated": "A file was edited, published or got new content",
  "api_key.created": "An API key was made",
  "api_key.rotated": "An API key got a new value",
  "api_key.revoked": "An API key was revoked",
  "api_key.expiring": "An API key expires within seven days",
  "webhook.test": "Somebody asked for a test of this endpoint",
};

const header = (name: string, description: string) => z.string().meta({ description, param: { id: name } });

const headers = z.object({
  "webhook-id": header("WebhookId", "The event's: the same however often it is delivered"),
  "webhook-timestamp": header("WebhookTimestamp", "When this attempt was signed, in seconds since 1970"),
  "webhook-signature": header(
    "WebhookSignature",
    "`v1,` and an HMAC-SHA256 in base64, by Standard Webhooks 1.0; two of them while a secret is replaced",
  ),
});

/** What endpoints of webhooks are sent: a request for each type of event. */
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
          "2XX": { description: "It was received; any other answer is a failure, and it is sent again" },
          "410": { description: "Nothing is wanted here any more: the endpoint is disabled" },
        },
      },
    },
  ]),
);

function payload(type: EventType) {
  return z.object({ type: z.literal(type), timestamp: Timestamp, data: dataOf(type) });
}
