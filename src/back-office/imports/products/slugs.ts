import { joinedSlugs, numberedSlug, slugOf } from "../../../domain/slug.ts";
import type { ProductRecord } from "./shape.ts";

/** Makes the slugs of texts in advance, since transliteration of other scripts is loaded first. */
export async function slugsOf(texts: Iterable<string>): Promise<(text: string) => string> {
  const made = new Map<string, string>();
  for (const text of texts) if (!made.has(text)) made.set(text, await slugOf(text));
  return (text) => made.get(text) ?? "";
}

type Named = Pick<ProductRecord, "sku" | "sent">;

/** The parts that the slug of a product is built from. */
export const slugTexts = ({ sku, sent: { name } }: Named): [string, string] => [String(name), sku];

/** Returns the slug of a product's name, and one of its name and SKU in case the first is taken. */
export const slugCandidates = (record: Named, made: (text: string) => string): [string, string] => {
  const [name, sku] = slugTexts(record);
  return [made(name), joinedSlugs(made(name), made(sku))];
};

/** Returns the first number that makes a slug unique. */
export function firstFree(slug: string, from: number, taken: ReadonlySet<string>): string {
  let n = from;
  while (taken.has(numberedSlug(slug, n))) n++;
  return numberedSlug(slug, n);
}
