import { inArray, sql } from "drizzle-orm";
import { type ProductRow, selectProducts } from "../../../catalogue/products/public.ts";
import type { Database } from "../../../platform/db/client.ts";
import { selectFreeNumbers } from "../../../platform/db/free-slugs.ts";
import { categories, files, products } from "../../../platform/db/schema.ts";
import type { ProductRecord } from "./shape.ts";
import { slugCandidates, slugsOf, slugTexts } from "./slugs.ts";

/** What the shop already has of the things a slice of records names. */
export type Known = {
  /** By SKU. */
  products: Map<string, ProductRow>;
  /** Returns the slug of a name or SKU, regardless of whether it is taken. */
  slugOf: (text: string) => string;
  /** Product slugs that are taken. */
  slugs: Set<string>;
  /** Ids of earlier records. The second of two records with one id gets a new id. */
  ids: Set<number>;
  categories: { id: number; name: string; slug: string }[];
  /** Numbers that make category slugs unique. */
  freeNumbers: Map<string, number>;
  files: Set<number>;
};

const listed = (values: unknown[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Looks up everything that a slice of records names, in one round trip. */
export async function findKnown(db: Database, records: ProductRecord[]): Promise<Known> {
  const named = records.flatMap(({ category }) => category ?? []);
  const names = named.flatMap(({ name }) => name ?? []);
  const slugOf = await slugsOf([...records.flatMap(slugTexts), ...names]);
  const slugs = records.flatMap((record) => [record.sent.slug, ...slugCandidates(record, slugOf)]);
  const fileIds = records.flatMap(({ sent }) => sent.file_ids ?? []);
  const [found, takenSlugs, foundCategories, foundFiles, freeNumbers] = await db.batch([
    selectProducts(db, "all").where(inArray(products.sku, listed(records.map(({ sku }) => sku)))),
    db
      .select({ slug: products.slug })
      .from(products)
      .where(inArray(products.slug, listed(slugs))),
    db
      .select({ id: categories.id, name: categories.name, slug: categories.slug })
      .from(categories)
      .where(
        sql`slug IN ${listed(named.flatMap(({ slug, name }) => (name === undefined ? [slug] : [])))}
          OR name COLLATE NOCASE IN ${listed(names)}
          OR id IN ${listed(records.flatMap(({ sent }) => sent.category_id ?? []))}`,
      )
      .orderBy(categories.id),
    db
      .select({ id: files.id })
      .from(files)
      .where(inArray(files.id, listed(fileIds))),
    selectFreeNumbers(db, "categories", [
      ...new Set(named.flatMap(({ slug, name }) => slug ?? (name === undefined ? [] : slugOf(name)))),
    ]),
  ]);
  return {
    products: new Map(found.map((product) => [product.sku, product])),
    slugOf,
    slugs: new Set(takenSlugs.map(({ slug }) => slug)),
    ids: new Set(),
    categories: foundCategories,
    freeNumbers: new Map(freeNumbers.map(({ slug, n }) => [slug, n])),
    files: new Set(foundFiles.map(({ id }) => id)),
  };
}
