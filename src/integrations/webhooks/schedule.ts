const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The longest wait of the schedule, and what goes on while an endpoint does not answer at all. */
export const LAST_DELAY = DAY;

/** How long after an attempt that failed the next one is made: the second, the third, and so on. */
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

/** An attempt is up to this part of its delay late, so that what failed together is not repeated together. */
const JITTER = 0.1;

/** A receiver may ask for more patience than the schedule has, but not for more than this. */
const LONGEST_RETRY_AFTER = DAY;

/** Failures for so long, and nothing else, were an outage: once it is over, all that waits is sent at once. */
export const OUTAGE_MS = 5 * MINUTE;

/** After failures for so long, and nothing else, the endpoint is paused. */
export const GIVE_UP_MS = 5 * DAY;

/**
 * When a delivery that has failed `attempts` times is sent again, null if it is not. `random` is from 0 to 1; `retryAfter` is
 * the header that the receiver sent.
 */
export function nextAttemptAt(attempts: number, retryAfter: string | null, now: number, random: number): number | null {
  const delay = RETRY_DELAYS[attempts - 1];
  if (delay === undefined) return null;
  return now + Math.max(delay * (1 + JITTER * random), retryAfterMs(retryAfter, now));
}

/** Seconds, or a date (RFC 9110, 10.2.3); 0 for anything else. */
function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * SECOND : Date.parse(header) - now;
  return Math.min(Math.max(wait || 0, 0), LONGEST_RETRY_AFTER);
}
