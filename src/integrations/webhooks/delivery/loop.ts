import type { EventType } from "../../../domain/event-types.ts";
import { applyChange } from "../../../platform/administration/write-queries.ts";
import { connect } from "../../../platform/db/client.ts";
import type { PauseReason } from "../../../platform/db/schema.ts";
import { queueForAdministrators } from "../../../platform/email/switches.ts";
import { logFault } from "../../../platform/http/log.ts";
import { type Resolver, refusalOf } from "../../../platform/http/outbound.ts";
import { readSettings } from "../../../platform/settings/settings.ts";
import type { DeliveriesQuery } from "../admin-schemas.ts";
import { auditedWebhooks, findWebhook, typesSentTo, type WebhookRow } from "../endpoints.ts";
import { LAST_DELAY } from "../schedule.ts";
import { openSecrets } from "../secrets.ts";
import { recordAttempt } from "./record-attempt.ts";
import { beginReplay, pullEvents, readStoredDeliveries } from "./replays.ts";
import type { Due, NewReplay } from "./rows.ts";
import { attemptDelivery, type CheckWebhookAddress } from "./send.ts";
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

/** Delivers what is due to one endpoint while reading new events. Neither waits for the other. */
export class DeliveryLoop {
  readonly #ctx: DurableObjectState;
  readonly #env: Env;
  readonly #store: DeliveryStore;
  readonly #check = rememberedAddressCheck(() => readSettings(this.#env).webhooks);

  #run: Promise<void> | undefined;
  readonly #sending = new Set<number>();
  #reading = false;
  /** True if there may be unread events or unread changes to the endpoint. */
  #nudged = false;
  /** True if there may be more events than were read. */
  #behind = false;
  #endpoint: WebhookRow | undefined;
  /** Version of the endpoint that pending deliveries were last checked against. */
  #dropped: number | undefined;
  #fault: unknown;
  #wake = () => {};

  constructor(ctx: DurableObjectState, env: Env) {
    this.#ctx = ctx;
    this.#env = env;
    this.#store = new DeliveryStore(new ObjectSql(ctx.storage));
  }

  async nudge(endpointId: number): Promise<void> {
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
    const db = connect(this.#env.DB);
    const id = this.#store.state?.endpoint_id;
    this.#endpoint = id === undefined ? undefined : await findWebhook(db, id);
    if (!this.#endpoint) return;
    this.#dropUnsubscribed(this.#endpoint, now);
    deleteOld(this.#store, now);
    if (!this.#endpoint.enabled) this.#store.resetBackoff(now);
    else this.#behind = this.#store.isDue(ENOUGH_DUE, now) || (await pullEvents(db, this.#store, this.#endpoint));
  }

  #dropUnsubscribed({ types, updatedAt }: WebhookRow, now: number): void {
    if (this.#dropped !== updatedAt) dropUnsubscribed(this.#store, typesSentTo(types), now);
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

  async #send(endpoint: WebhookRow, delivery: Due): Promise<void> {
    const secrets = openSecrets(readSettings(this.#env).linkSecrets, endpoint, Date.now());
    const made = await attemptDelivery({ url: endpoint.url, secrets }, delivery, this.#check);
    const verdict = recordAttempt(this.#store, delivery.id, made, Date.now(), Math.random());
    const reason = made.status === 410 ? "gone" : verdict === "pause" ? "failing" : null;
    if (reason === null || this.#endpoint?.updatedAt !== endpoint.updatedAt || !this.#endpoint.enabled) return;
    this.#endpoint = { ...endpoint, enabled: false };
    await pauseEndpoint(this.#env, endpoint, reason);
    this.#nudged = true;
  }

  /** A fault ends the run after work in progress has finished. The platform then repeats the alarm. */
  async #inRun(work: Promise<void>, ended: () => void): Promise<void> {
    try {
      await work;
    } catch (error) {
      logFault("an endpoint of a webhook could not go on", error);
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

/** Disables an endpoint and notifies every administrator, unless it was changed in the meantime. Its cursor is kept. */
export async function pauseEndpoint(env: Env, endpoint: WebhookRow, reason: PauseReason): Promise<void> {
  const [db, now] = [connect(env.DB), Date.now()];
  const author = { actor: "system", address: null, requestId: crypto.randomUUID(), now };
  const decide = () => ({
    columns: { enabled: false, pauseReason: reason },
    statements: [queueForAdministrators("webhook_paused", { url: endpoint.url, reason }, now)],
  });
  const pause = { target: auditedWebhooks, action: "pause", before: endpoint, ifMatch: {}, decide };
  await applyChange({ db, author }, pause);
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
