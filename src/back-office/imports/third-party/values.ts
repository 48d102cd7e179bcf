import { numberIn, priceIn } from "../reading/numbers.ts";
import { lineOfText } from "./html-text.ts";

/** Parses an optional number. */
export const numberOrNull = (text: string): number | string | null => (text === "" ? null : numberIn(text));

/** Parses an optional price. */
export const priceOrNull = (text: string): number | string | null => (text === "" ? null : priceIn(text));

export const isTrue = (text: string | undefined): boolean => /^(true|yes|1)$/i.test(text ?? "");

/** Parses a counted stock. Negative stock becomes 0. */
export function stockIn(text: string): number | string {
  const count = numberIn(text);
  return typeof count === "number" ? Math.max(0, Math.floor(count)) : count;
}

/** The name of a category by a path such as "Clothing > Shirts". */
export const categoryName = (path: string): string => path.split(">").map(lineOfText).join(" > ").normalize();

/** The name of a variant: "T-Shirt - Red, L". */
export const variantName = (name: string, values: string[]): string =>
  values.length === 0 ? name : `${name} - ${values.join(", ")}`;

/** A picture by its address. */
export type Picture = { url: string; alt: string };
