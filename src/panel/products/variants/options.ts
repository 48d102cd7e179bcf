import type { ProductOption } from "../../../platform/db/schema.ts";
import { isSame } from "../../../platform/db/statements.ts";
import type { Failed, FormInput } from "../../forms/inputs.ts";
import { type FieldKind, linesOf, type Values } from "../../forms/kinds.ts";

/** The options that a product can have, by position. */
export const OPTION_PLACES = [0, 1, 2] as const;
type Place = (typeof OPTION_PLACES)[number];
type OptionField = `options.${Place}.${"name" | "values"}`;

const examples = ["Size", "Color", "Material"] as const;

const nameInput = (place: Place): FormInput => ({
  as: "text",
  label: `Option ${place + 1}`,
  placeholder: examples[place],
  maxlength: 50,
  read: () => undefined,
});

const valuesInput: FormInput = { as: "lines", label: "Values", rows: 1, read: () => undefined };

/** Inputs of a product's options. Their values are converted together: see `optionsIn`. */
export const optionInputs = {
  options: {
    as: "group",
    label: "Options",
    hint: "For a product that is sold in sizes, colors and so on, each with a price and stock of its own. Separate values by commas. A name or value that you overwrite is renamed everywhere except in orders.",
  },
  "options.0.name": nameInput(0),
  "options.0.values": valuesInput,
  "options.1.name": nameInput(1),
  "options.1.values": valuesInput,
  "options.2.name": nameInput(2),
  "options.2.values": valuesInput,
} satisfies Record<string, FormInput>;

/** Values of an option as text: with commas between them, or on separate lines if a value contains a comma. */
const valuesText = (values: readonly string[]): string =>
  values.some((value) => value.includes(",")) ? values.map((value) => `${value}\n`).join("") : values.join(", ");

const valuesOf = (typed = ""): string[] => linesOf(typed.includes("\n") ? typed : typed.replaceAll(",", "\n"));

/** Initial values of the inputs. */
export function optionValues(options: readonly ProductOption[]): Record<OptionField, string | null> {
  const nameAt = (place: Place) => options[place]?.name ?? null;
  const valuesAt = (place: Place) => valuesText(options[place]?.values ?? []);
  return {
    "options.0.name": nameAt(0),
    "options.0.values": valuesAt(0),
    "options.1.name": nameAt(1),
    "options.1.values": valuesAt(1),
    "options.2.name": nameAt(2),
    "options.2.values": valuesAt(2),
  };
}

const typedAt = (values: Values, place: Place) => ({
  name: values[`options.${place}.name`]?.[0]?.trim() ?? "",
  values: valuesOf(values[`options.${place}.values`]?.[0]),
});

const filledPlaces = (values: Values): Place[] =>
  OPTION_PLACES.filter((place) => !isSame(typedAt(values, place), { name: "", values: [] }));

/** The options of a form. Empty rows are left out. */
export const optionsIn =
  (values: Values): FieldKind =>
  () =>
    filledPlaces(values).map((place) => typedAt(values, place));

/** Moves the errors of options to the rows in which they were typed. */
export function withErrorsAtOptions(failed: Failed | null): Failed | null {
  if (!failed) return null;
  const places = filledPlaces(failed.values);
  const errors = Object.entries(failed.errors).map(([path, words]) => [
    path.replace(/^options\.(\d+)/, (_, index: string) => `options.${places[Number(index)] ?? index}`),
    words,
  ]);
  return { ...failed, errors: Object.fromEntries(errors) };
}
