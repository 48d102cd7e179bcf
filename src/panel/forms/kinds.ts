// How the strings of a form become the JSON that the API's schemas take. Undefined is a field that was not sent.

export type FieldKind = (values: readonly string[]) => unknown;

/** Text as it was typed; an empty field is an empty string, which the schema may refuse. */
export const text: FieldKind = ([value]) => value;

/** A field that was left empty is not sent. */
export const optional: FieldKind = ([value]) => (value?.trim() ? value : undefined);

/** What is no number stays what was typed, so that the schema says so. */
export const number: FieldKind = ([value = ""]) => {
  const typed = value.trim();
  if (typed === "") return undefined;
  return /^[+-]?\d+(\.\d+)?$/.test(typed) ? Number(typed) : typed;
};

/** A percentage with a decimal point or comma: "19", "8,875", "8.875 %". Nobody groups its digits. */
export const percent: FieldKind = ([value = ""]) => number([value.trim().replace(/%$/, "").replace(",", ".")]);

/** A box that is ticked, or not. */
export const flag: FieldKind = ([value]) => value === "true";

/** Boxes of one name. */
export const list: FieldKind = (values) => values;

export const numbers: FieldKind = (values) =>
  values.filter((value) => value.trim() !== "").map((value) => number([value]));

/** A field for date and time, which the panel's labels say are UTC. */
export const moment: FieldKind = ([value = ""]) => {
  const typed = value.trim();
  if (typed === "") return undefined;
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(typed) ? `${typed}:00Z` : typed;
};

/** An empty field takes away what stood there. */
export const orNull =
  (kind: FieldKind): FieldKind =>
  (values) =>
    kind(values) ?? null;
