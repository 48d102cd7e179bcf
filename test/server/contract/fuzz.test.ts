import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { operations } from "../../../scripts/fuzz/document.ts";
import { fuzz } from "../../../scripts/fuzz/run.ts";
import { LONG } from "../../support/long.ts";

// For more runs: `npm run fuzz -- --runs 20000`. To repeat a failure: --seed.
const RUNS = operations.length * 5;

it("answers any request as the document says", LONG, async () => {
  const seen = await fuzz(RUNS, inject("seed"), { built: join(inject("shop").folder, "dist") });
  const sent = [...seen.values()].flatMap((statuses) => [...statuses.values()]).reduce((sum, count) => sum + count, 0);
  expect(sent).toBe(RUNS);
});
