import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fieldCodes, refusalCodes } from "../../../src/domain/error-codes.ts";

const tests = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => readFileSync(`test/${path}`, "utf8"));

const named = new Set(tests.flatMap((text) => Array.from(text.matchAll(/"(\w+)"/g), ([, word]) => word)));

it("has a test for every documented code, which names it", () => {
  const codes = Object.keys({ ...refusalCodes, ...fieldCodes });
  expect(codes.filter((code) => !named.has(code))).toEqual([]);
});
