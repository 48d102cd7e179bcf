import Papa from "papaparse";

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 80) ?? "absent";

/** Number of rows of an export that are compared. */
const ROWS = 25;

/** An export as objects, so that a new column is an added field: the number of rows, and the first of them. */
export function contentOf(body: unknown, type: string): unknown {
  if (typeof body !== "string") return body;
  const lines = body.trim().split("\n");
  if (type.includes("ndjson"))
    return { rows: lines.length, first: lines.slice(0, ROWS).map((line) => JSON.parse(line)) };
  if (!type.includes("csv")) return body;
  const rows = Papa.parse(body, { header: true, skipEmptyLines: true }).data;
  return { rows: rows.length, first: rows.slice(0, ROWS) };
}

/** A cell of an export that holds a list or an object as JSON, parsed. Any other value as it is. */
const parsed = (value: unknown): unknown =>
  typeof value === "string" && /^[[{].*[\]}]$/s.test(value) ? JSON.parse(value) : value;

/** The fields of `before` that are missing from `after` or differ in it, one per line. New fields are ignored. */
export function differences(old: unknown, current: unknown, path = ""): string[] {
  const [before, after] = [parsed(old), parsed(current)];
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return [`${path} had ${before.length} items and has ${after.length}`];
    return before.flatMap((item, place) => differences(item, after[place], `${path}[${place}]`));
  }
  if (isObject(before) && isObject(after) && !Array.isArray(before) && !Array.isArray(after)) {
    return Object.keys(before).flatMap((key) => differences(before[key], after[key], path ? `${path}.${key}` : key));
  }
  return before === after ? [] : [`${path} was ${shown(before)} and is ${shown(after)}`];
}
