import * as z from "zod";
import { line } from "../../domain/fields.ts";
import { kinds } from "./kinds.ts";

export const SearchQuery = z.strictObject({
  q: line(254)
    .optional()
    .describe(
      "Words, the last of which may be a beginning; an order's number, a SKU, an e-mail address or an id; how an API key begins",
    ),
});

const SearchResult = z
  .object({
    id: z.int(),
    label: z.string(),
    detail: z.string().nullable(),
    image: z.string().nullable().describe("The address of a product's first image"),
    exact: z.boolean().describe("Whether it is just what was asked for, such as the order of a whole number"),
  })
  .meta({ id: "SearchResult" });

/** What was found of one kind, the best first. */
export const SearchGroup = z
  .object({ kind: z.enum(kinds), results: z.array(SearchResult) })
  .meta({ id: "SearchGroup" });
export type SearchGroup = z.output<typeof SearchGroup>;

export const SearchResults = z.array(SearchGroup).describe("Those kinds of which something was found");

/** What was found, with addresses of images as the deployment serves them. */
export const toSearchResults = (groups: SearchGroup[], origin: string): SearchGroup[] =>
  groups.map(({ kind, results }) => ({
    kind,
    results: results.map((result) => ({
      ...result,
      image: result.image === null ? null : new URL(result.image, origin).href,
    })),
  }));
