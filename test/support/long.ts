/** The time of a test that starts servers or programs again and again, or sends hundreds of requests one after the other. */
export const LONG = { timeout: 300_000 };
