import { SlidingWindow, type WindowResult, type WindowState } from "./window.ts";

/** How long a reservation may be spent. Longer means fewer writes, and more that counts as used after an unclean end. */
export const RESERVED_MS = 4_000;

/** How far the clocks of two machines may be apart on which an object runs one after the other. */
const SKEW_MS = 1_000;

/** The smallest reservation, as a part of the limit: less is written too often in a burst. */
const SMALLEST = 1 / 20;

/** How many times the last one a reservation may be: what is lost with it is then no more than what was used. */
const GROWTH = 2;

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
  #size = 0;
  /** Since when, and how many were counted since: the next reservation is as large as the rate asks for. */
  #since = 0;
  #spent = 0;
  #stored = 0;
  #returned = false;
  #clock = 0;

  constructor(lengthMs: number) {
    this.#window = new SlidingWindow(lengthMs);
  }

  static restore(lengthMs: number, { buckets, reserved, until }: ReservedState): ReservedWindow {
    const late = buckets.map(([first, last, count]): WindowState[number] => [first + SKEW_MS, last + SKEW_MS, count]);
    if (reserved > 0) late.push([until + SKEW_MS, until + SKEW_MS, reserved]);
    const window = new ReservedWindow(lengthMs);
    window.#window = SlidingWindow.restore(lengthMs, late);
    return window;
  }

  get lengthMs(): number {
    return this.#window.lengthMs;
  }

  /** Counts one request if the limit has room for it. */
  take(limit: number, now: number): ReservedResult {
    const { admitted, remaining, resetMs } = this.#window.take(limit, now);
    this.#clock = Math.max(this.#clock, now);
    return { admitted, remaining, resetMs, write: admitted ? this.#spend(limit, remaining, this.#clock) : "none" };
  }

  /** Forgets the newest request. What was reserved for it stays spent, so an unclean end may count it after all. */
  giveBack(): void {
    this.#window.giveBack();
    this.#returned = true;
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

  /** Gives up what is reserved beyond `room`; it has to be stored before anybody is told. */
  shrink(room: number): void {
    this.#withdraw();
    this.#left.count = Math.min(this.#left.count, room);
  }

  /** The last moment at which what is reserved may be spent. */
  get reservedUntil(): number {
    return Math.max(this.#left.until, this.#ahead?.until ?? 0);
  }

  /** Whether what is stored differs from what was counted. */
  get needsSettling(): boolean {
    return this.#spent > 0 || this.#stored > 0 || this.#returned;
  }

  /** What to store now: it covers whatever may be spent until the next write. */
  toStore(now: number): ReservedState {
    if (now > this.#left.until) this.#left.count = 0;
    const ahead = this.#ahead;
    this.#stored = this.#left.count + (ahead?.count ?? 0);
    this.#since = now;
    this.#spent = 0;
    this.#returned = false;
    const state = { buckets: this.#window.state, reserved: this.#stored, until: ahead?.until ?? this.#left.until };
    if (ahead && !this.#aheadIn) this.#aheadIn = state;
    return state;
  }

  #spend(limit: number, room: number, now: number): Write {
    this.#spent++;
    const left = this.#left;
    if (left.count === 0 || now > left.until) {
      this.#withdraw();
      this.#left = {
        count: Math.min(this.#nextSize(limit, now), this.#spendable(room, now)),
        until: now + RESERVED_MS,
      };
      return "first";
    }
    left.count--;
    const isOld = left.until - now <= RESERVED_MS / 2;
    if (this.#ahead || (left.count > this.#stored / 2 && !isOld)) return "none";
    const most = this.#spendable(room, now);
    if (left.count >= most && !(isOld && most > 0)) return "none";
    const count = Math.max(0, Math.min(this.#nextSize(limit, now), most) - left.count);
    this.#ahead = { count, until: now + RESERVED_MS };
    return "ahead";
  }

  /** How many may be spent in the time of a reservation: what there is room for, and what the window forgets meanwhile. */
  #spendable(room: number, now: number): number {
    return room + this.#window.freeingWithin(RESERVED_MS, now);
  }

  #withdraw(): void {
    this.#ahead = null;
    this.#aheadIn = null;
  }

  /** What is spent in the time of a reservation, and half as much again. */
  #nextSize(limit: number, now: number): number {
    const expected = (1.5 * RESERVED_MS * this.#spent) / Math.max(1, now - this.#since);
    this.#size = Math.ceil(Math.max(SMALLEST * limit, Math.min(expected, GROWTH * this.#size)));
    return this.#size;
  }
}
