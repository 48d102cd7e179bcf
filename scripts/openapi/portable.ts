/** Classes by Unicode property need a flag, and what looks ahead or behind is unknown to engines of linear time. */
const NOT_EVERYWHERE = /\\p\{|\(\?[=!<]/i;

/**
 * What a validator in some other language would read differently: a `multipleOf` that no binary float is a multiple of, and
 * patterns that not every engine knows.
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
