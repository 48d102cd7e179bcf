/** The seconds of the Retry-After header, if there is one. */
export function retryAfterSeconds(headers: Headers): number | null {
  const seconds = Number.parseInt(headers.get("Retry-After") ?? "", 10);
  return Number.isNaN(seconds) ? null : seconds;
}
