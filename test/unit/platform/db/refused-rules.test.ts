import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { rulesOf } from "../../../../scripts/database/document/guards.ts";
import { refusals } from "../../../../scripts/database/document/refusals.ts";
import { constraintRules } from "../../../../scripts/database/document/tables.ts";
import { readGuards } from "../../../../scripts/database/guards.ts";

/** The TypeScript of the Worker, without the tables that declare constraints. */
const source = globSync("src/**/*.{ts,tsx}")
  .filter((path) => !path.endsWith("tables.ts") && !path.startsWith("src/client/"))
  .map((path) => readFileSync(path, "utf8"))
  .join("\n");

/** SQLite's message names every column of a UNIQUE constraint, and no table of a foreign key. */
const wordsOf = (rule: string) => (rule.startsWith("FOREIGN KEY ") ? ["FOREIGN KEY"] : rule.split(", "));

const isNamed = (rule: string) => wordsOf(rule).some((word) => new RegExp(`["\\s]${word}\\b`).test(source));

it.each([
  ["trigger", readGuards().flatMap(rulesOf), 60],
  ["constraint", constraintRules(), 150],
] as const)("has an error or a reason for every rule of a %s", (_, rules, atLeast) => {
  expect(new Set(rules).size).toBeGreaterThan(atLeast);
  expect(rules.filter((rule) => (refusals[rule]?.length ?? 0) === 0)).toEqual([]);
});

it("turns every rule with an error into it", () => {
  const told = Object.keys(refusals).filter((rule) => typeof refusals[rule] !== "string");
  expect(told.filter((rule) => !isNamed(rule))).toEqual([]);
});
