import { expect, it } from "vitest";
import {
  gramsOf,
  linesIn,
  listIn,
  mostSpecific,
  saysMore,
} from "../../../../../src/back-office/imports/woocommerce/fields.ts";

it("separates values by commas that have no backslash", () => {
  expect(listIn("A > B, C\\, D,, E ")).toEqual(["A > B", "C, D", "E"]);
  expect(listIn("")).toEqual([]);
});

it("treats the letters \\n as a line break, unless there is another backslash", () => {
  expect(linesIn("One\\nTwo\\\\nThree")).toBe("One\nTwo\\nThree");
});

it("uses the deepest category, and the first of several", () => {
  expect(mostSpecific(["A", "A > B", "C > D"])).toBe("A > B");
  expect(mostSpecific([])).toBeUndefined();
  expect(["A", "A > B", "AB", "C > D"].filter((each) => saysMore(each, "A > B"))).toEqual(["AB", "C > D"]);
});

it("knows the units of weight", () => {
  expect(
    ["Weight (kg)", "Weight (g)", "Weight (lbs)", "Weight (oz)"].map((name) => Math.round(gramsOf(name) * 10)),
  ).toEqual([10_000, 10, 4_536, 283]);
});
