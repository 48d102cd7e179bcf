const MINUTE_MS = 60_000;
export const LONGEST_MS = 60 * MINUTE_MS;

/** How long to wait after so many attempts that failed: 1, 2, 4, … 32 minutes, then an hour. */
export const delayAfter = (attempts: number): number => Math.min(MINUTE_MS * 2 ** (attempts - 1), LONGEST_MS);
