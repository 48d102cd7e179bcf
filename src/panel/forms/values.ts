/** Field values as a browser sends them: an unticked checkbox sends nothing. */
export type Values = Record<string, readonly string[]>;

export type Initial = string | number | boolean | null | readonly (string | number)[];

export const valuesFrom = (initial: { readonly [name: string]: Initial | undefined }): Values =>
  Object.fromEntries(Object.entries(initial).map(([name, value]) => [name, toStrings(value)]));

function toStrings(value: Initial = null): readonly string[] {
  if (value === null || value === false) return [];
  if (value === true) return ["true"];
  return typeof value === "object" ? value.map(String) : [String(value).replaceAll("\r\n", "\n")];
}

/** True if a field has equal values in any order. */
export const isSame = (one: readonly string[] = [], other: readonly string[] = []): boolean =>
  JSON.stringify(filledOf(one)) === JSON.stringify(filledOf(other));

const filledOf = (values: readonly string[]): string[] => values.filter((value) => value !== "").toSorted();
