import * as z from "zod";
import { line } from "../../domain/fields.ts";
import { type Caller, isAdministrator, may } from "../../platform/auth/caller.ts";

export const SearchQuery = z.strictObject({
  q: line(254)
    .optional()
    .describe(
      "Words (the last may be incomplete), an order number, SKU, e-mail address, id, or the first characters of an API key",
    ),
});

const SearchResult = z
  .object({
    id: z.int(),
    label: z.string(),
    detail: z.string().nullable(),
    image: z.string().nullable().describe("Address of the product's first image"),
    exact: z.boolean().describe("True for an exact match, such as a complete order number"),
  })
  .meta({ id: "SearchResult" });

/** Kinds of search results, in order. */
export const searchKinds = ["order", "user", "product", "file", "api_key"] as const;

/** Results of one kind, best match first. */
export const SearchGroup = z
  .object({ kind: z.enum(searchKinds), results: z.array(SearchResult) })
  .meta({ id: "SearchGroup" });
export type SearchGroup = z.output<typeof SearchGroup>;

export const SearchResults = z.array(SearchGroup).describe("The result types that have at least one match");

/** Search results with the deployment's image URLs. */
export const toSearchResults = (groups: SearchGroup[], origin: string): SearchGroup[] =>
  groups.map(({ kind, results }) => ({
    kind,
    results: results.map((result) => ({
      ...result,
      image: result.image === null ? null : new URL(result.image, origin).href,
    })),
  }));

export type Kind = (typeof searchKinds)[number];

const readBy: Record<Kind, (caller: Caller) => boolean> = {
  order: (caller) => may(caller, "orders:read"),
  user: (caller) => may(caller, "users:read"),
  product: (caller) => may(caller, "products:read"),
  file: (caller) => may(caller, "files:read"),
  api_key: isAdministrator,
};

/** The kinds whose lists the caller may read. */
export const kindsReadBy = (caller: Caller): Kind[] => searchKinds.filter((kind) => readBy[kind](caller));
