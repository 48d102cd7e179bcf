import { expect, it } from "vitest";
import { rowsOf, table } from "../../../../scripts/bench/report.ts";
import type { Scenario } from "../../../../scripts/bench/scenarios.ts";

const scenario = (worker: Scenario["worker"], floor: string): Scenario => ({
  worker,
  floor,
  status: 200,
  connections: 1,
  prepare: async () => [],
});

const rows = rowsOf(
  new Map([
    ["floor-do", scenario("floor", "floor-do")],
    ["list-warm", scenario("shop", "floor-do")],
  ]),
  new Map([
    ["floor-do", { rps: 4321.04, p50: 1.234, p99: 9.876, ratio: 1 }],
    ["list-warm", { rps: 4000, p50: 1.5, p99: 12.345, ratio: 0.92571 }],
  ]),
  new Map([["list-warm", { d1: 0, r2: 0, durableObjects: 1, statements: 0, rowsRead: 3, rowsWritten: 0 }]]),
);

it("gives --json a row per scenario, with its measurements, floor and cost", () => {
  const counted = { d1_round_trips: 0, rows_read: 0, rows_written: 0, do_calls: 0 };
  expect(JSON.parse(JSON.stringify({ rows }))).toEqual({
    rows: [
      { name: "floor-do", rps: 4321, p50_ms: 1.23, p99_ms: 9.88, floor: "floor-do", floor_ratio: 1, ...counted },
      {
        name: "list-warm",
        rps: 4000,
        p50_ms: 1.5,
        p99_ms: 12.35,
        floor: "floor-do",
        floor_ratio: 0.926,
        ...counted,
        rows_read: 3,
        do_calls: 1,
      },
    ],
  });
});

it("prints the rows as a table, with names on the left and figures on the right", () => {
  const [head = "", ...lines] = table(rows).split("\n");
  expect(lines.map((line) => line.split(/ +/).slice(0, 4))).toEqual([
    ["floor-do", "4321", "1.23", "9.88"],
    ["list-warm", "4000", "1.5", "12.35"],
  ]);
  const rpsEnds = head.indexOf("rps") + "rps".length;
  expect(lines.map((line) => line[rpsEnds])).toEqual([" ", " "]);
  expect(table([])).toBe("");
});
