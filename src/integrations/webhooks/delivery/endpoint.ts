import { DurableObject } from "cloudflare:workers";
import type { EventType } from "../../../domain/event-types.ts";
import { onFirstUse } from "../../../platform/http/on-first-use.ts";
import type { DeliveriesQuery } from "../admin-schemas.ts";
import type { DeliveryLoop } from "./loop.ts";
import type { EndpointHealth, NewReplay, StoredDeliveries } from "./rows.ts";

/** The delivery module, shared by all endpoints of an isolate. */
export const loadDeliveryLoop = onFirstUse(() => import("./loop.ts"));

/**
 * Durable Object of one webhook endpoint. It follows the events with its own cursor, and its code is loaded on the first
 * call. An alarm is set whenever a delivery is due, so work interrupted by a crash is repeated.
 */
export class WebhookEndpoint extends DurableObject<Env> {
  #loop: DeliveryLoop | undefined;

  /** Signals new events or a changed endpoint. Delivers nothing before returning. */
  async nudge(endpointId: number): Promise<void> {
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
    const { DeliveryLoop } = await loadDeliveryLoop();
    this.#loop ??= new DeliveryLoop(this.ctx, this.env);
    return this.#loop;
  }
}
