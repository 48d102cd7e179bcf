/** Writes one JSON line. The one place that prints: keep secrets, bodies and query strings out of `entry`. */
export function log(level: "info" | "error", entry: Record<string, unknown>): void {
  // biome-ignore lint/suspicious/noConsole: this is the log
  console[level](JSON.stringify({ time: new Date().toISOString(), level, ...entry }));
}

/** A fault that was lived with or answered as 5xx. A failed statement carries its parameters, so only its cause is named. */
export function logFault(message: string, error: unknown, entry: Record<string, unknown> = {}): void {
  log("error", { message, cause: causeOf(error), ...entry });
}

/** The text of a fault without the parameters of the statement that failed. */
export function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
}

/**
 * True if storage could not be reached or asked to come back later, so that the same request may succeed then. D1 names
 * itself in its faults; a statement that it refused carries SQLite's own code.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (/\bSQLITE_|D1_TYPE_ERROR/.test(error.message)) return false;
  if (/\bD1_\w*ERROR\b/.test(error.message) || Reflect.get(error, "retryable") === true) return true;
  return isOutage(error.cause);
}

/** Samples log lines: at most so many a second are written, and the skipped ones are counted. Times are epoch milliseconds. */
export class LogSampler {
  readonly #maxPerSecond: number;
  #second = 0;
  #sampled = 0;
  #skipped = 0;

  constructor(maxPerSecond: number) {
    this.#maxPerSecond = maxPerSecond;
  }

  /** How many lines were skipped before this one, or null if this one is to be skipped. */
  sample(now: number): number | null {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#sampled = 0;
    }
    if (this.#sampled >= this.#maxPerSecond) {
      this.skip();
      return null;
    }
    this.#sampled++;
    const skipped = this.#skipped;
    this.#skipped = 0;
    return skipped;
  }

  /** Counts a line that its caller does not write. */
  skip(): void {
    this.#skipped++;
  }
}
