import { SlidingWindow, type WindowResult, type WindowState } from "./window.ts";

/**
 * Milliseconds for which a reservation may be spent. Longer means fewer writes, and longer overcounting after an unclean end.
 */
export const RESERVED_MS = 4_000;

/** Requests further apart than this are stored one by one, because a reservation would expire before it is spent. */
const BURST_MS = RESERVED_MS / 2;

/**
 * Milliseconds after which an alarm stores the actual usage. The platform drops the memory of an object that is idle for 10 s:
 * https://developers.cloudflare.com/durable-objects/concepts/durable-object-lifecycle/
 */
export const SETTLE_MS = 2 * RESERVED_MS;

/** Maximum clock difference between machines that run an object in succession. */
export const SKEW_MS = 1_000;

/** Fraction of the limit that can be reserved at a time, and thus lost in an unclean end. */
const PARTS = 10;

/** Stored state: the counted requests, and how many more may follow until when. */
export type ReservedState = { buckets: WindowState; reserved: number; until: number };

/** The state after a single request. */
export const singleRequest = (at: number): ReservedState => ({ buckets: [[at, at, 1]], reserved: 0, until: 0 });

/**
 * Writes that a request requires: none; a new state, for which the response waits; or the next reservation ahead of time, which
 * may be spent after `confirm`.
 */
export type Write = "none" | "first" | "ahead";

export type ReservedResult = WindowResult & { write: Write };

type Reservation = { count: number; until: number };

/**
 * A sliding window that stays exact if its object dies: a request is admitted only once it is stored, alone or within a
 * reservation. Restoring the state counts the reservation as used, at the last possible moment. A copy that is cut off from the storage cannot spend
 * more. Times are epoch milliseconds.
 */
export class ReservedWindow {
  #window: SlidingWindow;
  #left: Reservation = { count: 0, until: 0 };
  #ahead: Reservation | null = null;
  #aheadIn: ReservedState | null = null;
  #isSettled = true;
  #clock = 0;
  /** When the previous request was admitted. */
  #takenAt = Number.NEGATIVE_INFINITY;

  constructor(lengthMs: number) {
    this.#window = new SlidingWindow(lengthMs);
  }

  /** If the clock ran backwards since the state was stored, no request counts longer than if it were made now. */
  static restore(lengthMs: number, now: number, { buckets, reserved, until }: ReservedState): ReservedWindow {
    const late = (at: number) => Math.min(at, now + RESERVED_MS) + SKEW_MS;
    const counted: WindowState = reserved > 0 ? [...buckets, [until, until, reserved]] : buckets;
    const window = new ReservedWindow(lengthMs);
    window.#window = SlidingWindow.restore(
      lengthMs,
      counted.map(([first, last, count]) => [late(first), late(last), count]),
    );
    window.#takenAt = counted.at(-1)?.[1] ?? window.#takenAt;
    return window;
  }

  get lengthMs(): number {
    return this.#window.lengthMs;
  }

  /** Counts one request if the limit allows it. */
  take(limit: number, now: number): ReservedResult {
    const { admitted, remaining, resetMs } = this.#window.take(limit, now);
    this.#clock = Math.max(this.#clock, now);
    return { admitted, remaining, resetMs, write: admitted ? this.#spend(mostReserved(limit), this.#clock) : "none" };
  }

  /** Forgets the newest request. Until stored, it still counts after an unclean end. */
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

  /** Confirms that the reservation written ahead is stored. Ignores one that was withdrawn. */
  confirm(state: ReservedState): void {
    if (!this.#ahead || this.#aheadIn !== state) return;
    this.#left = { count: this.#left.count + this.#ahead.count, until: this.#ahead.until };
    this.#withdraw();
  }

  /** Gives up reservations beyond a smaller limit. Must be stored before anyone is told. */
  shrink(limit: number): void {
    this.#withdraw();
    this.#left.count = Math.min(this.#left.count, mostReserved(limit));
  }

  /** Last moment at which the reservation may be spent. */
  get reservedUntil(): number {
    return Math.max(this.#left.until, this.#ahead?.until ?? 0);
  }

  /** True if the stored state differs from the count. */
  get needsSettling(): boolean {
    return !this.#isSettled;
  }

  /** The state to store now. It covers everything that may be spent until the next write. */
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
      const isBurst = now - this.#takenAt < BURST_MS;
      this.#takenAt = now;
      this.#left = { count: isBurst ? most : 0, until: now + RESERVED_MS };
      return "first";
    }
    this.#takenAt = now;
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

/** Maximum reservation under a limit. 0 below ten, where each request is stored before it is answered. */
export const mostReserved = (limit: number): number => Math.floor(limit / PARTS);
