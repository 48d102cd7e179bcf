import { SlidingWindow, type WindowResult, type WindowState } from "./window.ts";

/** How long a reservation may be spent. Longer means fewer writes, and a later end of what counts after an unclean end. */
export const RESERVED_MS = 4_000;

/** How far the clocks of two machines may be apart on which an object runs one after the other. */
export const SKEW_MS = 1_000;

/** Parts of the limit, of which one at most is reserved at any time. An unclean end costs no more than that. */
const PARTS = 10;

/** All that has to be stored: what was counted, and how many more may be until when. */
export type ReservedState = { buckets: WindowState; reserved: number; until: number };

/**
 * What has to be stored because of a request: nothing; a new reservation, which the response has to wait for; or the next
 * one, ahead of time: it may be spent once `confirm` is told that it is stored.
 */
export type Write = "none" | "first" | "ahead";

export type ReservedResult = WindowResult & { write: Write };

type Reservation = { count: number; until: number };

/**
 * A sliding window that stays exact when its object dies: a request is admitted only within a reservation that is stored.
 * Whoever restores the state counts what was reserved as used, at the last moment at which it could have been. A copy that is
 * cut off from the storage can spend no more than that. Times are epoch milliseconds.
 */
export class ReservedWindow {
  #window: SlidingWindow;
  #left: Reservation = { count: 0, until: 0 };
  #ahead: Reservation | null = null;
  #aheadIn: ReservedState | null = null;
  #isSettled = true;
  #clock = 0;

  constructor(lengthMs: number) {
    this.#window = new SlidingWindow(lengthMs);
  }

  /** Where the clock ran back since the state was stored, no request counts for longer than if it were spent now. */
  static restore(lengthMs: number, now: number, { buckets, reserved, until }: ReservedState): ReservedWindow {
    const late = (at: number) => Math.min(at, now + RESERVED_MS) + SKEW_MS;
    const counted: WindowState = reserved > 0 ? [...buckets, [until, until, reserved]] : buckets;
    const window = new ReservedWindow(lengthMs);
    window.#window = SlidingWindow.restore(
      lengthMs,
      counted.map(([first, last, count]) => [late(first), late(last), count]),
    );
    return window;
  }

  get lengthMs(): number {
    return this.#window.lengthMs;
  }

  /** Counts one request if the limit has room for it. */
  take(limit: number, now: number): ReservedResult {
    const { admitted, remaining, resetMs } = this.#window.take(limit, now);
    this.#clock = Math.max(this.#clock, now);
    return { admitted, remaining, resetMs, write: admitted ? this.#spend(mostReserved(limit), this.#clock) : "none" };
  }

  /** Forgets the newest request, which counts after an unclean end until that is stored. */
  giveBack(): void {
    this.#window.giveBack();
    this.#isSettled = false;
  }

  used(now: number): number {
    return this.#window.used(now);
  }

  freesInMs(now: number): number {
    return this.#window.freesInMs(now);
  }

  /** The reservation that was written ahead of time is stored. One that was withdrawn meanwhile is ignored. */
  confirm(state: ReservedState): void {
    if (!this.#ahead || this.#aheadIn !== state) return;
    this.#left = { count: this.#left.count + this.#ahead.count, until: this.#ahead.until };
    this.#withdraw();
  }

  /** Gives up what may not be reserved under a smaller limit; it has to be stored before anybody is told. */
  shrink(limit: number): void {
    this.#withdraw();
    this.#left.count = Math.min(this.#left.count, mostReserved(limit));
  }

  /** The last moment at which what is reserved may be spent. */
  get reservedUntil(): number {
    return Math.max(this.#left.until, this.#ahead?.until ?? 0);
  }

  /** Whether what is stored differs from what was counted. */
  get needsSettling(): boolean {
    return !this.#isSettled;
  }

  /** What to store now: it covers whatever may be spent until the next write. */
  toStore(now: number): ReservedState {
    if (now > this.#left.until) this.#left.count = 0;
    const ahead = this.#ahead;
    const reserved = this.#left.count + (ahead?.count ?? 0);
    this.#isSettled = reserved === 0;
    const state = { buckets: this.#window.state, reserved, until: this.reservedUntil };
    if (ahead && !this.#aheadIn) this.#aheadIn = state;
    return state;
  }

  #spend(most: number, now: number): Write {
    this.#isSettled = false;
    const left = this.#left;
    if (left.count === 0 || now > left.until) {
      this.#withdraw();
      this.#left = { count: most, until: now + RESERVED_MS };
      return "first";
    }
    left.count--;
    const isEnough = left.count >= most / 2 && left.until - now > RESERVED_MS / 2;
    if (this.#ahead || isEnough) return "none";
    this.#ahead = { count: Math.max(0, most - left.count), until: now + RESERVED_MS };
    return "ahead";
  }

  #withdraw(): void {
    this.#ahead = null;
    this.#aheadIn = null;
  }
}

/** How much may be reserved under a limit. Nothing below ten: there each request is stored before it is answered. */
export const mostReserved = (limit: number): number => Math.floor(limit / PARTS);
