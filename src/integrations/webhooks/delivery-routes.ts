import { Hono } from "hono";
import { IdParam, Nothing } from "../../domain/fields.ts";
import type { AppEnv } from "../../platform/auth/app-env.ts";
import { administer } from "../../platform/auth/gates.ts";
import { list, noContent } from "../../platform/http/envelope.ts";
import { pageOf } from "../../platform/http/pagination.ts";
import { answersNothing, lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { DeliveriesQuery, Delivery, DeliveryParam, Replay, toDelivery } from "./admin-schemas.ts";
import { listDeliveries, replayEvents, retryDelivery } from "./deliveries.ts";
import { requireWebhook, webhookContextOf } from "./write.ts";

export const deliveriesAdmin = new Hono<AppEnv>()
  .get(
    "/webhooks/:id/deliveries",
    administer("webhooks:read"),
    validate("param", IdParam),
    validate("query", DeliveriesQuery),
    lists("listDeliveries", "List the deliveries of a webhook", Delivery),
    async (c) => {
      const query = c.req.valid("query");
      const webhook = await requireWebhook(c.var, c.req.valid("param").id);
      const { rows, totalItems, totalIsExact, next } = await listDeliveries(webhookContextOf(c), webhook, query);
      return list(c, "Deliveries", rows.map(toDelivery), pageOf(query, totalItems, totalIsExact, next));
    },
  )
  .post(
    "/webhooks/:id/deliveries/:delivery/retry",
    administer("webhooks:write"),
    idempotent,
    validate("param", DeliveryParam),
    validate("json", Nothing),
    answersNothing("retryDelivery", "Retry a delivery", { refuses: [409] }),
    async (c) => {
      const { id, delivery } = c.req.valid("param");
      await once(c, {}, (author) => retryDelivery(webhookContextOf(c), id, delivery, author));
      return noContent(c);
    },
  )
  .post(
    "/webhooks/:id/replay",
    administer("webhooks:write"),
    idempotent,
    validate("param", IdParam),
    validate("json", Replay),
    answersNothing("replayEvents", "Replay events to a webhook", { refuses: [409] }),
    async (c) => {
      const sent = c.req.valid("json");
      const { id } = c.req.valid("param");
      await once(c, sent, (author) => replayEvents(webhookContextOf(c), id, sent, author));
      return noContent(c);
    },
  );
