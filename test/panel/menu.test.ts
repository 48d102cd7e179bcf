import { expect, it } from "vitest";
import { panel } from "../../src/panel/routes.tsx";
import { sections } from "../../src/panel/sections.ts";

const lists = panel.routes.flatMap(({ method, path }) =>
  method === "GET" && path.endsWith("/new") ? [`/admin${path.replace(/\/new$/, "")}`] : [],
);

it("leads to each list that has a page for a new row", () => {
  expect(lists).toContain("/admin/tax-rates");
  const paths = sections.map(({ path }) => path);
  expect([...new Set(lists)].filter((path) => !paths.includes(path))).toEqual([]);
});
