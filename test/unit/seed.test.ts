import fc from "fast-check";
import { expect, inject, it } from "vitest";

it("draws again what it drew, or what the seed of a failure says", () => {
  expect(fc.readConfigureGlobal().seed).toBe(inject("seed"));
});
