import { expect, it } from "vitest";
import { hasMoreValues } from "../../../../src/platform/http/bounds.ts";

it("counts the values of a JSON text, whatever its strings hold", () => {
  expect(hasMoreValues(JSON.stringify({ text: '[{,"\\'.repeat(10_000) }), 2)).toBe(false);
  expect(hasMoreValues(JSON.stringify(['\\",[', 1, 2]), 4)).toBe(false);
  expect(hasMoreValues(JSON.stringify(['\\",[', 1, 2]), 3)).toBe(true);
});
