import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

type Schema = { enum?: unknown[]; properties?: Record<string, Schema>; $ref?: string };
type Parameter = { name?: string; in?: string; schema?: Schema };
type Operation = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const guide = readFileSync("docs/api.md", "utf8");
const { paths, components }: Document = JSON.parse(readFileSync("public/openapi.json", "utf8"));

/** Explained once for all lists, in docs/listing.md. */
const OF_ANY_LIST = ["page", "per_page", "fields", "after_id", "updated_since"];

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const route = path.replace(/^\/api\/v1(\/user)?/, "").replaceAll(/\{(\w+)\}/g, ":$1");
    return { method: method.toUpperCase(), route, ...operation };
  }),
);

/** The rows of the tables in which a route stands with this method, and those of the route that they refer to. */
function rowsOf(method: string, route: string): string {
  const rows = guide.split("\n").filter((row) => {
    const [, routes = ""] = row.split("|");
    return new RegExp(`\\b${method}\\b[A-Z, ]*[^|]*(?<!\\w)${route}(?![\\w/:])`).test(routes);
  });
  const [, other, otherRoute] = /`([A-Z]+) (\/[^`]+)`/.exec(rows.join()) ?? [];
  return [...rows, other && otherRoute ? rowsOf(other, otherRoute) : ""].join("\n");
}

describe("each list", () => {
  const filtered = operations.flatMap(({ method, route, parameters = [] }) =>
    parameters
      .filter(({ in: place, name = "" }) => place === "query" && !OF_ANY_LIST.includes(name))
      .map(({ name = "", schema }) => ({ method, route, name, values: name === "sort" ? (schema?.enum ?? []) : [] })),
  );

  it.each(filtered)("$method $route is documented with $name", ({ method, route, name, values }) => {
    const row = rowsOf(method, route);
    expect(row).toMatch(new RegExp(`\`${name}\`|[?&]${name}=`));
    for (const value of values) expect(row).toMatch(new RegExp(`(?<![\\w-])${value}(?![\\w-])`));
  });
});

describe("each body of the storefront", () => {
  const bodies = operations
    .filter(({ route, requestBody }) => requestBody && !/^\/(admin|webhooks)\//.test(route))
    .flatMap(({ method, route, requestBody }) => {
      const { $ref, ...inline } = requestBody?.content["application/json"]?.schema ?? {};
      const { properties = {} } = $ref ? (components.schemas[$ref.replace(/.*\//, "")] ?? {}) : inline;
      return Object.keys(properties).map((name) => ({ method, route, name }));
    });

  it.each(bodies)("$method $route is documented with $name", ({ method, route, name }) => {
    expect(rowsOf(method, route)).toContain(`\`${name}\``);
  });
});
