import { verifyWebhook, WebhookVerificationError } from "@storefront-worker/api/client";
import { Hono } from "hono";
import { dropCatalogue } from "../catalogue/kept.ts";
import type { AppEnv } from "../env.ts";
import { noteShipment } from "../orders/shipments.ts";

/** Receives the API's events. An event can arrive twice, so handling it must be repeatable. */
export const webhooks = new Hono<AppEnv>().post("/webhooks", async (c) => {
  const secrets = c.env.WEBHOOK_SECRET.split(",").filter(Boolean);
  const body = new Uint8Array(await c.req.arrayBuffer());
  const event = await verifyWebhook(body, c.req.raw.headers, secrets).catch((error: unknown) => {
    if (error instanceof WebhookVerificationError) return null;
    throw error;
  });
  if (!event) return c.body(null, 400);
  if (event.type === "order.shipped") await noteShipment(c, event.data.order_id);
  else if (event.type.startsWith("product.")) await dropCatalogue(c);
  return c.body(null, 204);
});
