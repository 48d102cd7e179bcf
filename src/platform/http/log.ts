/** Writes one JSON line. All output passes here: keep secrets, bodies and query strings out of `entry`. */
export function log(level: "info" | "error", entry: Record<string, unknown>): void {
  // biome-ignore lint/suspicious/noConsole: this is the log
  console[level](JSON.stringify({ time: new Date().toISOString(), level, ...entry }));
}

/**
 * Logs a fault that was tolerated or answered with a 5xx. Only the cause of a failed statement is named, because the
 * statement carries parameters.
 */
export function logFault(message: string, error: unknown, entry: Record<string, unknown> = {}): void {
  log("error", { message, cause: causeOf(error), ...entry });
}

/** The text of a fault without the parameters of a failed statement. */
export function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
}

/**
 * True if storage was unreachable or overloaded, so that a retry may succeed. D1 names itself in its faults; a refused
 * statement carries SQLite's own code.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (/\bSQLITE_|D1_TYPE_ERROR/.test(error.message)) return false;
  if (/\bD1_\w*ERROR\b/.test(error.message) || Reflect.get(error, "retryable") === true) return true;
  return isOutage(error.cause);
}

/** Samples log lines: writes at most a fixed number per second and counts the rest. Times are epoch milliseconds. */
export class LogSampler {
  readonly #maxPerSecond: number;
  #second = 0;
  #sampled = 0;
  #skipped = 0;

  constructor(maxPerSecond: number) {
    this.#maxPerSecond = maxPerSecond;
  }

  /** Number of lines skipped before this one. Null if this line has to be skipped. */
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

  /** Counts a line that the caller does not write. */
  skip(): void {
    this.#skipped++;
  }
}
