import readme from "../../README.md?raw";

/** The routes of the README's tables: "GET, PUT /account/profile" are two, and a query string is no part of a path. */
export function routesOfReadme(): [line: string, permissions: string][] {
  return [
    ...readme.matchAll(/^\| ((?:GET|POST|PUT|DELETE)[A-Z, ]*) (\/[^ ?]*)[^|\n]*\|[^|\n]*\|([^|\n]*)\|/gm),
  ].flatMap(([, methods = "", path, permissions = ""]) =>
    methods.split(", ").map((method): [string, string] => [`${method} ${path}`, permissions]),
  );
}
