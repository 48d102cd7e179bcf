import { expect, it } from "vitest";
import { QueryBudget } from "../../../../src/platform/db/d1-limits.ts";

/** Makes queries while the budget allows it, and returns their number. */
function work(queries: QueryBudget, wanted: number): number {
  let made = 0;
  for (; made < wanted && queries.allowsMore(); made++) queries.made++;
  return made;
}

it("gives each part an equal share of what is left, and later parts what earlier ones did not need", () => {
  const queries = new QueryBudget(100);
  const made = [50, 5, 50, 50].map((wanted, index) => {
    queries.shareAmong(4 - index);
    return [work(queries, wanted), queries.isCut];
  });
  expect(made).toEqual([
    [25, true],
    [5, false],
    [35, true],
    [35, true],
  ]);
});

it("has no limit unless one is given", () => {
  expect(work(new QueryBudget(), 10_000)).toBe(10_000);
});
