import type { FieldKind } from "./kinds.ts";

// Lists as lines of text, between the form and the API.

export const linesOf = (typed = ""): string[] =>
  typed
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** One entry per line: "colour = red". */
export const metadata: FieldKind = ([typed]) =>
  Object.fromEntries(
    linesOf(typed).map((line) => {
      const [name = "", ...value] = line.split("=");
      return [name.trim(), value.join("=").trim()];
    }),
  );

export const metadataLines = (entries: Record<string, string>): string =>
  Object.entries(entries)
    .map(([name, value]) => `${name} = ${value}`)
    .join("\n");
