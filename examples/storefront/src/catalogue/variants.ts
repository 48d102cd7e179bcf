import type { Schema } from "@storefront-worker/api/client";

type Product = Schema["ProductDetail"];

/** Name of the form's field for the option at a position. */
export const fieldOf = (place: number): string => `option-${place}`;

/** True if a form or a URL names a value for each option. */
export const areChosen = ({ options }: Product, fields: Record<string, string | undefined>): boolean =>
  options.length > 0 && options.every((_, place) => fields[fieldOf(place)] !== undefined);

/** The chosen value of each option: from the form, from `?variant=`, or of the cheapest variant, whose price lists show. */
export function chosenValues(product: Product, fields: Record<string, string | undefined>): string[] {
  const { options, variants } = product;
  if (areChosen(product, fields)) return options.map((_, place) => fields[fieldOf(place)] ?? "");
  const named = variants.find(({ id }) => String(id) === fields.variant);
  const [cheapest] = variants.toSorted((a, b) => a.price - b.price || Number(b.in_stock) - Number(a.in_stock));
  const first = named ?? cheapest;
  return first?.option_values.map(({ value }) => value) ?? [];
}

/** The variant with these values, in the order of the options. */
export const variantOf = ({ variants }: Product, values: string[]): Schema["Variant"] | undefined =>
  variants.find(({ option_values }) => option_values.every(({ value }, place) => value === values[place]));

/** The values of an ordered variant, such as "Colour: Blue, Size: M". */
export const describe = (values: Schema["Variant"]["option_values"]): string =>
  values.map(({ name, value }) => `${name}: ${value}`).join(", ");
