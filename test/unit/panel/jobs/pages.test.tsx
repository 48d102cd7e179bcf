import { expect, it } from "vitest";
import { JobStateLabel } from "../../../../src/panel/jobs/pages.tsx";

it.each([
  ["completed", 5, 0, "calm", "completed"],
  ["completed", 5, 2, "busy", "completed with failures"],
  ["completed", 0, 2, "bad", "failed"],
  ["failed", 5, 2, "bad", "failed"],
] as const)("shows %s with %d done and %d failed as %s", async (state, done, failed, tone, words) => {
  const element = <JobStateLabel state={state} done={done} failed={failed} />;
  expect(await element.toString()).toBe(`<span class="badge ${tone}">${words}</span>`);
});
