const MINUTE_MS = 60_000;
const LONGEST_MS = 60 * MINUTE_MS;

/** 1, 2, 4, … 32 minutes after the first attempts, then every hour: the last one is more than a day after the first. */
export const MAX_ATTEMPTS = 31;

/** How long to wait after so many attempts that failed. */
export const delayAfter = (attempts: number): number => Math.min(MINUTE_MS * 2 ** (attempts - 1), LONGEST_MS);
