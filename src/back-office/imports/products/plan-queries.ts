import { inArray, sql } from "drizzle-orm";
import { type ProductRow, selectProducts } from "../../../catalogue/products/public.ts";
import { slugOf } from "../../../domain/slug.ts";
import type { Database } from "../../../platform/db/client.ts";
import { categories, files, products } from "../../../platform/db/schema.ts";
import type { ProductRecord } from "./shape.ts";
import { slugCandidates } from "./slugs.ts";

/** What the shop has of what a slice of records names. */
export type Known = {
  /** By SKU. */
  products: Map<string, ProductRow>;
  slugs: Set<string>;
  ids: Set<number>;
  categories: { id: number; name: string; slug: string }[];
  files: Set<number>;
};

const listed = (values: unknown[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Looks up all that a slice of records names, in one round trip. */
export async function findKnown(db: Database, records: ProductRecord[]): Promise<Known> {
  const named = records.flatMap(({ category }) => category ?? []);
  const slugs = records.flatMap(({ sku, sent: { slug, name } }) => [slug, ...slugCandidates(String(name), sku)]);
  const ids = records.flatMap(({ id }) => id ?? []);
  const fileIds = records.flatMap(({ sent }) => sent.file_ids ?? []);
  const [found, takenSlugs, takenIds, foundCategories, foundFiles] = await db.batch([
    selectProducts(db, "all").where(inArray(products.sku, listed(records.map(({ sku }) => sku)))),
    db
      .select({ slug: products.slug })
      .from(products)
      .where(inArray(products.slug, listed(slugs))),
    db
      .select({ id: products.id })
      .from(products)
      .where(inArray(products.id, listed(ids))),
    db
      .select({ id: categories.id, name: categories.name, slug: categories.slug })
      .from(categories)
      .where(
        sql`slug IN ${listed(named.map(({ slug, name }) => slug ?? slugOf(name)))}
          OR name COLLATE NOCASE IN ${listed(named.map(({ name }) => name))}
          OR id IN ${listed(records.flatMap(({ sent }) => sent.category_id ?? []))}`,
      ),
    db
      .select({ id: files.id })
      .from(files)
      .where(inArray(files.id, listed(fileIds))),
  ]);
  return {
    products: new Map(found.map((product) => [product.sku, product])),
    slugs: new Set(takenSlugs.map(({ slug }) => slug)),
    ids: new Set(takenIds.map(({ id }) => id)),
    categories: foundCategories,
    files: new Set(foundFiles.map(({ id }) => id)),
  };
}
