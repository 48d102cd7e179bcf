import { type ReservedResult, type ReservedState, ReservedWindow } from "../reserved-window.ts";
import type { Ask, Grant, Recall, Report } from "./messages.ts";

/** All that a region stores. */
export type RegionState = {
  id: string;
  previous: string | null;
  granted: number;
  given: number;
  limit: number;
  window: ReservedState;
};

/** Whether home has to be asked for more: before the request can be answered, ahead of time, or not. */
export type RegionResult = ReservedResult & { ask: "first" | "ahead" | "no" };

/** How long nothing is asked ahead of time after an answer that brought little. */
const PAUSE_MS = 5_000;

/** How long nothing is asked at all when home did not answer. */
const SILENCE_MS = 2_000;

/** A region asks ahead when it has fewer left than it uses in this part of a window. */
const LOW = 1 / 24;

/**
 * A region's side of a limit that regions share: an exact window under the share that home granted. It spends only what home
 * has written down before, and gives up only what it does not use, so the shares of all regions never exceed the limit.
 * Times are epoch milliseconds of the region's own clock.
 */
export class RegionShare {
  readonly #newId: () => string;
  #window: ReservedWindow;
  #id: string;
  #previous: string | null = null;
  #granted = 0;
  #given = 0;
  #limit = 0;
  /** Home has nothing before. */
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

  /** Counts one request if the share has room for it. */
  take(limit: number, now: number): RegionResult {
    if (limit !== this.#limit) this.#beginAnew(limit);
    const { admitted, remaining, resetMs, write } = this.#window.take(this.share, now);
    const isWhole = this.share >= limit;
    if (admitted) return { admitted, remaining, resetMs, write, ask: this.#asksAhead(remaining, isWhole, now) };
    if (!isWhole && now >= this.#emptyUntil) return { admitted, remaining, resetMs, write, ask: "first" };
    const untilHome = isWhole ? resetMs : this.#emptyUntil - now;
    return { admitted, remaining, resetMs: Math.min(resetMs || untilHome, untilHome), write, ask: "no" };
  }

  /** What to tell home with the question for more. */
  ask(waiting: number, now: number): Ask {
    this.#pausedUntil = now + PAUSE_MS;
    return { ...this.report(now), limit: this.#limit, waiting };
  }

  report(now: number): Report {
    const [used, freesInMs] = [this.#window.used(now), this.#window.freesInMs(now)];
    return { id: this.#id, previous: this.#previous, granted: this.#granted, given: this.#given, used, freesInMs };
  }

  /** Takes home's answer; one to another id is not for this region any more. */
  accept({ id, granted, retryMs }: Grant, now: number): void {
    if (id !== this.#id) return;
    this.#granted = Math.max(this.#granted, granted);
    this.#emptyUntil = now + retryMs;
    const isLow = this.share - this.#window.used(now) <= this.#low(now);
    this.#pausedUntil = isLow ? now + Math.max(retryMs, PAUSE_MS) : 0;
  }

  /** Home did not answer. */
  noAnswer(now: number): void {
    this.#emptyUntil = now + SILENCE_MS;
  }

  /** Gives back what is not used. The new state has to be stored before the report is sent. */
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

  /** Gives back everything when nothing is used any more. False while something is. */
  retire(now: number): boolean {
    if (this.#window.used(now) > 0) return false;
    this.#given = this.#granted;
    this.#window.shrink(0);
    this.#isUnstored = true;
    return true;
  }

  /** Whether the state has to be stored before home is told anything. */
  get isUnstored(): boolean {
    return this.#isUnstored;
  }

  confirm(state: RegionState): void {
    this.#window.confirm(state.window);
  }

  /** The last moment at which what is reserved may be spent. */
  get reservedUntil(): number {
    return this.#window.reservedUntil;
  }

  /** Whether what is stored differs from what was counted. */
  get needsSettling(): boolean {
    return this.#window.needsSettling;
  }

  /** What to store now: it covers whatever may be spent until the next write. */
  toStore(now: number): RegionState {
    this.#isUnstored = false;
    const [id, previous, granted, given, limit] = [this.#id, this.#previous, this.#granted, this.#given, this.#limit];
    return { id, previous, granted, given, limit, window: this.#window.toStore(now) };
  }

  /** Under another limit no grant of before holds: a new id makes home forget them all. */
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
