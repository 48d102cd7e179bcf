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
