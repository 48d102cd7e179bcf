import type { Problems } from "./check.ts";
import type { Client } from "./client.ts";
import type { Shop } from "./shop.ts";
import { type Trend, trendOf } from "./trend.ts";

type Findings = {
  startedAt: number;
  endedAt: number;
  shop: Shop;
  client: Client;
  /** How often other things happened. */
  counts: Record<string, number>;
  problems: Problems;
  heap: Trend;
};

const MINUTE_MS = 60_000;
/** Maximum number of problems shown for each statement. */
const NAMED = 5;

const row = (...cells: unknown[]): string => `| ${cells.join(" | ")} |`;
const inMb = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

const quantile = (times: number[], share: number): number | undefined =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)];

/** One page of figures. */
export function page({ startedAt, endedAt, shop, client, counts, problems, heap }: Findings): string {
  const minuteOf = (time: number): string => ((time - startedAt) / MINUTE_MS).toFixed(1);
  const tallies = [...client.tallies].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    `# ${minuteOf(endedAt)} minutes of a shop's life`,
    "",
    row("request", "answered", "refused", "retried", "lost", "p50, ms", "p95, ms"),
    row(...Array(7).fill("---")),
    ...tallies.map(([kind, { answered, refused, retried, lost, times }]) =>
      row(kind, answered, refused, retried, lost, quantile(times, 0.5), quantile(times, 0.95)),
    ),
    "",
    ...Object.entries(counts).map(([name, count]) => `- ${name}: ${count}`),
    ...shop.interruptions.map(
      ({ what, from, to }) => `- ${what} at minute ${minuteOf(from)}, without service for ${(to - from) / 1_000} s`,
    ),
    "",
    row("minute", "workerd, MB", "alive in the Worker, MB"),
    row("---", "---", "---"),
    ...shop.samples.map(({ at, resident, heap: alive }) => row(minuteOf(at), inMb(resident), inMb(alive))),
    "",
    `The Worker's heap: ${heap.verdict} at ${inMb(heap.level)} MB, ${inMb(heap.perHour)} MB an hour in the second half after the last interruption.`,
    "",
    ...Object.entries(problems).flatMap(([says, found]) => [
      `${found.length === 0 ? "ok    " : "WRONG "} ${says}`,
      ...found.slice(0, NAMED).map((problem) => `         ${problem}`),
    ]),
    "",
  ].join("\n");
}

/** Memory under load since the last interruption. The trend covers the second half. */
export function heapTrend({ samples, interruptions }: Shop, endedAt: number): Trend {
  const since = interruptions.at(-1)?.to ?? 0;
  const later = samples.filter(({ at }) => at > since && at <= endedAt);
  return trendOf(later.map(({ at, heap }) => [at / 3_600_000, heap]));
}
