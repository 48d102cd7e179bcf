import { expect, it } from "vitest";
import { LogSampler } from "../../../../src/platform/http/log.ts";

const repeat = (count: number, take: () => number | null) => Array.from({ length: count }, take);

it("admits a fixed number per second, and tells the next how many were held back", () => {
  const sampler = new LogSampler(3);
  expect(repeat(5, () => sampler.sample(1_000))).toEqual([0, 0, 0, null, null]);
  expect(sampler.sample(1_999)).toBeNull();
  expect(repeat(4, () => sampler.sample(2_000))).toEqual([3, 0, 0, null]);
  expect(sampler.sample(9_000)).toBe(1);
  expect(sampler.sample(9_001)).toBe(0);
});
