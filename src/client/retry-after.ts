/** What the service asks to wait for, if it does. */
export function secondsAsked(headers: Headers): number | null {
  const seconds = Number.parseInt(headers.get("Retry-After") ?? "", 10);
  return Number.isNaN(seconds) ? null : seconds;
}
