import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { rulesOf } from "../../../../scripts/database/document/guards.ts";
import { refusals } from "../../../../scripts/database/document/refusals.ts";
import { readGuards } from "../../../../scripts/database/guards.ts";

/** The TypeScript of the Worker, without the tables that declare constraints. */
const source = globSync("src/**/*.{ts,tsx}")
  .filter((path) => !path.endsWith("tables.ts") && !path.startsWith("src/client/"))
  .map((path) => readFileSync(path, "utf8"))
  .join("\n");

const isNamed = (rule: string) => new RegExp(`\\b${rule}\\b`).test(source);

it("has an error or a reason for every rule of a trigger", () => {
  const raised = new Set(readGuards().flatMap(rulesOf));
  expect(raised.size).toBeGreaterThan(60);
  expect([...raised].filter((rule) => (refusals[rule]?.length ?? 0) === 0)).toEqual([]);
});

it("turns every rule with an error into it", () => {
  const told = Object.keys(refusals).filter((rule) => typeof refusals[rule] !== "string");
  expect(told.filter((rule) => !isNamed(rule))).toEqual([]);
});
