import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { inheritable } from "../../../../src/platform/db/schema.ts";

const sql = readFileSync("src/platform/db/guards/product-variants.sql", "utf8");
const triggerOf = (name: string) => sql.split(`CREATE TRIGGER ${name} `)[1]?.split("END;")[0] ?? "";
// Files are rows of their own, with triggers of their own.
const columns = inheritable.filter((field) => field !== "file_ids").toSorted();

it("copies every inherited field to a variant", () => {
  const copied = [
    ...triggerOf("inheritance_is_copied").matchAll(
      /(\w+) = iif\(instr\(products\.inherits, '"(\w+)"'\), parent\.(\w+)/g,
    ),
  ];
  expect(copied.map(([, ...names]) => [...new Set(names)].join()).toSorted()).toEqual(columns);
});

it("copies them again when the product changes", () => {
  const [, watched = ""] =
    /AFTER UPDATE OF ([\w\s,]+) ON products/.exec(triggerOf("product_change_is_inherited")) ?? [];
  const always = ["category_id"];
  expect(
    watched
      .split(/[\s,]+/)
      .filter((column) => !always.includes(column))
      .toSorted(),
  ).toEqual(columns);
});
