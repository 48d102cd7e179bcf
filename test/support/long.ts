/**
 * Timeout of a test that starts servers or programs, sends hundreds of requests in turn, or walks a browser through a
 * shop.
 */
export const LONG = { timeout: 300_000 };
