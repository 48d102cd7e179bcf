import * as z from "zod";
import { lineWithout } from "./fields.ts";
import { fold } from "./text.ts";

export const MAX_TAGS = 50;
export const MAX_TAG = 50;

/** Tags of a product, a customer or an order. Lists of tags are separated by commas, so no tag contains one. */
const tagsOf = (whose: string) =>
  z
    .array(lineWithout(",", MAX_TAG, "must not contain a comma"))
    .max(MAX_TAGS)
    .describe(`Any words that ${whose} share. Case and accents do not matter`);

/** Explains a field of tags. */
export const TAGS_HINT = "Separate tags by commas.";

export const Tags = tagsOf("products");
export const CustomerTags = tagsOf("customers");
export const OrderTags = tagsOf("orders");

/** Reads "Summer, Sale" as two tags. */
export const splitTags = (typed: string): string[] =>
  typed
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");

/** Tags in a query: a parameter for each, or one with commas. */
export const TagFilter = z
  .union([z.string().max(1_000), z.array(z.string().max(1_000)).max(MAX_TAGS)])
  .transform((sent) => distinctTags([sent].flat().flatMap(splitTags)))
  .transform((names) => (names.length > 0 ? names : undefined))
  .pipe(z.array(z.string()).max(10).optional());

/** Removes repeated tags. Each keeps its first spelling. */
export const distinctTags = (names: string[]): string[] => {
  const spelled = new Map<string, string>();
  for (const name of names) if (!spelled.has(fold(name))) spelled.set(fold(name), name);
  return [...spelled.values()];
};

/** Tags after some are added and others removed. */
export function changedTags(tags: string[], added: string[] = [], removed: string[] = []): string[] {
  const gone = new Set(removed.map(fold));
  return distinctTags([...tags, ...added]).filter((tag) => !gone.has(fold(tag)));
}

/** Tags with their folded names, as statements take them from JSON. */
export const withFolded = (names: readonly string[]): [name: string, folded: string][] =>
  names.map((name) => [name, fold(name)]);
