import { text } from "node:stream/consumers";
import { listen } from "../../listen.ts";
import type { Shop } from "./shop.ts";

/** Manages a webhook: creates, tests, replays and rotates it. */
export async function manageWebhooks(shop: Shop): Promise<void> {
  const server = await listen(async (request, response) => {
    shop.recordEvent(JSON.parse(await text(request)));
    response.end("Thank you");
  });
  try {
    const body = { url: `${server.url}/webhooks`, types: ["order.paid", "order.shipped"], description: "Warehouse" };
    const { id } = await shop.record("createWebhook", { body });
    const it = { path: { id } };
    await shop.record("listWebhooks", { query: { per_page: "1" } });
    await shop.record("getWebhook", it);
    await shop.record("updateWebhook", { ...it, body: { types: ["order.*"] } });
    await shop.record("rotateWebhookSecret", { ...it, body: { grace_seconds: 3600 } });
    const { event_id } = await shop.record("testWebhook", { ...it, body: {} });
    const delivery = await delivered(shop, { as: shop.access.api_keys.premium, ...it }, event_id);
    await shop.record("listWebhookDeliveries", { ...it, query: { per_page: "1" } });
    await shop.record("retryWebhookDelivery", { ...it, path: { id, delivery }, body: {} });
    const [from, to] = ["2030-01-31T00:00:00Z", "2030-02-01T00:00:00Z"];
    await shop.record("replayWebhookEvents", { ...it, body: { from, to, types: ["order.paid"] } });
    await shop.record("deleteWebhook", it);
  } finally {
    server.close();
  }
}

/** The id of the delivery of an event, once it has arrived. */
async function delivered(shop: Shop, it: { as: string; path: { id: number } }, eventId: number): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const deliveries: { id: number; event_id: number; state: string }[] = await shop.ask("listWebhookDeliveries", it);
    const found = deliveries.find(({ event_id, state }) => event_id === eventId && state === "succeeded");
    if (found) return found.id;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The test was not delivered");
}
