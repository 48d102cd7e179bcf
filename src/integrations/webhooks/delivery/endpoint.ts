import { DurableObject } from "cloudflare:workers";
import type { EventType } from "../../../domain/event-types.ts";
import type { PageOf } from "../../../platform/db/page.ts";
import { onFirstUse } from "../../../platform/http/on-first-use.ts";
import type { DeliveriesQuery } from "../admin-schemas.ts";
import type { DeliveryLoop } from "./loop.ts";
import type { DeliveryRow, NewReplay } from "./rows.ts";

/** The module that delivers, which all endpoints of an isolate share. */
export const loadDeliveryLoop = onFirstUse(() => import("./loop.ts"));

/**
 * One object per endpoint of a webhook. It follows the events with a cursor of its own, and is evaluated with its first call.
 * An alarm is set whenever a delivery is due, so what a crash cuts off is repeated.
 */
export class WebhookEndpoint extends DurableObject<Env> {
  #loop: DeliveryLoop | undefined;

  /** There may be events for the endpoint, or it was changed. Nothing is delivered before this is answered. */
  async nudge(endpointId: number): Promise<void> {
    await (await this.#load()).nudge(endpointId);
  }

  override async alarm(): Promise<void> {
    await (await this.#load()).run();
  }

  /** Deliveries of the types that whoever asks may read. */
  async deliveries(query: DeliveriesQuery, types: readonly EventType[]): Promise<PageOf<DeliveryRow>> {
    return (await this.#load()).list(query, types);
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
