import { expect, it } from "vitest";
import { percent } from "../../../../src/panel/forms/kinds.ts";

it.each([
  ["19", 19],
  ["8.875", 8.875],
  ["8,875", 8.875],
  [" 7 % ", 7],
  ["0", 0],
  ["", undefined],
  [" % ", undefined],
  ["1,234.5", "1.234.5"],
  ["ten", "ten"],
])("reads %j as a percentage", (typed, value) => {
  expect(percent([typed])).toBe(value);
});
