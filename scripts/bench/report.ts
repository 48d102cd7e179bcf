import type { Measurement } from "./measure.ts";
import type { Scenario } from "./scenarios.ts";
import type { Cost } from "./workers/telling.ts";

/** Counts are per request, and latencies in milliseconds. A floor is its own floor. */
export type Row = {
  name: string;
  rps: number;
  p50_ms: number;
  p99_ms: number;
  floor: string;
  floor_ratio: number;
  d1_round_trips: number;
  rows_read: number;
  rows_written: number;
  do_calls: number;
};

export function rowsOf(
  all: Map<string, Scenario>,
  measured: Map<string, Measurement>,
  costs: Map<string, Cost>,
): Row[] {
  return [...all].map(([name, { floor }]) => {
    const { rps = Number.NaN, p50 = Number.NaN, p99 = Number.NaN, ratio = Number.NaN } = measured.get(name) ?? {};
    const { d1 = 0, rowsRead = 0, rowsWritten = 0, durableObjects = 0 } = costs.get(name) ?? {};
    return {
      name,
      rps: rounded(rps, 1),
      p50_ms: rounded(p50, 2),
      p99_ms: rounded(p99, 2),
      floor,
      floor_ratio: rounded(ratio, 3),
      d1_round_trips: d1,
      rows_read: rowsRead,
      rows_written: rowsWritten,
      do_calls: durableObjects,
    };
  });
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

export function table(rows: Row[]): string {
  const [first] = rows;
  if (!first) return "";
  const lines = [Object.keys(first), ...rows.map((row) => Object.values(row).map(String))];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const aligned = (cell: string, column: number) =>
    column === 0 || column === 4 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(aligned).join("  ")).join("\n");
}
