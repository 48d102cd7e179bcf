import * as z from "zod";
import { lineOrEmpty, Text } from "../domain/fields.ts";

// Requests of the protocol. Fields that it knows and the shop does not use are ignored, as it asks.

const Amount = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Where the buyer probably is, and what they see prices in. Hints only. */
const Context = z.object({
  address_country: lineOrEmpty(100).optional(),
  address_region: lineOrEmpty(100).optional(),
  postal_code: lineOrEmpty(20).optional(),
  currency: lineOrEmpty(10).optional(),
});

const Filters = z.object({
  categories: z.array(Text.max(100)).max(20).optional(),
  price: z
    .object({ min: Amount.optional(), max: Amount.optional() })
    .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
      path: ["min"],
      error: "must not be above the maximum price",
    })
    .optional(),
});

export const SearchCatalog = z.object({
  query: Text.max(200).optional(),
  filters: Filters.optional(),
  context: Context.optional(),
  pagination: z.object({ cursor: Text.max(40).optional(), limit: z.int().min(1).optional() }).optional(),
});
export type SearchCatalog = z.output<typeof SearchCatalog>;

/** Most ids of one lookup. */
const MOST_IDS = 50;

export const LookupCatalog = z.object({ ids: z.array(Text.max(100)).min(1).max(MOST_IDS) });
export type LookupCatalog = z.output<typeof LookupCatalog>;

const MOST_SELECTED = 10;

export const GetProduct = z.object({
  id: Text.max(100),
  selected: z
    .array(z.object({ name: Text.max(100), label: Text.max(100) }))
    .max(MOST_SELECTED)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, "must name each option at most once")
    .optional(),
  preferences: z.array(Text.max(100)).max(MOST_SELECTED).optional(),
});
export type GetProduct = z.output<typeof GetProduct>;
