import { Hono } from "hono";
import { IdParam, Nothing } from "../../domain/fields.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { created, list, noContent, ok } from "../../platform/http/envelope.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { answers, answersNothing, creates, lists } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../platform/http/version.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import {
  DeliveriesQuery,
  Delivery,
  DeliveryParam,
  Replay,
  SecretRotation,
  toDelivery,
  toWebhook,
  toWebhookWithSecret,
  Webhook,
  WebhookCreate,
  WebhookTestResult,
  WebhookUpdate,
  WebhookWithSecret,
} from "./admin-schemas.ts";
import { listWebhookDeliveries, replayWebhookEvents, retryWebhookDelivery } from "./deliveries.ts";
import { listWebhooks, messageIdOf } from "./endpoints.ts";
import {
  changeWebhook,
  createWebhook,
  hostOf,
  removeWebhook,
  requireWebhook,
  rotateSecret,
  sendTest,
} from "./write.ts";

export const webhooksAdmin = new Hono<AppEnv>()
  .get(
    "/webhooks",
    administer("webhooks:read"),
    validate("query", PageQuery),
    lists("listWebhooks", "List webhooks", Webhook),
    async (c) => {
      const page = await listWebhooks(c.var, c.req.valid("query"));
      return list(c, "Webhooks", page, (row) => toWebhook(row, Date.now()));
    },
  )
  .post(
    "/webhooks",
    administer("webhooks:write"),
    idempotent,
    validate("json", WebhookCreate),
    creates("createWebhook", "Create a webhook", WebhookWithSecret, {
      refuses: { 400: ["url_taken"], 409: ["too_many_webhooks"] },
      description:
        "The caller must be allowed to read the `types`: events of orders and shipments need `orders:read`. Users must have authenticated in the last ten minutes, API keys need not.",
    }),
    async (c) => {
      const sent = c.req.valid("json");
      const webhook = await once(c, sent, (ctx) => createWebhook({ ...ctx, host: hostOf(c) }, sent));
      const location = `/api/v1/admin/webhooks/${webhook.id}` as const;
      return created(c, location, "Webhook created. Its secret is shown only once", toWebhookWithSecret(webhook));
    },
  )
  .get(
    "/webhooks/:id",
    administer("webhooks:read"),
    validate("param", IdParam),
    answers("getWebhook", "Get a webhook", Webhook, { headers: ["ETag"] }),
    async (c) => {
      const webhook = await requireWebhook(c.var, c.req.valid("param").id);
      return versioned(c, "Webhook", webhook, toWebhook(webhook, Date.now()));
    },
  )
  .put(
    "/webhooks/:id",
    administer("webhooks:write"),
    validateAll({ param: IdParam, header: IfMatch, json: WebhookUpdate }),
    answers("updateWebhook", "Update a webhook", Webhook, { refuses: { 400: ["url_taken"] }, headers: ["ETag"] }),
    async (c) => {
      const [{ id }, change, ifMatch] = [c.req.valid("param"), c.req.valid("json"), c.req.valid("header")];
      const webhook = await changeWebhook({ ...writeContextOf(c), host: hostOf(c) }, { id, change, ifMatch });
      return versioned(c, "Webhook updated", webhook, toWebhook(webhook, Date.now()));
    },
  )
  .delete(
    "/webhooks/:id",
    administer("webhooks:write"),
    validateAll({ param: IdParam, header: IfMatch }),
    answersNothing("deleteWebhook", "Delete a webhook"),
    async (c) => {
      await removeWebhook(writeContextOf(c), { id: c.req.valid("param").id, ifMatch: c.req.valid("header") });
      return noContent(c);
    },
  )
  .post(
    "/webhooks/:id/rotate",
    administer("webhooks:write"),
    idempotent,
    validateAll({ param: IdParam, header: IfMatch, json: SecretRotation }),
    answers("rotateWebhookSecret", "Rotate the secret of a webhook", WebhookWithSecret, { headers: ["ETag"] }),
    async (c) => {
      const [{ id }, ifMatch, sent] = [c.req.valid("param"), c.req.valid("header"), c.req.valid("json")];
      const webhook = await once(c, sent, (ctx) => rotateSecret(ctx, { id, ...sent, ifMatch }));
      return versioned(c, "Secret rotated. It is shown only once", webhook, toWebhookWithSecret(webhook));
    },
  )
  .post(
    "/webhooks/:id/test",
    administer("webhooks:write"),
    idempotent,
    validateAll({ param: IdParam, json: Nothing }),
    answers("testWebhook", "Send a test event to a webhook", WebhookTestResult, {
      refuses: { 409: ["webhook_disabled"] },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const event = await once(c, {}, (ctx) => sendTest(ctx, id));
      return ok(c, "Test event created", { event_id: event.id, webhook_id: messageIdOf(event.id) });
    },
  );

export const deliveriesAdmin = new Hono<AppEnv>()
  .get(
    "/webhooks/:id/deliveries",
    administer("webhooks:read"),
    validateAll({ param: IdParam, query: DeliveriesQuery }),
    lists("listWebhookDeliveries", "List the deliveries of a webhook", Delivery),
    async (c) => {
      const query = c.req.valid("query");
      const webhook = await requireWebhook(c.var, c.req.valid("param").id);
      const page = await listWebhookDeliveries({ env: c.env, caller: c.var.caller }, webhook, query);
      return list(c, "Deliveries", page, toDelivery);
    },
  )
  .post(
    "/webhooks/:id/deliveries/:delivery/retry",
    administer("webhooks:write"),
    idempotent,
    validateAll({ param: DeliveryParam, json: Nothing }),
    answersNothing("retryWebhookDelivery", "Retry a delivery", {
      description: "Sends one event again.",
      refuses: { 409: ["delivery_waits", "webhook_disabled"] },
    }),
    async (c) => {
      const { id, delivery } = c.req.valid("param");
      await once(c, {}, (ctx) => retryWebhookDelivery(ctx, { id, deliveryId: delivery }));
      return noContent(c);
    },
  )
  .post(
    "/webhooks/:id/replay",
    administer("webhooks:write"),
    idempotent,
    validateAll({ param: IdParam, json: Replay }),
    answersNothing("replayWebhookEvents", "Replay events to a webhook", {
      description: "Sends past events to a webhook again, which may repeat their effects at the receiver.",
      refuses: { 409: ["replay_pending", "webhook_disabled"] },
    }),
    async (c) => {
      const sent = c.req.valid("json");
      const { id } = c.req.valid("param");
      await once(c, sent, (ctx) => replayWebhookEvents(ctx, { id, ...sent }));
      return noContent(c);
    },
  );
