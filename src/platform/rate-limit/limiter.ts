import { DurableObject } from "cloudflare:workers";
import { tooManyRequests } from "../../domain/errors.ts";
import { storeReservation } from "./ask-limiter.ts";
import { type Count, takeAttempts } from "./counting.ts";
import { type AddressPolicy, NETWORK_FACTOR, type Policy, policies } from "./policies.ts";
import { RESERVED_MS, type ReservedState, ReservedWindow, SETTLE_MS, singleRequest } from "./reserved-window.ts";

/** Milliseconds between checks whether an object is still needed. */
const TIDY_MS = 120_000;

/**
 * The stored value of a window. `firstAt` is set if the object was restored from its alarm alone: then any other window may have
 * admitted one request at that time.
 */
type StoredWindow = ReservedState & { lengthMs: number; firstAt?: number };

/**
 * Exact sliding windows in a Durable Object, usually one. Empty windows are deleted.
 *
 * Most callers send one request and no more for a while. Each row that is written costs, and so does an object that waits, so the
 * alarm alone stands for the first request: its time says when that was. Nothing else is stored until a second request.
 */
export abstract class Limiter extends DurableObject<Env> {
  readonly #windows = new Map<string, ReservedWindow>();
  /** Windows whose only request is known by the time of the alarm. */
  readonly #unstored = new Map<string, ReservedWindow>();
  #hasStored = false;
  #alarmAt: number | null = null;
  /** The request that any window may have admitted before the object was restored from its alarm. */
  #firstAt: number | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      const stored = await ctx.storage.list<StoredWindow>();
      for (const [name, { lengthMs, firstAt, ...state }] of stored) {
        this.#windows.set(name, ReservedWindow.restore(lengthMs, Date.now(), state));
        this.#firstAt ??= firstAt;
      }
      this.#hasStored = stored.size > 0;
      this.#alarmAt = await ctx.storage.getAlarm();
    });
  }

  protected count(policy: Policy, name = "all", limit: number = policies[policy].limit, now = Date.now()): Count {
    const window = this.#window(policy, name, now);
    const { admitted, remaining, resetMs, write } = window.take(limit, now);
    if (write !== "none") this.#store(name, window, write === "ahead", now);
    return { policy, admitted, remaining, resetMs };
  }

  protected uncount(policy: Policy, name = "all"): void {
    const now = Date.now();
    const window = this.#window(policy, name, now);
    window.giveBack();
    this.#store(name, window, true, now);
  }

  protected isFull(policy: Policy, name: string, limit: number, now: number): boolean {
    return this.#window(policy, name, now).used(now) >= limit;
  }

  /** Stores the actual usage of windows whose last reservation has expired, and deletes empty windows. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    const empty = [...this.#windows].filter(([, window]) => window.used(now) === 0).map(([name]) => name);
    for (const name of empty) this.#windows.delete(name);
    this.#alarmAt = null;
    if (this.#windows.size === 0) {
      this.#unstored.clear();
      this.#hasStored = false;
      this.#firstAt = undefined;
      return this.ctx.storage.deleteAll();
    }
    await Promise.all(empty.map((name) => this.ctx.storage.delete(name)));
    for (const [name, window] of this.#windows) {
      if (window.needsSettling && now > window.reservedUntil) this.#put(name, window, true, now);
    }
    const isUnsettled = [...this.#windows.values()].some((window) => window.needsSettling);
    this.#wakeBy(now + (isUnsettled ? SETTLE_MS : this.#tidyMs()));
  }

  #window(policy: Policy, name: string, now: number): ReservedWindow {
    const known = this.#windows.get(name);
    if (known) return known;
    const lengthMs = policies[policy].seconds * 1000;
    if (!this.#hasStored && this.#unstored.size === 0 && this.#alarmAt !== null) {
      this.#firstAt = this.#alarmAt - tidyMs(lengthMs);
    }
    const window =
      this.#firstAt === undefined
        ? new ReservedWindow(lengthMs)
        : ReservedWindow.restore(lengthMs, now, singleRequest(this.#firstAt));
    this.#windows.set(name, window);
    return window;
  }

  #store(name: string, window: ReservedWindow, isAhead: boolean, now: number): void {
    const standsForIt = now + tidyMs(window.lengthMs);
    const isFirst = !this.#hasStored && window.used(now) === 1 && !isAhead;
    if (isFirst && (this.#alarmAt === null || this.#alarmAt === standsForIt)) {
      window.toStore(now);
      this.#unstored.set(name, window);
      if (this.#alarmAt === null) void this.ctx.storage.setAlarm(standsForIt);
      this.#alarmAt = standsForIt;
      return;
    }
    // The alarm may move. Then it no longer stands for the other windows.
    this.#unstored.delete(name);
    for (const [other, unstored] of this.#unstored) this.#put(other, unstored, false, now);
    this.#unstored.clear();
    this.#put(name, window, isAhead, now);
    this.#wakeBy(now + (window.needsSettling ? SETTLE_MS : this.#tidyMs()));
  }

  #put(name: string, window: ReservedWindow, isAhead: boolean, now: number): void {
    this.#hasStored = true;
    const state = window.toStore(now);
    const stored: StoredWindow = { ...state, lengthMs: window.lengthMs };
    if (this.#firstAt !== undefined) stored.firstAt = this.#firstAt;
    storeReservation(this.ctx, name, stored, isAhead, () => window.confirm(state));
  }

  /** Sets the alarm, unless it fires by then. */
  #wakeBy(at: number): void {
    if (this.#alarmAt !== null && this.#alarmAt <= at) return;
    this.#alarmAt = at;
    void this.ctx.storage.setAlarm(at, { allowUnconfirmed: true });
  }

  #tidyMs(): number {
    return Math.max(...[...this.#windows.values()].map(({ lengthMs }) => tidyMs(lengthMs)));
  }
}

