import { isSentByDefault } from "../../catalogue/products/admin.ts";
import type { productFields } from "../../catalogue/products/fields.ts";
import type { ProductRow } from "../../catalogue/products/schemas.ts";
import { type FieldKind, flag, number, numbers, optional, orNull, text } from "../forms/kinds.ts";
import { linesOf, metadata } from "../forms/lines.ts";
import { money } from "../forms/money.ts";

type Values = Record<string, readonly string[]>;

/** One image per line: its address, a space, and its description. */
export const readImageLines = (typed = ""): { url: string; alt: string }[] =>
  linesOf(typed).map((line) => {
    const [url = "", ...alt] = line.split(/\s+/);
    return { url, alt: alt.join(" ") };
  });

export const imageLines = (rows: { url: string; alt: string }[]): string =>
  rows.map(({ url, alt }) => `${url} ${alt}`.trim()).join("\n");

/** The form's shipping choice: empty while it follows the type. */
export const sentOf = ({ type, requiresShipping }: Pick<ProductRow, "type" | "requiresShipping">): string =>
  requiresShipping === isSentByDefault(type) ? "" : String(requiresShipping);

/** The product's form by API field. */
export const productKinds = ({ type }: Values): Record<keyof typeof productFields, FieldKind> => ({
  name: text,
  sku: text,
  slug: optional,
  type: text,
  status: text,
  description: text,
  price: money("price"),
  compare_at_price: orNull(money("compare_at_price")),
  category_id: orNull(number),
  images: ([typed]) => readImageLines(typed),
  requires_shipping: ([chosen]) => (chosen ? chosen === "true" : isSentByDefault(type?.[0])),
  weight_grams: orNull(number),
  tax_class: text,
  manage_stock: flag,
  stock_quantity: number,
  low_stock_threshold: orNull(number),
  file_ids: numbers,
  download_limit: orNull(number),
  download_days: orNull(number),
  metadata,
});

/** A number and what it counts. */
export const stockKinds = ({ how, pieces = [] }: Values): Record<string, FieldKind> => ({
  [how?.[0] === "quantity" ? "quantity" : "delta"]: () => number(pieces),
  reason: text,
});
