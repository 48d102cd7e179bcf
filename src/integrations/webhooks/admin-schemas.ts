import * as z from "zod";
import { eventTypeNames } from "../../domain/event-types.ts";
import {
  EndMoment,
  graceSeconds,
  IdText,
  iso,
  isoOrNull,
  Moment,
  partialUpdate,
  Timestamp,
} from "../../domain/fields.ts";
import { toRecord } from "../../domain/record.ts";
import { changeShape, newShape, type ResponseSchemas } from "../../platform/administration/fields.ts";
import { pauseReasons } from "../../platform/db/schema.ts";
import { afterIdField, pageFields, withoutPages } from "../../platform/http/pagination.ts";
import { type DeliveryRow, deliveryStates } from "./delivery/rows.ts";
import { messageIdOf, typePatterns, type WebhookRow, webhookFields } from "./endpoints.ts";

export const WebhookCreate = z.strictObject(newShape(webhookFields)).meta({ id: "WebhookCreate" });
export type WebhookCreate = z.output<typeof WebhookCreate>;

export const WebhookUpdate = partialUpdate("WebhookUpdate", changeShape(webhookFields));
export type WebhookUpdate = z.output<typeof WebhookUpdate>;

export const SecretRotation = z.strictObject({
  grace_seconds: graceSeconds(24 * 60 * 60).describe(
    "Grace period in seconds, during which deliveries are also signed with the previous secret",
  ),
});
export type SecretRotation = z.output<typeof SecretRotation>;

export const Webhook = z
  .object({
    id: z.int(),
    url: z.string(),
    types: z.array(z.enum(typePatterns)),
    description: z.string().nullable(),
    enabled: z.boolean(),
    pause_reason: z
      .enum(pauseReasons)
      .nullable()
      .describe("Reason why deliveries were paused automatically: five days without a success, or a 410 response"),
    previous_secret_expires_at: Timestamp.nullable().describe(
      "Time until which deliveries are also signed with the previous secret",
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  } satisfies ResponseSchemas<typeof webhookFields>)
  .meta({ id: "Webhook" });

/** A webhook in the administration API, as of `now`. */
export const toWebhook = (row: WebhookRow, now: number): z.output<typeof Webhook> =>
  toRecord(Webhook, row, {
    previous_secret_expires_at: (row.previousExpiresAt ?? 0) > now ? isoOrNull(row.previousExpiresAt) : null,
  });

/** Response that shows the signing secret, once. */
export const WebhookWithSecret = z
  .object({ ...Webhook.shape, secret: z.string().describe("Signing secret (`whsec_…`), shown only once") })
  .meta({ id: "WebhookWithSecret" });

export type WebhookWithSecret = WebhookRow & { secret: string };

export const toWebhookWithSecret = ({ secret, ...row }: WebhookWithSecret): z.output<typeof WebhookWithSecret> => ({
  ...toWebhook(row, row.updatedAt),
  secret,
});

export const DeliveriesQuery = z
  .strictObject({
    ...pageFields,
    ...afterIdField,
    state: z.enum(deliveryStates).optional(),
  })
  .refine(...withoutPages);
export type DeliveriesQuery = z.output<typeof DeliveriesQuery>;

const MessageId = z
  .string()
  .describe("Value of the `webhook-id` header. Identical for all delivery attempts of an event");

export const Delivery = z
  .object({
    id: z.int(),
    event_id: z.int(),
    webhook_id: MessageId,
    type: z.enum(eventTypeNames),
    subject: z.string().describe("Resource that the event is about, such as `order:7`"),
    body: z.string().describe("Body of the request: the event as JSON, identical for all delivery attempts"),
    state: z.enum(deliveryStates),
    next_attempt_at: Timestamp.nullable().describe(
      "Time of the next delivery attempt. Null if the delivery is finished, or waits for an earlier delivery about the resource",
    ),
    attempts: z
      .array(
        z.object({
          at: Timestamp,
          status: z.int().nullable().describe("HTTP status of the response. Null if there was no response"),
          duration_ms: z.int(),
          error: z.string().nullable().describe("Reason of the failure. Null if the attempt succeeded"),
          answer: z.string().nullable().describe("First 2 KB of the response body"),
        }),
      )
      .describe("Delivery attempts, oldest first"),
    created_at: Timestamp,
  })
  .meta({ id: "Delivery" });

export const toDelivery = ({ attempts, ...row }: DeliveryRow): z.output<typeof Delivery> => ({
  id: row.id,
  event_id: row.event_id,
  webhook_id: messageIdOf(row.event_id),
  type: row.type,
  subject: row.subject,
  body: row.body,
  state: row.state,
  next_attempt_at: isoOrNull(row.due_at),
  attempts: attempts.map(({ at, ...attempt }) => ({ at: iso(at), ...attempt })),
  created_at: iso(row.created_at),
});

export const DeliveryParam = z.object({ id: IdText, delivery: IdText });

export const Replay = z
  .strictObject({
    from: Moment.describe("Start of the period: a time, or a day from its beginning (UTC)"),
    to: EndMoment.describe("End of the period: before this time, or until the end of this day (UTC)"),
    types: webhookFields.types.schema
      .optional()
      .describe("Event types to send. Defaults to all types that the webhook subscribes to"),
  })
  .refine(({ from, to }) => !(from >= to), { path: ["to"], error: "must be after the start" });
export type Replay = z.output<typeof Replay>;

export const WebhookTestResult = z
  .object({ event_id: z.int(), webhook_id: MessageId })
  .meta({ id: "WebhookTestResult" });
