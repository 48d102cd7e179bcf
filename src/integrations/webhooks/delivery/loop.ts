import type { EventType } from "../../../domain/event-types.ts";
import type { PauseReason } from "../../../platform/db/schema.ts";
import { logFault } from "../../../platform/http/log.ts";
import { type Resolver, refusalOf } from "../../../platform/http/outbound.ts";
import { readSettings } from "../../../platform/settings/settings.ts";
import type { DeliveriesQuery } from "../admin-schemas.ts";
import { LAST_DELAY } from "../schedule.ts";
import { recordAttempt } from "./record-attempt.ts";
import { beginReplay, readStoredDeliveries } from "./replays.ts";
import type { Attempt, Due, EndpointId, NewReplay } from "./rows.ts";
import type { CheckWebhookAddress } from "./send.ts";
import { DeliveryStore, deleteOld, dropUnsubscribed, ObjectSql } from "./store.ts";

/**
 * Maximum concurrent requests to the endpoint: one less than the platform's connection limit, which leaves one for reading
 * events.
 */
const AT_ONCE = 5;

/** Limits on a run's duration and number of deliveries: the platform ends longer ones. The next run follows immediately. */
const RUN_MS = 60_000;
const MOST_SENT = 5_000;

/** While more deliveries than this are due, no more events are read. */
const ENOUGH_DUE = 1_000;

/** How long a resolved name is assumed to keep its addresses. */
const FRESH_MS = 10_000;

/** The receiver of an object's deliveries, as of a read. */
export type Endpoint = {
  enabled: boolean;
  updatedAt: number;
  /** Types that it may be sent. Pending deliveries of other types end. */
  types: readonly EventType[];
  /** Stores new deliveries. Returns true if there may be more. */
  pull: (store: DeliveryStore) => Promise<boolean>;
  attempt: (delivery: Due, check: CheckWebhookAddress) => Promise<Attempt>;
  /** Ends its deliveries after a 410 response or days of failures. */
  pause: (reason: PauseReason) => Promise<void>;
};

/** Reads an endpoint. Undefined if it no longer exists, which deletes its object's data. */
export type FindEndpoint = (env: Env, id: EndpointId) => Promise<Endpoint | undefined>;

/** Delivers what is due to one endpoint while reading new events. Neither waits for the other. */
export class DeliveryLoop {
  readonly #ctx: DurableObjectState;
  readonly #env: Env;
  readonly #find: FindEndpoint;
  readonly #store: DeliveryStore;
  readonly #check = rememberedAddressCheck(() => readSettings(this.#env).webhooks);

  #run: Promise<void> | undefined;
  readonly #sending = new Set<number>();
  #reading = false;
  /** True if there may be unread events or unread changes to the endpoint. */
  #nudged = false;
  /** True if there may be more events than were read. */
  #behind = false;
  #endpoint: Endpoint | undefined;
  /** Version of the endpoint that pending deliveries were last checked against. */
  #dropped: number | undefined;
  #fault: unknown;
  #wake = () => {};

  constructor(ctx: DurableObjectState, env: Env, find: FindEndpoint) {
    this.#ctx = ctx;
    this.#env = env;
    this.#find = find;
    this.#store = new DeliveryStore(new ObjectSql(ctx.storage));
  }

