import fc from "fast-check";
import { expect, inject, it } from "vitest";

it("repeats its values, or those of a failure's seed", () => {
  expect(fc.readConfigureGlobal().seed).toBe(inject("seed"));
});
