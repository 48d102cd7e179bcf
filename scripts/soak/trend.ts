/** Trend of a figure in its own unit. `perHour` is the slope of its second half. */
export type Trend = { verdict: "plateau" | "leak"; level: number; perHour: number };

/** Growth tolerated in the second half, as a fraction of the level: caches fill up, and collections vary. */
const TOLERATED = 0.1;

/**
 * Decides whether a figure has stabilized, ignoring the first half, in which caches fill up. `points` are hours since
 * the start with their values, oldest first.
 */
export function trendOf(points: readonly [hours: number, value: number][]): Trend {
  const late = points.slice(Math.floor(points.length / 2));
  const [hours, level] = [mean(late.map(([x]) => x)), mean(late.map(([, y]) => y))];
  const spread = sum(late.map(([x]) => (x - hours) ** 2));
  const perHour = spread === 0 ? 0 : sum(late.map(([x, y]) => (x - hours) * (y - level))) / spread;
  const watched = (late.at(-1)?.[0] ?? 0) - (late[0]?.[0] ?? 0);
  return { verdict: perHour * watched > level * TOLERATED ? "leak" : "plateau", level, perHour };
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: number[]): number => sum(values) / values.length;
