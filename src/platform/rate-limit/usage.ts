import { MINUTE_MS } from "../../domain/time.ts";
/** Requests of one minute; `at` is its start in epoch milliseconds. */
export type UsageMinute = { at: number; admitted: number; refused: number };

/** A region's requests of the last hour, by minute. */
export type RegionUsage = { region: string; minutes: UsageMinute[] };
const MINUTES = 60;

/** `[minutes since the epoch, admitted, refused]` for each minute with a request, oldest first. */
export type UsageState = [minute: number, admitted: number, refused: number][];

/**
 * Admitted and refused requests of one caller in each minute of the last hour, in at most 60 entries. Times are epoch
 * milliseconds; a clock that runs backwards stands still.
 */
export class UsageCounter {
  #minutes: UsageState = [];

  static restore(state: UsageState): UsageCounter {
    const usage = new UsageCounter();
    usage.#minutes = state;
    return usage;
  }

  add(admitted: boolean, now: number): void {
    const entry = this.#entryOf(Math.floor(now / MINUTE_MS));
    entry[admitted ? 1 : 2]++;
  }

  /** The last 60 minutes, oldest first. The last entry is the current minute. */
  report(now: number): UsageMinute[] {
    const newest = this.#newest(now);
    const found = new Map(this.#minutes.map((entry) => [entry[0], entry]));
    return Array.from({ length: MINUTES }, (_, index) => {
      const minute = newest - MINUTES + 1 + index;
      const [, admitted = 0, refused = 0] = found.get(minute) ?? [];
      return { at: minute * MINUTE_MS, admitted, refused };
    });
  }

  isEmpty(now: number): boolean {
    const [last = 0] = this.#minutes.at(-1) ?? [];
    return last <= this.#newest(now) - MINUTES;
  }

  get state(): UsageState {
    return this.#minutes;
  }

  #newest(now: number): number {
    return Math.max(Math.floor(now / MINUTE_MS), this.#minutes.at(-1)?.[0] ?? 0);
  }

  #entryOf(minute: number): UsageState[number] {
    const last = this.#minutes.at(-1);
    if (last && minute <= last[0]) return last;
    const entry: UsageState[number] = [minute, 0, 0];
    this.#minutes = this.#minutes.filter(([old]) => old > minute - MINUTES);
    this.#minutes.push(entry);
    return entry;
  }
}

/** The last 60 minutes, summed over all regions. */
export function sumMinutes(usage: RegionUsage[], now: number): UsageMinute[] {
  const all = usage.flatMap(({ minutes }) => minutes);
  const newest = Math.max(now, ...all.map(({ at }) => at));
  const byMinute = Map.groupBy(all, ({ at }) => at);
  return new UsageCounter().report(newest).map(({ at }) => ({ at, ...sumCounts(byMinute.get(at) ?? []) }));
}

export const sumCounts = (minutes: UsageMinute[]): Pick<UsageMinute, "admitted" | "refused"> => ({
  admitted: minutes.reduce((sum, { admitted }) => sum + admitted, 0),
  refused: minutes.reduce((sum, { refused }) => sum + refused, 0),
});
