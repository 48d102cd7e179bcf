import * as z from "zod";

export const sorts = {
  newest: "Newest",
  price: "Price: low to high",
  "-price": "Price: high to low",
  name: "Name",
} as const;

/** Whole units of the currency, whatever its decimals. */
const price = z.coerce.number().int().min(1).max(1e7).optional().catch(undefined);

/** Filters in the URL of a catalogue page. Invalid ones are ignored. */
export const Filters = z.object({
  search: z.string().trim().max(200).catch(""),
  category: z.string().max(100).catch(""),
  tag: z.string().max(100).catch(""),
  min_price: price,
  max_price: price,
  in_stock: z.literal("true").optional().catch(undefined),
  sort: z.enum(["newest", "price", "-price", "name"]).catch("newest"),
  page: z.coerce.number().int().min(1).max(1e9).catch(1),
});
export type Filters = z.output<typeof Filters>;

/** The API's parameters. */
export function queryOf({ search, category, tag, min_price: min, max_price: max, in_stock, ...rest }: Filters) {
  const isSwapped = min !== undefined && max !== undefined && min > max;
  const [least, most] = isSwapped ? [max, min] : [min, max];
  return {
    ...rest,
    per_page: 12,
    ...(search && { search }),
    ...(category && { category }),
    ...(tag && { tag }),
    ...(least !== undefined && { min_price: least }),
    ...(most !== undefined && { max_price: most }),
    ...(in_stock && { in_stock }),
  };
}

/** The URL of the list with some filters changed, from its first page. */
export function listAt(filters: Filters, change: Partial<Filters> = {}): string {
  const { page: _, sort, ...others } = { ...filters, ...change };
  const kept = Object.entries({ ...others, ...(sort !== "newest" && { sort }) }).filter(([, value]) => value);
  const query = new URLSearchParams(kept.map(([name, value]) => [name, String(value)]));
  return query.size > 0 ? `/?${query}` : "/";
}

/** Filters other than the search and the category. */
export const isNarrowed = ({ min_price, max_price, in_stock }: Filters): boolean =>
  min_price !== undefined || max_price !== undefined || in_stock !== undefined;
