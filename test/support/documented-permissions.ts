import guide from "../../docs/api.md?raw";

/** The routes of the tables in docs/api.md: "GET, PUT /account/profile" are two, and a query string is no part of a path. */
export function documentedRoutes(): [line: string, permissions: string][] {
  return [...guide.matchAll(/^\| ((?:GET|POST|PUT|DELETE)[A-Z, ]*) (\/[^ ?]*)[^|\n]*\|[^|\n]*\|([^|\n]*)\|/gm)].flatMap(
    ([, methods = "", path, permissions = ""]) =>
      methods.split(", ").map((method): [string, string] => [`${method} ${path}`, permissions]),
  );
}
