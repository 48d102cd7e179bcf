import { DurableObject } from "cloudflare:workers";
import type { EventType } from "../domain/event-types.ts";
import type { DeliveriesQuery } from "../integrations/webhooks/admin-schemas.ts";
import type { DeliveryLoop, FindEndpoint } from "../integrations/webhooks/delivery/loop.ts";
import type {
  EndpointHealth,
  EndpointId,
  NewReplay,
  StoredDeliveries,
} from "../integrations/webhooks/delivery/rows.ts";
import { onFirstUse } from "../platform/http/on-first-use.ts";

/** The delivery modules, shared by all endpoints of an isolate. */
export const deliveryModules = {
  loop: onFirstUse(() => import("../integrations/webhooks/delivery/loop.ts")),
  webhook: onFirstUse(() => import("../integrations/webhooks/delivery/webhook.ts")),
  agent: onFirstUse(() => import("../ucp/order-webhook.ts")),
};

const findEndpoint: FindEndpoint = async (env, id) =>
  typeof id === "number"
    ? (await deliveryModules.webhook()).findWebhookEndpoint(env, id)
    : (await deliveryModules.agent()).findAgentEndpoint(env, id);

/**
 * Durable Object of one endpoint of deliveries. A webhook's object follows the events with its own cursor. Its code is
 * loaded on the first call. An alarm is set whenever a delivery is due, so work interrupted by a crash is repeated.
 */
export class WebhookEndpoint extends DurableObject<Env> {
  #loop: DeliveryLoop | undefined;

  /** Signals new events or a changed endpoint. Delivers nothing before returning. */
  async nudge(endpointId: EndpointId): Promise<void> {
    await (await this.#load()).nudge(endpointId);
  }

  override async alarm(): Promise<void> {
    await (await this.#load()).run();
  }

  /** Lists deliveries of the types that the caller may read. */
  async deliveries(query: DeliveriesQuery, types: readonly EventType[]): Promise<StoredDeliveries> {
    return (await this.#load()).list(query, types);
  }

  async health(): Promise<EndpointHealth> {
    return (await this.#load()).health();
  }

  async retry(deliveryId: number, types: readonly EventType[]) {
    return (await this.#load()).retry(deliveryId, types);
  }

  async replay(endpointId: number, replay: NewReplay): Promise<boolean> {
    return (await this.#load()).replay(endpointId, replay);
  }

  async #load(): Promise<DeliveryLoop> {
    const { DeliveryLoop } = await deliveryModules.loop();
    this.#loop ??= new DeliveryLoop(this.ctx, this.env, findEndpoint);
    return this.#loop;
  }
}
