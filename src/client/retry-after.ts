/** Seconds from the Retry-After header, if present. */
export function retryAfterSeconds(headers: Headers): number | null {
  const seconds = Number.parseInt(headers.get("Retry-After") ?? "", 10);
  return Number.isNaN(seconds) ? null : seconds;
}
