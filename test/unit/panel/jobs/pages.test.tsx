import { expect, it } from "vitest";
import { JobStateLabel } from "../../../../src/panel/jobs/pages.tsx";

it.each([
  ["completed", 0, "good"],
  ["completed", 2, "busy"],
  ["failed", 2, "bad"],
] as const)("shows %s with %d failures as %s", async (state, failed, tone) => {
  const element = <JobStateLabel state={state} failed={failed} />;
  expect(await element.toString()).toBe(`<span class="badge ${tone}">${state}</span>`);
});
