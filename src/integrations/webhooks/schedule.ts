const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Longest delay of the schedule, also used while an endpoint does not answer at all. */
export const LAST_DELAY = DAY;

/** Delays after a failed attempt: before the second attempt, the third, and so on. */
const RETRY_DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  LAST_DELAY,
];

/** Maximum random extra delay, as a share of the delay, so that joint failures are not retried together. */
const JITTER = 0.1;

/** Upper limit for a receiver's Retry-After, which may exceed the schedule. */
const LONGEST_RETRY_AFTER = DAY;

/** Uninterrupted failures for this long count as an outage. When it ends, all pending deliveries are sent immediately. */
export const OUTAGE_MS = 5 * MINUTE;

/** After uninterrupted failures for this long, the endpoint is paused. */
export const GIVE_UP_MS = 5 * DAY;

/**
 * Returns when a delivery with `attempts` failures is retried, null if it is given up. `random` is from 0 to 1; `retryAfter`
 * is the receiver's header.
 */
export function nextAttemptAt(attempts: number, retryAfter: string | null, now: number, random: number): number | null {
  const delay = RETRY_DELAYS[attempts - 1];
  if (delay === undefined) return null;
  return now + Math.max(delay * (1 + JITTER * random), retryAfterMs(retryAfter, now));
}

/** Parses seconds or a date (RFC 9110, 10.2.3) into milliseconds. Returns 0 for anything else. */
function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * SECOND : Date.parse(header) - now;
  return Math.min(Math.max(wait || 0, 0), LONGEST_RETRY_AFTER);
}
