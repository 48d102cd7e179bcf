/** Values that a comma separates; one that has a comma itself has a backslash before it. */
export const listIn = (cell: string): string[] =>
  cell
    .split(/(?<!\\),/)
    .map((value) => value.replaceAll("\\,", ",").trim())
    .filter((value) => value !== "");

/** An export writes a line break as the letters \n, and such letters with one more backslash. */
export const linesIn = (cell: string): string =>
  cell
    .split("\\\\n")
    .map((part) => part.replaceAll("\\n", "\n"))
    .join("\\n");

/** The most specific of the categories, the first of several: a product is in one here. */
export function mostSpecific(categories: string[]): string | undefined {
  const depthOf = (path: string) => path.split(">").length;
  return categories.reduce<string | undefined>(
    (best, each) => (best === undefined || depthOf(each) > depthOf(best) ? each : best),
    undefined,
  );
}

/** Whether a category says more than that the other one is below it. */
export const saysMore = (category: string, chosen: string): boolean =>
  category !== chosen && !chosen.startsWith(`${category} > `);

const GRAMS: Readonly<Record<string, number>> = { g: 1, kg: 1000, oz: 28.349523125, lbs: 453.59237 };

/** The grams of the unit that a column's name has: "Weight (kg)". */
export const gramsOf = (column: string): number => GRAMS[/\((\w+)\)/.exec(column)?.[1]?.toLowerCase() ?? ""] ?? 1;
