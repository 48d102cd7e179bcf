import * as z from "zod";

/** The value that a variant has for one of its product's options. */
const OptionValue = z.object({ name: z.string(), value: z.string() });
export type OptionValue = z.output<typeof OptionValue>;

export const OptionValues = z
  .array(OptionValue)
  .describe("Value of a variant for each option of its product, such as Size: M. Empty for other products");

/** Maximum number of options of a product. */
export const MAX_OPTIONS = 3;

/** The values of an option in one cell of a file: `S | M`. A bar within a value follows a backslash. */
export const joinValues = (values: readonly string[]): string =>
  values.map((value) => value.replaceAll(/[\\|]/g, "\\$&")).join(" | ");

/** Reads the values of an option in a cell. */
export const splitValues = (cell: string): string[] =>
  (cell.match(/(?:\\[\\|]|[^|])+/g) ?? [])
    .map((value) => value.replaceAll(/\\([\\|])/g, "$1").trim())
    .filter((value) => value !== "");

/** Each option with its value: "Size: M, Color: Blue". */
export const describeOptions = (values: readonly OptionValue[]): string =>
  values.map(({ name, value }) => `${name}: ${value}`).join(", ");

/** The values of a variant in one line: "M / Blue". */
export const describeValues = (values: readonly OptionValue[]): string => values.map(({ value }) => value).join(" / ");

/** A product's name with its values if it is a variant: "Shirt (M / Blue)". */
export const nameWithValues = ({
  name,
  optionValues,
}: {
  name: string;
  optionValues: readonly OptionValue[];
}): string => (optionValues.length > 0 ? `${name} (${describeValues(optionValues)})` : name);
