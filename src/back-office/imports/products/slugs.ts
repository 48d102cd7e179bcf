import { slugOf, slugWithSuffix } from "../../../domain/slug.ts";

/** The slug of a product's name, and the one of its name and SKU should that be taken: both are the same every time. */
export const slugCandidates = (name: string, sku: string): [string, string] => {
  const made = slugOf(name);
  return [made, `${made.slice(0, 50)}-${slugOf(sku).slice(0, 49)}`.replace(/-$/, "")];
};

export const freeSlug = (name: string, sku: string, taken: ReadonlySet<string>): string =>
  slugCandidates(name, sku).find((slug) => !taken.has(slug)) ?? slugWithSuffix(slugOf(name));
