import fc from "fast-check";
import { expect, it } from "vitest";
import { runHistory } from "../../../../../scripts/limits/history.ts";
import { runsOf } from "../../../../support/runs.ts";

const SEEDS = 2 ** 28;

// 10,000 histories in ten parts. A failure prints the seed for `runHistory`.
it.each(Array.from({ length: 10 }, (_, part) => [part + 1]))(
  "never admits more than the limit in any 60 s, and loses at most a tenth of it for each death (part %i)",
  (part) => {
    fc.assert(
      fc.property(fc.integer({ min: part * SEEDS, max: (part + 1) * SEEDS - 1 }), (seed) => {
        const { epochs, costs } = runHistory(seed);
        for (const { limit, most } of epochs) expect(most).toBeLessThanOrEqual(limit);
        for (const { cost, most } of costs) expect(cost).toBeLessThanOrEqual(most);
      }),
      { numRuns: runsOf(1_000) },
    );
  },
);

it("uses the whole limit in most of them", () => {
  const histories = Array.from({ length: 300 }, (_, seed) => runHistory(seed));
  const full = histories.filter(({ epochs }) => epochs.some(({ limit, most }) => most === limit));
  expect(full.length).toBeGreaterThan(200);
});
