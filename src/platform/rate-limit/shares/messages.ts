// What a region and the home of a limiter tell each other. Both sides count for ever upwards what moved between them, and tell
// the totals: so a message that is lost, late or told twice changes nothing that the next one does not set right.

/** A home that is slower than this counts as out of reach. */
export const ASK_TIMEOUT_MS = 3_000;

/** A region that is slower than this counts as out of reach: it keeps what it has. */
export const RECALL_TIMEOUT_MS = 1_000;

/** Requests wait for so many rounds of recalls at most: with each of them other regions may have freed something. */
export const ROUNDS = 6;

/** A region tells home how it stands, with each question and with each answer. */
export type Report = {
  /** Names the region's stored state. A region that began anew has a new one; `previous` will never spend again. */
  id: string;
  previous: string | null;
  /** How much it was granted, as far as it has heard, and how much of that it gave back. The rest is its share. */
  granted: number;
  given: number;
  used: number;
  /** Milliseconds until its window forgets something. */
  freesInMs: number;
};

/** A region asks for more under the limit that its id is for; so many of its requests wait for the answer. */
export type Ask = Report & { limit: number; waiting: number };

/** Home's answer: all that the region was ever granted. */
export type Grant = {
  id: string;
  granted: number;
  /** Milliseconds until home may have more; 0 when it had something. */
  retryMs: number;
};

/** Home wants capacity back that the region does not use: at most so much of it, and half or all of it. */
export type Recall = { id: string; granted: number; most: number; part: "half" | "all" };
