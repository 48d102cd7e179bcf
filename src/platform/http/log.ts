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
