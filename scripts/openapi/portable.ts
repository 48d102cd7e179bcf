/** Unicode property classes need a flag, and linear-time engines have no lookaround. */
const NOT_EVERYWHERE = /\\p\{|\(\?[=!<]/i;

/**
 * Constructs that validators in other languages read differently: a `multipleOf` that no binary float satisfies, and
 * patterns that some engines do not support.
 */
export function unportable(value: unknown, path = "#"): string[] {
  if (typeof value !== "object" || value === null) return [];
  const [multipleOf, pattern]: unknown[] = ["multipleOf", "pattern"].map((name) => Reflect.get(value, name));
  return [
    ...(typeof multipleOf === "number" && !Number.isInteger(multipleOf)
      ? [`${path} is a multipleOf ${multipleOf}`]
      : []),
    ...(typeof pattern === "string" && NOT_EVERYWHERE.test(pattern) ? [`${path} has the pattern ${pattern}`] : []),
    ...Object.entries(value).flatMap(([name, inner]) => unportable(inner, `${path}/${name}`)),
  ];
}
