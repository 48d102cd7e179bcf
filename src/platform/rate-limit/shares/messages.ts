// Messages between a region and the home of a limiter. Both count totals upwards and send them, so the next message corrects
// one that was lost, late or repeated.

/** Milliseconds after which home counts as unreachable. */
export const ASK_TIMEOUT_MS = 3_000;

/** Milliseconds after which a region counts as unreachable and keeps its quota. */
export const RECALL_TIMEOUT_MS = 1_000;

/** Maximum rounds of recalls that requests wait for. Other regions may free quota in each. */
export const ROUNDS = 6;

/** A region's status, sent with each question and answer. */
export type Report = {
  /** Names the region's stored state. A region that started over has a new id; `previous` will never spend again. */
  id: string;
  previous: string | null;
  /** Total granted, as far as known, and total given back. The difference is its share. */
  granted: number;
  given: number;
  used: number;
  /** Milliseconds until its window frees quota. */
  freesInMs: number;
};

/** A region's request for more under a limit, with the number of waiting requests. */
export type Ask = Report & { limit: number; waiting: number };

/** Home's answer: the total ever granted to the region. */
export type Grant = {
  id: string;
  granted: number;
  /** Milliseconds until home may have more. 0 if it granted something. */
  retryMs: number;
};

/** Home's request for unused quota: at most this much, and half or all of it. */
export type Recall = { id: string; granted: number; most: number; part: "half" | "all" };
