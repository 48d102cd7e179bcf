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
 * The duration that the share `q` of requests did not exceed, interpolated within its bucket, in whole milliseconds. Null
 * without requests; 5,000 stands for anything longer.
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
