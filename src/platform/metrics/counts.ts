import { MINUTE_MS } from "../../domain/time.ts";

/** Buckets of durations, each with its upper bound in milliseconds. */
export const buckets = [
  ["to5", 5],
  ["to10", 10],
  ["to25", 25],
  ["to50", 50],
  ["to100", 100],
  ["to250", 250],
  ["to500", 500],
  ["to1000", 1_000],
  ["to2500", 2_500],
  ["to5000", 5_000],
  ["over5000", Number.POSITIVE_INFINITY],
] as const;

type Bucket = (typeof buckets)[number][0];

/** How many requests fell into each bucket. */
export type Histogram = Record<Bucket, number>;

export function bucketOf(ms: number): Bucket {
  for (const [name, bound] of buckets) if (ms <= bound) return name;
  return "over5000";
}

/**
 * The duration that the share `q` of requests did not exceed, interpolated within its bucket, in whole milliseconds.
 * Null without requests. 5,000 means 5,000 or longer.
 */
export function quantile(histogram: Histogram, q: number): number | null {
  const total = buckets.reduce((sum, [name]) => sum + histogram[name], 0);
  if (total === 0) return null;
  const rank = q * total;
  let below = 0;
  let lower = 0;
  for (const [name, bound] of buckets) {
    const count = histogram[name];
    if (count > 0 && below + count >= rank) {
      if (bound === Number.POSITIVE_INFINITY) break;
      return Math.round(lower + ((bound - lower) * (rank - below)) / count);
    }
    below += count;
    if (bound !== Number.POSITIVE_INFINITY) lower = bound;
  }
  return lower;
}

/** A request that was answered. */
export type AnsweredRequest = {
  /** "api_key:3", "user" or "anonymous". */
  caller: string;
  /** Method and pattern: "GET /api/v1/user/products/{id}". */
  route: string;
  status: number;
  /** Time when the request arrived, in epoch milliseconds. */
  at: number;
  ms: number;
};

export const counters = [
  "requests",
  "redirects",
  "refused",
  "clientErrors",
  "serverErrors",
  "duration",
  ...buckets.map(([name]) => name),
] as const;

type Counter = (typeof counters)[number];

export type Counts = Record<Counter, number> & Histogram & { lastAt: number };

/** Requests of one caller to one route in one minute. */
export type CallerCounts = Counts & { minute: number; caller: string; route: string };

/**
 * Maximum number of callers and routes counted separately between two flushes, about 200 bytes each. Further ones are
 * added up as "other".
 */
const MAX_ENTRIES = 1_000;

/** Requests of this isolate that are not in the database yet. */
export class UnwrittenCounts {
  #entries = new Map<string, CallerCounts>();

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  add({ caller, route, status, at, ms }: AnsweredRequest): void {
    const counts = this.#entryOf(Math.floor(at / MINUTE_MS) * MINUTE_MS, caller, route);
    counts.requests++;
    const outcome = outcomeOf(status);
    if (outcome) counts[outcome]++;
    counts.duration += ms;
    counts[bucketOf(ms)]++;
    if (at > counts.lastAt) counts.lastAt = at;
  }

  /** Returns all counts and forgets them. */
  take(): CallerCounts[] {
    const taken = [...this.#entries.values()];
    this.#entries.clear();
    return taken;
  }

  putBack(taken: readonly CallerCounts[]): void {
    for (const counts of taken) addCounts(this.#entryOf(counts.minute, counts.caller, counts.route), counts);
  }

  #entryOf(minute: number, caller: string, route: string): CallerCounts {
    const key = `${minute} ${caller} ${route}`;
    const known = this.#entries.get(key);
    if (known) return known;
    if (this.#entries.size >= MAX_ENTRIES && caller !== "other") return this.#entryOf(minute, "other", "other");
    const counts = { ...noCounts(), minute, caller, route };
    this.#entries.set(key, counts);
    return counts;
  }
}

/** The counter of an outcome other than success. */
function outcomeOf(status: number): "redirects" | "refused" | "clientErrors" | "serverErrors" | undefined {
  if (status >= 500) return "serverErrors";
  if (status === 429) return "refused";
  if (status >= 400) return "clientErrors";
  return status >= 300 ? "redirects" : undefined;
}

export const noCounts = (): Counts => ({
  requests: 0,
  redirects: 0,
  refused: 0,
  clientErrors: 0,
  serverErrors: 0,
  duration: 0,
  lastAt: 0,
  to5: 0,
  to10: 0,
  to25: 0,
  to50: 0,
  to100: 0,
  to250: 0,
  to500: 0,
  to1000: 0,
  to2500: 0,
  to5000: 0,
  over5000: 0,
});

export function addCounts(sum: Counts, counts: Counts): void {
  for (const name of counters) sum[name] += counts[name];
  sum.lastAt = Math.max(sum.lastAt, counts.lastAt);
}
