const MAX_ROWS = 3;
const MAX_TEXT = 400;

/** Shortens lists and texts of a recorded value to a few examples. */
export function shortened(value: unknown): unknown {
  if (typeof value === "string" && value.length > MAX_TEXT) return `${value.slice(0, MAX_TEXT)}…`;
  if (Array.isArray(value)) return value.slice(0, MAX_ROWS).map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, shortened(held)]));
}
