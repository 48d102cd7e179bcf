// Converts the strings of a form to the JSON of the API's schemas. Undefined for a field that was not sent.

export type FieldKind = (values: readonly string[]) => unknown;

/** Text as typed. An empty field is an empty string, which the schema may refuse. */
export const text: FieldKind = ([value]) => value;

/** An empty field is not sent. */
export const optional: FieldKind = ([value]) => (value?.trim() ? value : undefined);

/** Invalid numbers stay as typed, so that the schema refuses them. */
export const number: FieldKind = ([value = ""]) => {
  const typed = value.trim();
  if (typed === "") return undefined;
  return /^[+-]?\d+(\.\d+)?$/.test(typed) ? Number(typed) : typed;
};

/** A percentage with a decimal point or comma: "19", "8,875", "8.875 %". Digits are never grouped. */
export const percent: FieldKind = ([value = ""]) => number([value.trim().replace(/%$/, "").replace(",", ".")]);

/** A checkbox. */
export const flag: FieldKind = ([value]) => value === "true";

/** Checkboxes with one name. */
export const list: FieldKind = (values) => values;

export const numbers: FieldKind = (values) =>
  values.filter((value) => value.trim() !== "").map((value) => number([value]));

/** A date and time field in UTC. */
export const moment: FieldKind = ([value = ""]) => {
  const typed = value.trim();
  if (typed === "") return undefined;
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(typed) ? `${typed}:00Z` : typed;
};

/** An empty field clears the value. */
export const orNull =
  (kind: FieldKind): FieldKind =>
  (values) =>
    kind(values) ?? null;
