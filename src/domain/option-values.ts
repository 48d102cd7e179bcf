import * as z from "zod";

/** The value that a variant has for one of its product's options. */
const OptionValue = z.object({ name: z.string(), value: z.string() });
export type OptionValue = z.output<typeof OptionValue>;

export const OptionValues = z
  .array(OptionValue)
  .describe("Value of a variant for each option of its product, such as Size: M. Empty for other products");

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
