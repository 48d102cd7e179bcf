/** The outcome of a request, and the quota that its caller has left. */
export type WindowResult = {
  admitted: boolean;
  remaining: number;
  /** Milliseconds until more quota becomes available, at most the window's length. 0 if nothing is used. */
  resetMs: number;
};

/** Requests within one bucket share an entry, so a request is forgotten at most one bucket late. */
const BUCKETS = 60;

/** `[first request, last request, count]` of each bucket, oldest first. */
export type WindowState = [first: number, last: number, count: number][];

/**
 * A sliding window over the admitted requests of one caller. It never admits more than the limit within its length, and
 * refuses a request only if the limit was reached within its length plus a sixtieth. Its size does not depend on the limit,
 * which may differ between calls. Times are epoch milliseconds; a clock that runs backwards stands still.
 */
export class SlidingWindow {
  readonly lengthMs: number;
  #buckets: WindowState = [];
  #used = 0;
  #clock = 0;

  constructor(lengthMs: number) {
    this.lengthMs = lengthMs;
  }

  /** The last buckets may lie in the future: requests that may still be spent until then. */
  static restore(lengthMs: number, state: WindowState): SlidingWindow {
    const window = new SlidingWindow(lengthMs);
    window.#buckets = state;
    window.#used = state.reduce((sum, [, , count]) => sum + count, 0);
    return window;
  }

  /** Counts one request if the limit allows it. */
  take(limit: number, now: number): WindowResult {
    const at = this.#advance(now);
    const admitted = this.#used < limit;
    if (admitted) this.#count(at);
    return { admitted, remaining: Math.max(0, limit - this.#used), resetMs: this.#resetMs(limit, at) };
  }

  /** Forgets the newest counted request. */
  giveBack(): void {
    const index = this.#newestBy(this.#clock);
    const newest = this.#buckets[index];
    if (!newest) return;
    newest[2]--;
    this.#used--;
    if (newest[2] === 0) this.#buckets.splice(index, 1);
  }

  /** Number of requests counted within the window. */
  used(now: number): number {
    this.#advance(now);
    return this.#used;
  }

  /** Milliseconds until the oldest requests are forgotten; the window's length if there are none. */
  freesInMs(now: number): number {
    const at = this.#advance(now);
    const [oldest] = this.#buckets;
    return oldest ? oldest[1] + this.lengthMs - at : this.lengthMs;
  }

  get state(): WindowState {
    return this.#buckets;
  }

  #advance(now: number): number {
    this.#clock = Math.max(this.#clock, now);
    let ended = 0;
    for (const [, last, count] of this.#buckets) {
      if (last + this.lengthMs > this.#clock) break;
      this.#used -= count;
      ended++;
    }
    if (ended > 0) this.#buckets.splice(0, ended);
    return this.#clock;
  }

  #count(at: number): void {
    const index = this.#newestBy(at);
    const newest = this.#buckets[index];
    this.#used++;
    if (newest && at - newest[0] < this.lengthMs / BUCKETS) {
      newest[1] = Math.max(newest[1], at);
      newest[2]++;
    } else {
      this.#buckets.splice(index + 1, 0, [at, at, 1]);
    }
  }

  #newestBy(at: number): number {
    return this.#buckets.findLastIndex(([first]) => first <= at);
  }

  #resetMs(limit: number, at: number): number {
    let over = this.#used - limit;
    let resetMs = 0;
    for (const [, last, count] of this.#buckets) {
      resetMs = last + this.lengthMs - at;
      over -= count;
      if (over < 0) break;
    }
    return Math.min(resetMs, this.lengthMs);
  }
}
