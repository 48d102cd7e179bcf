import { IdParam } from "../../domain/fields.ts";
import {
  DeliveriesQuery,
  DeliveryParam,
  Replay,
  SecretRotation,
  WebhookCreate,
  WebhookUpdate,
} from "../../integrations/webhooks/admin-schemas.ts";
import { replayWebhookEvents, requireDelivery, retryWebhookDelivery } from "../../integrations/webhooks/deliveries.ts";
import {
  changeWebhook,
  createWebhook,
  hostOf,
  removeWebhook,
  requireWebhook,
  rotateSecret,
  sendTest,
} from "../../integrations/webhooks/write.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { valid, validate } from "../../platform/http/validate.ts";
import { redirectWithFlash } from "../flash.ts";
import { kindsOf } from "../forms/conversion.ts";
import { number } from "../forms/kinds.ts";
import { readFilters } from "../forms/read-form.ts";
import { ViewedBy } from "../kit/allowed.tsx";
import { page } from "../page.tsx";
import { recordPages } from "../record-pages.ts";
import { readNames } from "../references.ts";
import { DeliveryPage, DeliveryTable, readDeliveries } from "./deliveries.tsx";
import { replayInputs, webhookPage } from "./detail-page.tsx";
import { newWebhookPage, SecretPage, webhookInputs, webhooksPage } from "./pages.tsx";

const WEBHOOKS_PATH = "/admin/webhooks";

const [reads, writes] = [administer("webhooks:read"), administer("webhooks:write")];

export const webhookPages = recordPages("/webhooks", {
  reads,
  writes,
  listPage: webhooksPage,
  newPage: newWebhookPage,
  rowPage: webhookPage,
  create: async (c, sent) => {
    const webhook = sent.read(WebhookCreate, kindsOf(webhookInputs));
    const created = await createWebhook({ ...writeContextOf(c), host: hostOf(c) }, webhook);
    return page(c, "Webhook created", <SecretPage webhook={created} />);
  },
  forms: {
    "": async (c, id, sent) => {
      const change = sent.readChange(WebhookUpdate, kindsOf(webhookInputs));
      await changeWebhook({ ...writeContextOf(c), host: hostOf(c) }, { id, change, ifMatch: sent.ifMatch });
      return "The webhook was saved.";
    },
    "/rotate": async (c, id, sent) => {
      const rotation = sent.read(SecretRotation, { grace_seconds: number });
      const webhook = await rotateSecret(writeContextOf(c), { id, ...rotation, ifMatch: sent.ifMatch });
      return page(c, "Secret rotated", <SecretPage webhook={webhook} />);
    },
    "/delete": async (c, id, { ifMatch }) => {
      await removeWebhook(writeContextOf(c), { id, ifMatch });
      return redirectWithFlash(c, WEBHOOKS_PATH, "The webhook was deleted.");
    },
    "/test": async (c, id) => {
      await sendTest(writeContextOf(c), id);
      return "A test event is on its way.";
    },
    "/replay": async (c, id, sent) => {
      await replayWebhookEvents(writeContextOf(c), { id, ...sent.read(Replay, kindsOf(replayInputs)) });
      return "The events of that period will be sent again.";
    },
    "/deliveries/:delivery/retry": async (c, id) => {
      const { delivery: deliveryId } = valid(DeliveryParam, c.req.param());
      await retryWebhookDelivery(writeContextOf(c), { id, deliveryId });
      return "The event will be sent again.";
    },
  },
})
  .get("/webhooks/:id/deliveries", reads, validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    const webhook = await requireWebhook(c.var, id);
    const deliveries = await readDeliveries(c, webhook, readFilters(c, DeliveriesQuery).query);
    return c.html(
      <ViewedBy value={c.var.identity}>
        <DeliveryTable path={`${WEBHOOKS_PATH}/${id}`} deliveries={deliveries} />
      </ViewedBy>,
    );
  })
  .get("/webhooks/:id/deliveries/:delivery", reads, validate("param", DeliveryParam), async (c) => {
    const { id, delivery: deliveryId } = c.req.valid("param");
    const webhook = await requireWebhook(c.var, id);
    const delivery = await requireDelivery({ env: c.env, caller: c.var.caller }, webhook, deliveryId);
    const names = await readNames(c.var.db, [delivery.subject]);
    return page(c, "Delivery", <DeliveryPage webhook={webhook} delivery={delivery} names={names} />);
  });
