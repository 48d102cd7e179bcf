import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { enumerations } from "./enumerations.ts";

const FOLDER = "src";

/**
 * `status = 'paid'`, `NEW.status NOT IN ('paid', 'failed')`, `CASE status WHEN 'paid'`, and in TypeScript also of
 * `${orders.status}`.
 */
const COMPARISON =
  /(?:\$\{\w+\.(\w+)\}|\b(\w+)\b"?)\s*(?:=|<>|\bIS(?: NOT)?\b|\b(?:NOT )?IN\b|\bWHEN\b)\s*(\('[^)]*\)|'[^']*')/g;

/** Comparisons in guards and queries with values that no column of that name lists. They would never be true. */
export function staleComparisons(): string[] {
  const known = Map.groupBy(enumerations, ({ column }) => column);
  return readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:sql|tsx?)$/.test(file))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(FOLDER, file), "utf8");
      return [...text.matchAll(COMPARISON)].flatMap(({ index, 1: property, 2: name, 3: compared = "" }) => {
        const column = name ?? (property ?? "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        const listed = known.get(column)?.flatMap(({ values }) => values);
        const line = text.slice(0, index).split("\n").length;
        return [...compared.matchAll(/'(\w+)'/g)]
          .filter(([, value = ""]) => listed && !listed.includes(value))
          .map(([literal]) => `${join(FOLDER, file)}:${line}: no ${column} is ${literal}`);
      });
    });
}
