import { expect, it } from "vitest";
import { cutToFit } from "../../../../src/mcp/admin/cut-to-fit.ts";

const sizeOf = (value: unknown) => JSON.stringify(value).length;

it("leaves a response that fits unchanged", () => {
  const answer = { data: [1, 2, 3], message: "Numbers" };
  expect(cutToFit(answer, 100)).toEqual([]);
  expect(answer).toEqual({ data: [1, 2, 3], message: "Numbers" });
});

it("shortens the largest list at whole items", () => {
  const answer = { data: Array.from({ length: 50 }, (_, id) => ({ id, name: "x".repeat(20) })), tags: ["a", "b"] };
  const cuts = cutToFit(answer, 500);
  expect(sizeOf(answer)).toBeLessThanOrEqual(500);
  expect(answer.tags).toEqual(["a", "b"]);
  expect(answer.data.at(-1)).toEqual({ id: answer.data.length - 1, name: "x".repeat(20) });
  expect(cuts).toEqual([{ place: "data", shown: answer.data.length, of: 50, unit: "items" }]);
});

it("shortens a list within the only remaining row, and then texts", () => {
  const answer = { data: [{ variants: Array.from({ length: 40 }, () => "variant"), text: "y".repeat(5_000) }] };
  const cuts = cutToFit(answer, 1_000);
  expect(sizeOf(answer)).toBeLessThanOrEqual(1_000);
  expect(cuts).toEqual([
    { place: "data.0.variants", shown: 1, of: 40, unit: "items" },
    { place: "data.0.text", shown: 625, of: 5_000, unit: "characters" },
  ]);
});

it("stops if nothing can be shortened", () => {
  const answer = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`key${n}`, n]));
  expect(cutToFit(answer, 50)).toEqual([]);
  expect(Object.keys(answer)).toHaveLength(100);
});
