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

/** True if a value or a row is larger than D1 stores. */
export const isTooBig = (error: unknown): boolean =>
  error instanceof Error && (error.message.includes("SQLITE_TOOBIG") || isTooBig(error.cause));

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

/** Fields of a request's log line. The caller is known after authentication. */
type LoggedContext = {
  req: { method: string; path: string };
  res: Response;
  get: (name: "identity") => { kind: string; id?: number } | undefined;
};

/** Allowed request ids of senders. Others are ignored. */
const SENT_ID = /^[\w\-=]{1,255}$/;

/** The sender's id of a request, if valid. */
export function sentRequestId(headers: Headers): string | null {
  const sent = headers.get("X-Request-Id");
  return sent !== null && SENT_ID.test(sent) ? sent : null;
}

/** A log line costs as much as a cached catalogue response, so beyond 100 per second one line stands for several. */
export const logSampler = new LogSampler(100);

type StartedRequest = { id: string; sentId: string | null; startedAt: number };

/** Assigns a request our own id for the logs, since senders may repeat theirs. */
export const startRequest = ({ headers }: Request): StartedRequest => ({
  id: crypto.randomUUID(),
  sentId: sentRequestId(headers),
  startedAt: Date.now(),
});

/** Tokens of agents' carts and checkouts, which open them, are part of a path in their protocol. */
const TOKENS = /\b(cart|chk)_[\w-]+/g;

/**
 * Logs a request in one line and returns the sender's id, if any, in the response. Logs only the path: the query of a signed
 * link grants access to a file.
 */
export function finishRequest({ id, sentId, startedAt }: StartedRequest, c: LoggedContext): void {
  const { req, res } = c;
  res.headers.set("X-Request-Id", sentId ?? id);
  const unlogged = logSampler.sample(startedAt);
  if (unlogged === null) return;
  const identity = c.get("identity");
  log("info", {
    request_id: id,
    sent_request_id: sentId,
    method: req.method,
    path: req.path.replace(TOKENS, "$1_…"),
    status: res.status,
    ms: Date.now() - startedAt,
    caller: identity?.kind ?? null,
    caller_id: identity?.id ?? null,
    ...(unlogged > 0 && { unlogged }),
  });
}
