import { describe, expect, it } from "vitest";
import { administration } from "../../src/apps/administration.ts";
import { panel } from "../../src/panel/app.tsx";
import { sectionOf } from "../../src/panel/sections.ts";

const lists = new Set(
  panel.routes.flatMap(({ method, path }) =>
    method === "GET" && path.endsWith("/new") ? [path.replace(/\/new$/, "")] : [],
  ),
);

/** API paths that differ from the panel's. */
const apiPaths: Record<string, string> = { "/customers": "/users", "/returns": "/orders/:id/returns" };

describe("a list of the panel with a page for a new row", () => {
  it("is in the menu", () => {
    expect(lists).toContain("/tax-rates");
    expect([...lists].filter((path) => !sectionOf(`/admin${path}`))).toEqual([]);
  });

  it("has a route of the API that creates one", () => {
    const created = administration.routes.flatMap(({ method, path }) => (method === "POST" ? [path] : []));
    const missing = [...lists].filter((path) => !created.includes(`/api/v1/admin${apiPaths[path] ?? path}`));
    expect(missing).toEqual([]);
  });
});
