import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { migrationFiles } from "../../../../scripts/database/migrations.ts";
import { mostArguments, requireFewArguments } from "../../../support/function-arguments.ts";

const call = (count: number) => `SELECT json_array(${Array.from({ length: count }, () => "'a, b('").join(", ")})`;

it("counts the arguments of a function, whatever its texts and its calls contain", () => {
  expect(mostArguments(call(5))).toBe(5);
  expect(mostArguments("SELECT max(min(1, 2, 3), 4) FROM orders")).toBe(3);
  expect(mostArguments('INSERT INTO "orders" (a, b, c) VALUES (1, 2, 3)')).toBe(0);
  expect(() => requireFewArguments(call(32))).not.toThrow();
  expect(() => requireFewArguments(call(33))).toThrow("33 arguments");
});

it("is at most 32 in the triggers and views of every migration", () => {
  for (const path of migrationFiles())
    for (const statement of readFileSync(path, "utf8").split("--> statement-breakpoint"))
      requireFewArguments(statement);
});
