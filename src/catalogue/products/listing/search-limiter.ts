/** A search of which D1 says that it took longer is a long one. */
const LONG_MS = 5;

/** For so many times as long as it took, the searches after a long one are taken for long ones too. */
const CAUTIOUS_TIMES = 100;

/** But no longer: of one that failed only the time on the clock is known, the way to the database included. */
const MOST_CAUTIOUS_MS = 30_000;

/** Searches under way at once while none is long. */
const AT_ONCE = 8;

/** The longest that one search holds its turn: if its request ends early, the others continue. */
const LONGEST_MS = 1_000;

/**
 * When the turn ends at the latest, in epoch milliseconds. `ended` resolves when `until` has been updated, and is undefined
 * from then on: a promise that never resolves would hold on to everybody who ever waited for it.
 */
type Turn = { until: number; ended: Promise<void> | undefined };

/**
 * Limits how many searches of an isolate are under way. D1 runs one statement after the other, so an order waits for all
 * searches that were sent before it. Where they are short, eight are. After a long one, and until the first has answered, there
 * is one at a time, and after each the database is left idle for as long as it took.
 */
export class SearchLimiter {
  #turns = new Set<Turn>();
  #cautiousUntil = Number.POSITIVE_INFINITY;

  /** Runs a search when its turn has come. */
  async run<Result extends { meta: { duration: number } }>(search: () => Promise<Result>): Promise<Result> {
    while (!this.#isFree()) await this.#change();
    const began = Date.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    const turn: Turn = { until: began + LONGEST_MS, ended: promise };
    this.#turns.add(turn);
    let took: number | undefined;
    try {
      const result = await search();
      took = result.meta.duration;
      return result;
    } finally {
      turn.until = Math.min(began + LONGEST_MS, this.#idleUntil(took ?? Date.now() - began));
      turn.ended = undefined;
      resolve();
    }
  }

  #isFree(): boolean {
    const now = Date.now();
    for (const turn of this.#turns) if (turn.until <= now) this.#turns.delete(turn);
    return this.#turns.size < (now < this.#cautiousUntil ? 1 : AT_ONCE);
  }

  /** Waits until one of the turns has ended, or is over without an end. */
  async #change(): Promise<void> {
    const turns = [...this.#turns];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.min(...turns.map(({ until }) => until)) - Date.now());
    });
    await Promise.race([over, ...turns.flatMap(({ ended }) => ended ?? [])]);
    clearTimeout(timer);
  }

  /** Until when the database is left idle after a search that took it so long. */
  #idleUntil(took: number): number {
    const now = Date.now();
    const isLong = took > LONG_MS;
    const known = this.#cautiousUntil === Number.POSITIVE_INFINITY ? now : this.#cautiousUntil;
    const cautiousMs = Math.min(CAUTIOUS_TIMES * took, MOST_CAUTIOUS_MS);
    this.#cautiousUntil = isLong ? Math.max(known, now + cautiousMs) : known;
    return isLong ? now + took : now;
  }
}
