/** With `delayAfter` the last attempt is more than a day after the first. */
export const MAX_ATTEMPTS = 31;
