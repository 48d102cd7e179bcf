import { expect, it } from "vitest";
import { trendOf } from "../../../../scripts/soak/trend.ts";

/** One value a minute for half an hour. */
const halfAnHour = (at: (minute: number) => number) =>
  Array.from({ length: 31 }, (_, minute): [number, number] => [minute / 60, at(minute)]);

it.each([
  ["what never changes", () => 100],
  ["what fills up within the first half", (minute: number) => Math.min(600, 126 + minute * 60)],
  ["what goes up and down", (minute: number) => 100 + (minute % 2) * 8],
  ["what shrinks", (minute: number) => 600 - minute * 10],
])("calls %s a plateau", (_, at) => {
  expect(trendOf(halfAnHour(at)).verdict).toBe("plateau");
});

it.each([
  ["by as much each minute", (minute: number) => 126 + minute * 16],
  ["in steps", (minute: number) => 20 + Math.floor(minute / 5) * 2],
])("calls it a leak if it grows %s", (_, at) => {
  expect(trendOf(halfAnHour(at)).verdict).toBe("leak");
});

it("reports the level and the slope of the second half", () => {
  const { level, perHour } = trendOf(halfAnHour((minute) => 100 + minute));
  expect(level).toBeCloseTo(122.5);
  expect(perHour).toBeCloseTo(60);
});
