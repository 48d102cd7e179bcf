import { expect, it } from "vitest";
import { chosenIds } from "../../../../src/back-office/bulk-actions/selection.ts";
import { ApiError } from "../../../../src/domain/errors.ts";

/** A list with this many rows. */
const listOf = (rows: number) => async (_: Record<string, string>, most: number) =>
  Array.from({ length: Math.min(rows, most) }, (__, id) => id);

it("is all rows of a list, up to the maximum", async () => {
  expect(await chosenIds({ filters: {} }, listOf(3), 3)).toEqual([0, 1, 2]);
  const refused = await chosenIds({ filters: {} }, listOf(4), 3).catch((error) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused.details).toEqual([{ field: "filters", code: "too_big", limit: 3 }]);
  const nothing = await chosenIds({ filters: {} }, listOf(0), 3).catch((error) => error);
  expect(nothing.details).toEqual([{ field: "filters", code: "nothing_to_change" }]);
  expect(await chosenIds({ filters: {} }, listOf(10_000))).toHaveLength(10_000);
});

it("contains each selected id once", async () => {
  expect(await chosenIds({ ids: [3, 1, 3] }, listOf(9))).toEqual([3, 1]);
});