  async nudge(endpointId: EndpointId): Promise<void> {
    this.#store.open(endpointId);
    this.#nudged = true;
    if (this.#run) this.#wake();
    else await this.#ctx.storage.setAlarm(Date.now());
  }

  list = (query: DeliveriesQuery, types: readonly EventType[]) => readStoredDeliveries(this.#store.sql, query, types);

  health = () => this.#store.health;

  async retry(deliveryId: number, types: readonly EventType[]) {
    const outcome = this.#store.retry(deliveryId, types, Date.now());
    if (outcome === "due" && !this.#run) await this.#ctx.storage.setAlarm(Date.now());
    this.#wake();
    return outcome;
  }

  async replay(endpointId: number, replay: NewReplay): Promise<boolean> {
    this.#store.open(endpointId);
    const begins = beginReplay(this.#store.sql, replay, Date.now());
    await this.nudge(endpointId);
    return begins;
  }

  /** Runs until nothing is due or the time limit is reached. Concurrent callers wait for the current run. */
  run(): Promise<void> {
    this.#run ??= this.#deliver();
    return this.#run;
  }

  async #deliver(): Promise<void> {
    const endsAt = Date.now() + RUN_MS;
    let sent = 0;
    // An agent's data is deleted while the agent has no webhook, and the object may be nudged again.
    this.#store.createTables();
    this.#nudged = true;
    // The endpoint may have changed since the last run, so it is read again before anything is sent.
    this.#endpoint = undefined;
    this.#fault = undefined;
    for (;;) {
      const goesOn = this.#fault === undefined && Date.now() < endsAt && sent < MOST_SENT;
      if (goesOn) {
        this.#read();
        sent += this.#sendDue();
      }
      if (!this.#reading && this.#sending.size === 0) break;
      await this.#change(goesOn);
    }
    // No await between these lines: a nudge finds either the run or the alarm that is set after it.
    this.#run = undefined;
    if (this.#fault !== undefined) throw this.#fault;
    await this.#sleep();
  }

  /** Waits until a request or a read has ended, the object was nudged, or the next delivery is due. */
  async #change(untilDue: boolean): Promise<void> {
    const dueAt = untilDue ? this.#store.nextDueAt() : null;
    const changed = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    const timer = dueAt !== null && dueAt > Date.now() ? setTimeout(this.#wake, dueAt - Date.now()) : undefined;
    await changed;
    clearTimeout(timer);
  }

  #read(): void {
    const now = Date.now();
    if (this.#reading || !(this.#nudged || (this.#behind && !this.#store.isDue(ENOUGH_DUE, now)))) return;
    [this.#nudged, this.#behind, this.#reading] = [false, false, true];
    void this.#inRun(this.#readEvents(now), () => {
      this.#reading = false;
    });
  }

  async #readEvents(now: number): Promise<void> {
    const id = this.#store.state?.endpoint_id;
    this.#endpoint = id === undefined ? undefined : await this.#find(this.#env, id);
    if (!this.#endpoint) return;
    this.#dropUnsubscribed(this.#endpoint, now);
    deleteOld(this.#store, now);
    if (!this.#endpoint.enabled) this.#store.resetBackoff(now);
    else this.#behind = this.#store.isDue(ENOUGH_DUE, now) || (await this.#endpoint.pull(this.#store));
  }

  #dropUnsubscribed({ types, updatedAt }: Endpoint, now: number): void {
    if (this.#dropped !== updatedAt) dropUnsubscribed(this.#store, types, now);
    this.#dropped = updatedAt;
  }

  #sendDue(): number {
    const endpoint = this.#endpoint;
    if (!endpoint?.enabled) return 0;
    const due = this.#store.due(Date.now(), AT_ONCE + this.#sending.size).filter(({ id }) => !this.#sending.has(id));
    const begun = due.slice(0, AT_ONCE - this.#sending.size);
    for (const delivery of begun) {
      this.#sending.add(delivery.id);
      void this.#inRun(this.#send(endpoint, delivery), () => this.#sending.delete(delivery.id));
    }
    return begun.length;
  }

  async #send(endpoint: Endpoint, delivery: Due): Promise<void> {
    const made = await endpoint.attempt(delivery, this.#check).catch(failedAttempt);
    const verdict = recordAttempt(this.#store, delivery.id, made, Date.now(), Math.random());
    const reason = made.status === 410 ? "gone" : verdict === "pause" ? "failing" : null;
    if (reason === null || this.#endpoint?.updatedAt !== endpoint.updatedAt || !this.#endpoint.enabled) return;
    this.#endpoint = { ...endpoint, enabled: false };
    await endpoint.pause(reason);
    this.#nudged = true;
  }

  /** A fault ends the run after work in progress has finished. The platform then repeats the alarm. */
  async #inRun(work: Promise<void>, ended: () => void): Promise<void> {
    try {
      await work;
    } catch (error) {
      logFault("webhook deliveries interrupted", error);
      this.#fault = error;
    }
    ended();
    this.#wake();
  }

  /** Deletes all data of a deleted endpoint. A paused endpoint checks once a day whether it was deleted. */
  async #sleep(): Promise<void> {
    const { storage } = this.#ctx;
    if (!this.#endpoint) {
      await storage.deleteAlarm();
      return storage.deleteAll();
    }
    const now = Date.now();
    const dueAt = this.#endpoint.enabled ? this.#store.nextDueAt() : null;
    await storage.setAlarm(
      this.#nudged || this.#behind ? now : Math.min(dueAt ?? Number.POSITIVE_INFINITY, now + LAST_DELAY),
    );
  }
}

/** A message that cannot be made, such as one about a broken row, delays no other. */
function failedAttempt(error: unknown): Attempt {
  logFault("message could not be built", error);
  const made = { at: Date.now(), durationMs: 0, status: null, answer: null, retryAfter: null };
  return { ...made, error: "The message could not be made" };
}

/** Checks the webhook's URL before each attempt. Resolves its name again if the last time was ten seconds ago. */
export function rememberedAddressCheck(resolver: () => Resolver): CheckWebhookAddress {
  let last: { url: string; at: number; refusal: string | null } | undefined;
  return async (url) => {
    const at = Date.now();
    if (last?.url !== url || at - last.at >= FRESH_MS) last = { url, at, refusal: await refusalOf(url, resolver()) };
    return last.refusal;
  };
}
