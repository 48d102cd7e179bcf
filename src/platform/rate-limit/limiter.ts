import { DurableObject } from "cloudflare:workers";
import { tooManyRequests } from "../../domain/errors.ts";
import { askLimiter, notifyLimiter, storeReservation } from "./ask-limiter.ts";
import { networkOf } from "./network.ts";
import { type AddressPolicy, NETWORK_FACTOR, type Policy, policies } from "./policies.ts";
import { RESERVED_MS, type ReservedState, ReservedWindow } from "./reserved-window.ts";
import type { WindowResult } from "./window.ts";

/** The result of counting a request. */
export type Count = WindowResult & { policy: Policy };

/** Milliseconds between checks whether an object is still needed. */
const TIDY_MS = 120_000;

/** The stored value of a window. */
type StoredWindow = ReservedState & { lengthMs: number };

/** Exact sliding windows in a Durable Object, usually one. Empty windows are deleted. */
export abstract class Limiter extends DurableObject<Env> {
  readonly #windows = new Map<string, ReservedWindow>();
  #settling = false;
  #tidying = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      for (const [name, { lengthMs, ...state }] of await ctx.storage.list<StoredWindow>()) {
        this.#windows.set(name, ReservedWindow.restore(lengthMs, Date.now(), state));
      }
      this.#tidying = (await ctx.storage.getAlarm()) !== null;
    });
  }

  protected count(policy: Policy, name = "all", limit: number = policies[policy].limit): Count {
    const now = Date.now();
    const window = this.#window(policy, name);
    const { admitted, remaining, resetMs, write } = window.take(limit, now);
    if (write !== "none") {
      this.#store(name, window, write === "ahead", now);
      this.#settleLater();
    }
    return { policy, admitted, remaining, resetMs };
  }

  protected uncount(policy: Policy, name = "all"): void {
    const window = this.#window(policy, name);
    window.giveBack();
    this.#store(name, window, true, Date.now());
  }

  protected isFull(policy: Policy, name: string, limit: number): boolean {
    return this.#window(policy, name).used(Date.now()) >= limit;
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    const empty = [...this.#windows].filter(([, window]) => window.used(now) === 0).map(([name]) => name);
    for (const name of empty) this.#windows.delete(name);
    this.#tidying = this.#windows.size > 0;
    if (!this.#tidying) return this.ctx.storage.deleteAll();
    await Promise.all(empty.map((name) => this.ctx.storage.delete(name)));
    await this.ctx.storage.setAlarm(now + this.#tidyMs());
  }

  #window(policy: Policy, name: string): ReservedWindow {
    const known = this.#windows.get(name);
    if (known) return known;
    const window = new ReservedWindow(policies[policy].seconds * 1000);
    this.#windows.set(name, window);
    return window;
  }

  #store(name: string, window: ReservedWindow, isAhead: boolean, now: number): void {
    const state = window.toStore(now);
    const stored: StoredWindow = { ...state, lengthMs: window.lengthMs };
    storeReservation(this.ctx, name, stored, isAhead, () => window.confirm(state));
    if (this.#tidying) return;
    this.#tidying = true;
    void this.ctx.storage.setAlarm(now + this.#tidyMs(), { allowUnconfirmed: true });
  }

  /** Stores the actual usage once the last reservation of a window has expired. */
  #settle(): void {
    this.#settling = false;
    const now = Date.now();
    for (const [name, window] of this.#windows) {
      if (now <= window.reservedUntil) this.#settleLater();
      else if (window.needsSettling) this.#store(name, window, true, now);
    }
  }

  #settleLater(): void {
    if (this.#settling) return;
    this.#settling = true;
    this.ctx.waitUntil(scheduler.wait(RESERVED_MS).then(() => this.#settle()));
  }

  #tidyMs(): number {
    return Math.max(TIDY_MS, ...[...this.#windows.values()].map(({ lengthMs }) => lengthMs + RESERVED_MS));
  }
}

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
    if (this.isFull(policy, "", limit)) return this.count(policy, "", limit);
    const count = this.count(policy, subnet);
    if (count.admitted) this.count(policy, "", limit);
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

const placeOf = (address: string | undefined) => {
  const { network, subnet } = networkOf(address) ?? { network: "unknown", subnet: null };
  return { name: network, subnet };
};

/**
 * Subject whose attempts are counted together: an account or API key, by an opaque name, or an address. `about` separates the
 * attempts of one address by target.
 */
export type Attempter = { account: string } | { address: string | undefined; about: string } | { address: string };

/** Attempts that count until they prove correct. */
type Attempts = { count: Count | null; giveBack: (many: number) => Promise<void> };

export async function takeAttempts(env: Env, policy: AddressPolicy, who: Attempter, many: number): Promise<Attempts> {
  const { name, subnet } = "account" in who ? { name: `account:${who.account}`, subnet: null } : placeOf(who.address);
  const about = "about" in who ? `${who.about}:` : "";
  const open = () => env.ADDRESS_LIMITER.getByName(`${policy}:${about}${name}`);
  return {
    count: await askLimiter(open, (limiter) => limiter.takeAll(policy, subnet, many)),
    giveBack: (right) => notifyLimiter(open, (limiter) => limiter.giveBack(policy, subnet, right)),
  };
}

/** Counts a request against the account that it names, whether it exists or not. `account` is an opaque name. */
export const countAccount = (env: Env, policy: AddressPolicy, account: string): Promise<Count | null> =>
  askLimiter(
    () => env.ADDRESS_LIMITER.getByName(`${policy}:account:${account}`),
    (limiter) => limiter.take(policy, null),
  );

/** Counts a request against its address. Returns null if the object is unavailable: the request is admitted uncounted. */
export const countAddress = (env: Env, policy: AddressPolicy, address: string | undefined): Promise<Count | null> => {
  const { name, subnet } = placeOf(address);
  return askLimiter(
    () => env.ADDRESS_LIMITER.getByName(`${policy}:${name}`),
    (limiter) => limiter.take(policy, subnet),
  );
};

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
