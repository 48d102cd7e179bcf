import { type ReservedResult, type ReservedState, ReservedWindow } from "../reserved-window.ts";
import type { Ask, Grant, Recall, Report } from "./messages.ts";

/** Stored state of a region. */
export type RegionState = {
  id: string;
  previous: string | null;
  granted: number;
  given: number;
  limit: number;
  window: ReservedState;
};

/** Result of a request, and when to ask the home region for more: before the response, ahead of time, or not at all. */
export type RegionResult = ReservedResult & { ask: "first" | "ahead" | "no" };

/** Milliseconds without asking ahead after an answer that brought little. */
const PAUSE_MS = 5_000;

/** Milliseconds without asking after home did not respond. */
const SILENCE_MS = 2_000;

/** Fraction of a window whose usage triggers asking ahead. */
const LOW = 1 / 24;

/**
 * A region's side of a shared limit: an exact window within the share that home granted. It spends only what home has
 * recorded, and returns only what it does not use, so that all shares together never exceed the limit. Times are epoch
 * milliseconds of the region's clock.
 */
export class RegionShare {
  readonly #newId: () => string;
  #window: ReservedWindow;
  #id: string;
  #previous: string | null = null;
  #granted = 0;
  #given = 0;
  #limit = 0;
  /** Home has no quota before this time. */
  #emptyUntil = 0;
  #pausedUntil = 0;
  #isUnstored = false;

  constructor(lengthMs: number, newId: () => string) {
    this.#newId = newId;
    this.#window = new ReservedWindow(lengthMs);
    this.#id = newId();
  }

  static restore(lengthMs: number, now: number, newId: () => string, state: RegionState): RegionShare {
    const region = new RegionShare(lengthMs, newId);
    region.#window = ReservedWindow.restore(lengthMs, now, state.window);
    region.#id = state.id;
    region.#previous = state.previous;
    region.#granted = state.granted;
    region.#given = state.given;
    region.#limit = state.limit;
    return region;
  }

  get share(): number {
    return this.#granted - this.#given;
  }

  /** Counts one request if the share allows it. */
  take(limit: number, now: number): RegionResult {
    if (limit !== this.#limit) this.#beginAnew(limit);
    const { admitted, remaining, resetMs, write } = this.#window.take(this.share, now);
    const isWhole = this.share >= limit;
    if (admitted) return { admitted, remaining, resetMs, write, ask: this.#asksAhead(remaining, isWhole, now) };
    if (!isWhole && now >= this.#emptyUntil) return { admitted, remaining, resetMs, write, ask: "first" };
    const untilHome = isWhole ? resetMs : this.#emptyUntil - now;
    return { admitted, remaining, resetMs: Math.min(resetMs || untilHome, untilHome), write, ask: "no" };
  }

  /** The report to send with a request for more. */
  ask(waiting: number, now: number): Ask {
    this.#pausedUntil = now + PAUSE_MS;
    return { ...this.report(now), limit: this.#limit, waiting };
  }

  report(now: number): Report {
    const [used, freesInMs] = [this.#window.used(now), this.#window.freesInMs(now)];
    return { id: this.#id, previous: this.#previous, granted: this.#granted, given: this.#given, used, freesInMs };
  }

  /** Applies home's answer. Ignores one for another id. */
  accept({ id, granted, retryMs }: Grant, now: number): void {
    if (id !== this.#id) return;
    this.#granted = Math.max(this.#granted, granted);
    this.#emptyUntil = now + retryMs;
    const isLow = this.share - this.#window.used(now) <= this.#low(now);
    this.#pausedUntil = isLow ? now + Math.max(retryMs, PAUSE_MS) : 0;
  }

  /** Home did not respond. */
  noAnswer(now: number): void {
    this.#emptyUntil = now + SILENCE_MS;
  }

  /** Returns unused quota. The new state must be stored before the report is sent. */
  giveBack({ id, granted, most, part }: Recall, now: number): Report {
    if (id === this.#id) {
      this.#granted = Math.max(this.#granted, granted);
      const unused = Math.max(0, this.share - this.#window.used(now));
      const given = Math.min(most, part === "all" ? unused : Math.ceil(unused / 2));
      this.#given += given;
      this.#window.shrink(this.share);
    } else {
      this.#previous = id;
    }
    this.#isUnstored = true;
    return this.report(now);
  }

  /** Returns everything if nothing is in use. False otherwise. */
  retire(now: number): boolean {
    if (this.#window.used(now) > 0) return false;
    this.#given = this.#granted;
    this.#window.shrink(0);
    this.#isUnstored = true;
    return true;
  }

  /** True if the state must be stored before home is told anything. */
  get isUnstored(): boolean {
    return this.#isUnstored;
  }

  confirm(state: RegionState): void {
    this.#window.confirm(state.window);
  }

  /** Last moment at which the reservation may be spent. */
  get reservedUntil(): number {
    return this.#window.reservedUntil;
  }

  /** True if the stored state differs from the count. */
  get needsSettling(): boolean {
    return this.#window.needsSettling;
  }

  /** The state to store now. It covers everything that may be spent until the next write. */
  toStore(now: number): RegionState {
    this.#isUnstored = false;
    const [id, previous, granted, given, limit] = [this.#id, this.#previous, this.#granted, this.#given, this.#limit];
    return { id, previous, granted, given, limit, window: this.#window.toStore(now) };
  }

  /** Grants under the previous limit become invalid: a new id makes home forget them. */
  #beginAnew(limit: number): void {
    if (this.#limit !== 0) {
      this.#previous = this.#id;
      this.#id = this.#newId();
      this.#granted = 0;
      this.#given = 0;
      this.#window.shrink(0);
      this.#isUnstored = true;
    }
    this.#limit = limit;
    this.#emptyUntil = 0;
    this.#pausedUntil = 0;
  }

  #asksAhead(remaining: number, isWhole: boolean, now: number): "ahead" | "no" {
    if (isWhole || now < this.#pausedUntil || now < this.#emptyUntil) return "no";
    return remaining <= this.#low(now) ? "ahead" : "no";
  }

  #low(now: number): number {
    return Math.floor(this.#window.used(now) * LOW);
  }
}