/** A different value would misread the alarms of objects that another version has set. */
const tidyMs = (lengthMs: number): number => Math.max(TIDY_MS, lengthMs + RESERVED_MS);

/** Seconds until more quota is available: the value of `t`, `Retry-After` and the reset. */
export const secondsToReset = ({ resetMs }: Count): number => Math.ceil(resetMs / 1000);

/** Sets the headers of draft-ietf-httpapi-ratelimit-headers and the older X- ones, whose reset is in epoch seconds. */
export function setRateLimitHeaders(headers: Headers, count: Count): void {
  const { policy, remaining, resetMs } = count;
  const { limit, seconds } = policies[policy];
  headers.set("RateLimit-Policy", `"${policy}";q=${limit};w=${seconds}`);
  headers.set("RateLimit", `"${policy}";r=${remaining};t=${secondsToReset(count)}`);
  headers.set("X-RateLimit-Limit", String(limit));
  headers.set("X-RateLimit-Remaining", String(remaining));
  headers.set("X-RateLimit-Reset", String(Math.ceil((Date.now() + resetMs) / 1000)));
}

/** Counts requests of a network. One object per network and policy. */
export class AddressLimiter extends Limiter {
  /** Requests that a /64 is refused do not count against its /48. */
  take(policy: AddressPolicy, subnet: string | null): Count {
    if (subnet === null) return this.count(policy);
    const limit = NETWORK_FACTOR * policies[policy].limit;
    const now = Date.now();
    if (this.isFull(policy, "", limit, now)) return this.count(policy, "", limit, now);
    const count = this.count(policy, subnet, undefined, now);
    if (count.admitted) this.count(policy, "", limit, now);
    return count;
  }

  /** Counts several requests together, or none of them. */
  takeAll(policy: AddressPolicy, subnet: string | null, many: number): Count {
    let count = this.take(policy, subnet);
    for (let taken = 1; count.admitted && taken < many; taken++) {
      count = this.take(policy, subnet);
      if (!count.admitted) this.giveBack(policy, subnet, taken);
    }
    return count;
  }

  /** Uncounts requests. */
  giveBack(policy: AddressPolicy, subnet: string | null, many: number): void {
    for (let given = 0; given < many; given++) {
      for (const name of subnet === null ? [undefined] : [subnet, ""]) this.uncount(policy, name);
    }
  }
}

/** Sender of a payment provider's event, and the order reference in it. */
type EventSender = { address: string | undefined; orderReference: string };

/**
 * Verifies an event, unless its address sent too many forged ones for the order. Events from other addresses, and
 * events for other orders, are never delayed, because a provider can be made to send events that it did not sign for
 * this shop. An event counts until it proves genuine or cannot be checked.
 */
export async function limitForgedEvents(
  env: Env,
  { address, orderReference }: EventSender,
  isGenuine: () => Promise<boolean>,
): Promise<boolean> {
  const { count, giveBack } = await takeAttempts(env, "forged-payment-events", { address, about: orderReference }, 1);
  if (count?.admitted === false) throw tooManyRequests(secondsToReset(count));
  let isForged = false;
  try {
    isForged = !(await isGenuine());
  } finally {
    if (!isForged) await giveBack(1);
  }
  return !isForged;
}
