import { type Context, Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import {
  DeliveriesQuery,
  DeliveryParam,
  Replay,
  SecretRotation,
  WebhookCreate,
  WebhookUpdate,
} from "../../integrations/webhooks/admin-schemas.ts";
import {
  readHealth,
  replayWebhookEvents,
  requireDelivery,
  retryWebhookDelivery,
} from "../../integrations/webhooks/deliveries.ts";
import { listWebhooks, type WebhookRow } from "../../integrations/webhooks/endpoints.ts";
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
import { PageQuery, pageOf } from "../../platform/http/pagination.ts";
import { validate } from "../../platform/http/validate.ts";
import { redirectWithFlash } from "../flash.ts";
import { submit, submitForm, submitRow } from "../forms/attempt.ts";
import { type Failed, kindsOf } from "../forms/inputs.ts";
import { number } from "../forms/kinds.ts";
import { readFilters } from "../forms/read-form.ts";
import { ViewedBy } from "../kit/allowed.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { readNames } from "../references.ts";
import { DeliveryPage, DeliveryTable, readDeliveries } from "./deliveries.tsx";
import { deliveryFilters, replayInputs, WebhookPage } from "./detail-page.tsx";
import { type CheckedWebhook, NewWebhookPage, SecretPage, WebhooksPage, webhookInputs } from "./pages.tsx";

const WEBHOOKS_PATH = "/admin/webhooks";

const [reads, writes] = [administer("webhooks:read"), administer("webhooks:write")];

export const webhookPages = new Hono<PanelEnv>()
  .get("/webhooks", reads, async (c) => {
    const { query } = readFilters(c, PageQuery);
    const { rows, ...place } = await listWebhooks(c.var, query);
    const checked = await Promise.all(rows.map((row) => withHealth(c, row)));
    return page(c, "Webhooks", <WebhooksPage rows={checked} place={place} url={c.req.url} />);
  })
  .get("/webhooks/new", writes, (c) => newPage(c, null))
  .post(
    "/webhooks",
    writes,
    submitForm(newPage, async (c, sent) => {
      const webhook = await createWebhook(
        { ...writeContextOf(c), host: hostOf(c) },
        sent.read(WebhookCreate, kindsOf(webhookInputs)),
      );
      return page(c, "Webhook created", <SecretPage title="Webhook created" webhook={webhook} />);
    }),
  )
  .get("/webhooks/:id", reads, validate("param", IdParam), (c) => detailPage(c, c.req.valid("param").id, null))
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
  })
  .post(
    "/webhooks/:id",
    writes,
    submitRow(detailPage, async (c, id, sent) => {
      const change = sent.readChange(WebhookUpdate, kindsOf(webhookInputs));
      await changeWebhook({ ...writeContextOf(c), host: hostOf(c) }, { id, change, ifMatch: sent.ifMatch });
      return redirectWithFlash(c, `${WEBHOOKS_PATH}/${id}`, "The webhook was saved.");
    }),
  )
  .post(
    "/webhooks/:id/rotate",
    writes,
    submitRow(detailPage, async (c, id, sent) => {
      const rotation = sent.read(SecretRotation, { grace_seconds: number });
      const webhook = await rotateSecret(writeContextOf(c), { id, ...rotation, ifMatch: sent.ifMatch });
      return page(c, "Secret rotated", <SecretPage title="Secret rotated" webhook={webhook} />);
    }),
  )
  .post(
    "/webhooks/:id/delete",
    writes,
    submitRow(detailPage, async (c, id, sent) => {
      await removeWebhook(writeContextOf(c), { id, ifMatch: sent.ifMatch });
      return redirectWithFlash(c, WEBHOOKS_PATH, "The webhook was deleted.");
    }),
  )
  .post(
    "/webhooks/:id/test",
    writes,
    submitRow(detailPage, async (c, id) => {
      await sendTest(writeContextOf(c), id);
      return redirectWithFlash(c, `${WEBHOOKS_PATH}/${id}`, "A test event is on its way.");
    }),
  )
  .post(
    "/webhooks/:id/replay",
    writes,
    submitRow(detailPage, async (c, id, sent) => {
      await replayWebhookEvents(writeContextOf(c), { id, ...sent.read(Replay, kindsOf(replayInputs)) });
      return redirectWithFlash(c, `${WEBHOOKS_PATH}/${id}`, "The events of that period will be sent again.");
    }),
  )
  .post("/webhooks/:id/deliveries/:delivery/retry", writes, validate("param", DeliveryParam), (c) => {
    const { id, delivery } = c.req.valid("param");
    return submit(
      c,
      (failed) => detailPage(c, id, failed),
      async () => {
        await retryWebhookDelivery(writeContextOf(c), { id, deliveryId: delivery });
        return redirectWithFlash(c, `${WEBHOOKS_PATH}/${id}`, "The event will be sent again.");
      },
    );
  });

function newPage(c: Context<PanelEnv>, failed: Failed | null) {
  return page(c, "New webhook", <NewWebhookPage failed={failed} />);
}

const withHealth = async (c: Context<PanelEnv>, webhook: WebhookRow): Promise<CheckedWebhook> => ({
  ...webhook,
  health: await readHealth(c.env, webhook),
});

async function detailPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const webhook = await withHealth(c, await requireWebhook(c.var, id));
  const { query, form } = readFilters(c, DeliveriesQuery, deliveryFilters);
  const deliveries = await readDeliveries(c, webhook, query);
  const place = deliveries ?? pageOf(query, 0);
  const props = {
    webhook,
    deliveries,
    place,
    filters: { ...form, action: `${WEBHOOKS_PATH}/${id}` },
    url: c.req.url,
    failed,
  };
  return page(c, "Webhook", <WebhookPage {...props} now={Date.now()} />);
}
