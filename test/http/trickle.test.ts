import { expect, it } from "vitest";
import { Trickle } from "../../src/http/trickle.ts";

const repeat = (count: number, take: () => number | null) => Array.from({ length: count }, take);

it("lets so many through in a second, and tells the next how many it held back", () => {
  const trickle = new Trickle(3);
  expect(repeat(5, () => trickle.take(1_000))).toEqual([0, 0, 0, null, null]);
  expect(trickle.take(1_999)).toBeNull();
  expect(repeat(4, () => trickle.take(2_000))).toEqual([3, 0, 0, null]);
  expect(trickle.take(9_000)).toBe(1);
  expect(trickle.take(9_001)).toBe(0);
});
