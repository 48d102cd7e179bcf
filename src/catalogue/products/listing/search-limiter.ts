/** A search counts as long if D1 reports a greater duration. */
const LONG_MS = 5;

/** After a long search, further searches are treated as long for this many times its duration. */
const CAUTIOUS_TIMES = 100;

/**
 * Upper limit of the cautious period. The duration of a failed search is only known from the clock, which includes the
 * network.
 */
const MOST_CAUTIOUS_MS = 30_000;

/** Concurrent searches while none is long. */
const AT_ONCE = 8;

/** Longest time that one search holds its turn. If its request ends early, the others continue. */
const LONGEST_MS = 1_000;

/**
 * `until` is the latest end of the turn, in epoch milliseconds. `ended` resolves once `until` has been updated and is
 * undefined from then on, because a promise that never resolves would retain everything that ever awaited it.
 */
type Turn = { until: number; ended: Promise<void> | undefined };

/**
 * Limits an isolate's concurrent searches. D1 runs statements one after the other, so an order waits for all searches sent
 * before it. Eight short searches may run at once. After a long search, and until the first has answered, searches run one at
 * a time, and after each the database stays idle for as long as it took.
 */
export class SearchLimiter {
  #turns = new Set<Turn>();
  #cautiousUntil = Number.POSITIVE_INFINITY;

  /** Runs a search when its turn comes. */
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

  /** Waits until a turn has ended or timed out. */
  async #change(): Promise<void> {
    const turns = [...this.#turns];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.min(...turns.map(({ until }) => until)) - Date.now());
    });
    await Promise.race([over, ...turns.flatMap(({ ended }) => ended ?? [])]);
    clearTimeout(timer);
  }

  /** Returns when the database may be used again, after a search of `took` milliseconds. */
  #idleUntil(took: number): number {
    const now = Date.now();
    const isLong = took > LONG_MS;
    const known = this.#cautiousUntil === Number.POSITIVE_INFINITY ? now : this.#cautiousUntil;
    const cautiousMs = Math.min(CAUTIOUS_TIMES * took, MOST_CAUTIOUS_MS);
    this.#cautiousUntil = isLong ? Math.max(known, now + cautiousMs) : known;
    return isLong ? now + took : now;
  }
}
