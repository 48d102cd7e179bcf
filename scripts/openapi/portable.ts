/** Unicode property classes need a flag, linear-time engines have no lookaround, and only JavaScript escapes a slash. */
const NOT_EVERYWHERE = /\\p\{|\(\?[=!<]|(?:^|[^\\])(?:\\\\)*\\\//i;

/**
 * Constructs that other languages read differently: a `multipleOf` that no binary float satisfies, patterns that some engines
 * do not support, an `allOf` of patterns, for which generators find no type, and a `const`, which those of OpenAPI 3.0 ignore.
 */
export function unportable(value: unknown, path = "#"): string[] {
  if (typeof value !== "object" || value === null) return [];
  const [multipleOf, pattern, allOf, constant]: unknown[] = ["multipleOf", "pattern", "allOf", "const"].map((name) =>
    Reflect.get(value, name),
  );
  return [
    ...(typeof multipleOf === "number" && !Number.isInteger(multipleOf)
      ? [`${path} is a multipleOf ${multipleOf}`]
      : []),
    ...(typeof pattern === "string" && NOT_EVERYWHERE.test(pattern) ? [`${path} has the pattern ${pattern}`] : []),
    ...(Array.isArray(allOf) && allOf.some((part) => "pattern" in part) ? [`${path} has several patterns`] : []),
    ...(constant !== undefined && typeof constant !== "object" ? [`${path} is the const ${constant}`] : []),
    ...Object.entries(value).flatMap(([name, inner]) => unportable(inner, `${path}/${name}`)),
  ];
}
