import fc from "fast-check";
import { expect, it } from "vitest";
import { runHistory } from "../../../../../scripts/limits/history.ts";

const SEEDS = 2 ** 28;

// 10,000 histories in ten parts. What fails is told with the seed that `runHistory` repeats it by.
it.each(Array.from({ length: 10 }, (_, part) => [part + 1]))(
  "never admits more than the limit in any 60 s, whatever goes wrong (part %i)",
  (part) => {
    fc.assert(
      fc.property(fc.integer({ min: part * SEEDS, max: (part + 1) * SEEDS - 1 }), (seed) => {
        for (const { limit, most } of runHistory(seed)) expect(most).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 1_000 },
    );
  },
);

it("uses the whole limit in most of them", () => {
  const histories = Array.from({ length: 300 }, (_, seed) => runHistory(seed));
  const full = histories.filter((epochs) => epochs.some(({ limit, most }) => most === limit));
  expect(full.length).toBeGreaterThan(200);
});
// There and back again: the limit changed twice before a region looked.
it.each([9_073_271, 9_087_455])("never admits more than the limit in the history of seed %i", (seed) => {
  for (const { limit, most } of runHistory(seed)) expect(most).toBeLessThanOrEqual(limit);
});
