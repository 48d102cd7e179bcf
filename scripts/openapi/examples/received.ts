import { text } from "node:stream/consumers";
import { type EventType, eventTypeNames } from "../../../src/domain/event-types.ts";
import { listen } from "../../listen.ts";
import type { Shop } from "./shop.ts";

/** Subscribes a receiver to every event type, sends it the events since `from`, and records the first event of each type that it receives. */
export async function receiveEvents(shop: Shop, as: string, from: string) {
  const { url, close } = await listen(async (request, response) => {
    const event = JSON.parse(await text(request));
    shop.recordEvent(event);
    // Derived from another example, because no example waits 90 days for an unused key.
    if (event.type === "api_key.expiring") shop.recordEvent({ ...event, type: "api_key.unused" });
    if (event.type === "api_key.revoked") {
      // No example installs an app from another site.
      const data = { client_id: "https://app.example/client.json", installation_id: event.data.api_key_id };
      shop.recordEvent({ ...event, type: "app.uninstalled", data });
    }
    response.end();
  });
  const { id } = await shop.ask("createWebhook", { as, body: { url, types: ["*"] } });
  const to = new Date().toISOString();
  await shop.ask("replayWebhookEvents", { as, path: { id }, body: { from, to } });
  return {
    /** Event types that were not received in time. */
    missing: async (): Promise<EventType[]> => {
      const open = () => eventTypeNames.filter((type) => shop.recorded.webhooks[type] === undefined);
      for (let tries = 0; open().length > 0 && tries < 600; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return open();
    },
    close,
  };
}
