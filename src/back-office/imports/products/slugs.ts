import { joinedSlugs, numberedSlug, slugOf } from "../../../domain/slug.ts";
import type { ProductRecord } from "./shape.ts";

/** The slugs of some texts, made ahead since letters of other scripts are loaded first. */
export async function slugsOf(texts: Iterable<string>): Promise<(text: string) => string> {
  const made = new Map<string, string>();
  for (const text of texts) if (!made.has(text)) made.set(text, await slugOf(text));
  return (text) => made.get(text) ?? "";
}

type Named = Pick<ProductRecord, "sku" | "sent">;

/** The parts that the slug of a product is built from. */
export const slugTexts = ({ sku, sent: { name } }: Named): [string, string] => [String(name), sku];

/** The slug of a product's name, and the one of its name and SKU should that be taken. */
export const slugCandidates = (record: Named, made: (text: string) => string): [string, string] => {
  const [name, sku] = slugTexts(record);
  return [made(name), joinedSlugs(made(name), made(sku))];
};

/** The first number by which a slug is free. */
export function firstFree(slug: string, from: number, taken: ReadonlySet<string>): string {
  let n = from;
  while (taken.has(numberedSlug(slug, n))) n++;
  return numberedSlug(slug, n);
}
