import { expect, it } from "vitest";
import { mostInWindow } from "../../../../scripts/soak/limits.ts";

/** Requests sent at these seconds and answered half a second later. */
const sentAt = (...seconds: number[]) =>
  mostInWindow({
    policy: "standard",
    refused: 0,
    admitted: seconds.map((second): [number, number] => [second * 1_000, second * 1_000 + 500]),
  });

it("counts requests that were certainly admitted within one window, wherever it begins", () => {
  expect(sentAt(0, 30, 59, 61, 62, 90, 200)).toBe(4);
});

it("leaves out a request that may have been admitted after the window", () => {
  expect(sentAt(0, 59.6)).toBe(1);
  expect(sentAt(0, 59.4)).toBe(2);
});
