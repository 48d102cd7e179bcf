import { expect, it } from "vitest";
import { nextAttemptAt } from "../../../../src/integrations/webhooks/schedule.ts";

const NOW = Date.parse("2026-11-22T12:00:00Z");
const [S, MIN, H] = [1_000, 60_000, 3_600_000];
const delays = [5 * S, 5 * MIN, 30 * MIN, 2 * H, 5 * H, 10 * H, 14 * H, 20 * H, 24 * H];

it("retries after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and then no more", () => {
  const planned = [...delays.keys(), 9].map((step) => nextAttemptAt(step + 1, null, NOW, 0));
  expect(planned).toEqual([...delays.map((delay) => NOW + delay), null]);
  expect(nextAttemptAt(11, null, NOW, 0)).toBeNull();
});

it("spreads attempts that failed together, never ahead of their time", () => {
  expect(nextAttemptAt(3, null, NOW, 0.5)).toBe(NOW + 31.5 * MIN);
  expect(nextAttemptAt(3, null, NOW, 1)).toBe(NOW + 33 * MIN);
});

it.each([
  ["60", 60 * S],
  [" 60 ", 60 * S],
  ["86400", 24 * H],
  ["999999999999", 24 * H],
  ["Sun, 22 Nov 2026 12:10:00 GMT", 10 * MIN],
  ["Sun, 22 Nov 2026 11:00:00 GMT", 5 * S],
  ["Sun, 22 Nov 2036 12:00:00 GMT", 24 * H],
  ["3", 5 * S],
  ["0", 5 * S],
  ["-60", 5 * S],
  ["1e9", 5 * S],
  ["soon", 5 * S],
  ["", 5 * S],
])("waits as long as Retry-After: %s asks, between its own delay and a day", (header, wait) => {
  expect(nextAttemptAt(1, header, NOW, 0)).toBe(NOW + wait);
});

it("does not let Retry-After add attempts", () => {
  expect(nextAttemptAt(10, "60", NOW, 0)).toBeNull();
});
