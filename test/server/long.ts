/** The time that a test has which starts servers or wrangler again and again, or asks for hundreds of pages or answers. */
export const LONG = { timeout: 300_000 };
