import { describe, expect, it } from "vitest";
import { meanOf, runLoad } from "../../../../../scripts/limits/load.ts";
import { loadsOf } from "../../../../../scripts/limits/loads.ts";

const SEEDS = [1, 2, 3, 4];

const figuresOf = (limit: number, load: string) => {
  const [, places = []] = loadsOf(limit).find(([name]) => name === load) ?? [];
  return meanOf(SEEDS.map((seed) => runLoad(limit, places, 20, seed)));
};

// The model is deterministic to the millisecond: these figures are counts, not measurements.

describe("a premium key", () => {
  it.each([
    ["home region, 80 %", 0.999],
    ["one far region, 80 %", 0.999],
    ["two regions, 80 %", 0.999],
    ["five regions, 50 %", 0.998],
    ["five regions, 80 %", 0.998],
  ])("is answered where it is used: %s", (load, least) => {
    const { local, mean_ms, messages, refused } = figuresOf(1_000, load);
    expect(local).toBeGreaterThan(least);
    expect(mean_ms).toBeLessThan(0.5);
    expect(messages).toBeLessThan(0.01);
    expect(refused).toBe(0);
  });
});

describe("a standard key", () => {
  it.each([
    ["home region, 80 %", 0.998, 0.01],
    ["one far region, 80 %", 0.998, 0.01],
    ["two regions, 80 %", 0.985, 0.15],
    ["five regions, 50 %", 0.985, 0.1],
    ["five regions, 80 %", 0.95, 0.5],
  ])("is answered where it is used: %s", (load, least, most) => {
    const { local, messages } = figuresOf(100, load);
    expect(local).toBeGreaterThan(least);
    expect(messages).toBeLessThan(most);
  });
});

describe.each([100, 1_000])("at three times a limit of %i", (limit) => {
  it.each([["two regions, 300 %"], ["five regions, 300 %"], ["five uneven regions, 300 %"]])(
    "nobody is refused while capacity is free, and all of it is used: %s",
    (load) => {
      const { refused_while_free, most_in_60_s } = figuresOf(limit, load);
      expect(refused_while_free).toBe(0);
      expect(most_in_60_s).toBe(limit);
    },
  );
});
