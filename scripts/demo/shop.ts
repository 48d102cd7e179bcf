import { createHash } from "node:crypto";
import type { Database } from "../../src/platform/db/client.ts";
import { categories, files, productFiles, products } from "../../src/platform/db/schema.ts";
import * as demo from "./catalogue.ts";
import { files as demoFiles } from "./files.ts";
import type { DemoProduct } from "./types.ts";

/** The shop is older than its first order. */
const OPEN_MS = 100 * 86_400_000;

/** Writes the demo shop's catalogue and files. `sold` units by SKU are in stock beside the final quantity. */
export async function seedCatalogue(db: Database, bucket: R2Bucket, sold: Map<string, number>): Promise<void> {
  const start = Date.now() - OPEN_MS;
  const at = (index: number) => ({ createdAt: start + index * 3_600_000, updatedAt: start + index * 3_600_000 });
  const categoryIds = new Map<string, number>();
  for (const [index, category] of demo.categories.entries()) {
    const [row] = await db
      .insert(categories)
      .values({ ...category, ...at(index) })
      .returning();
    if (row) categoryIds.set(row.slug, row.id);
  }
  const fileIds = await seedFiles(db, bucket);
  for (const [index, product] of mixed(demo.products).entries()) {
    const categoryId = categoryIds.get(product.category) ?? null;
    const [row] = await db
      .insert(products)
      .values({ ...productRow(product, sold.get(product.sku) ?? 0), categoryId, ...at(index) })
      .returning();
    for (const key of product.files ?? []) {
      const fileId = fileIds.get(key);
      if (row && fileId) await db.insert(productFiles).values({ productId: row.id, fileId });
    }
  }
}

/** Takes one product of each category in turn, so that the newest are mixed. */
function mixed(all: DemoProduct[]): DemoProduct[] {
  return all.map((_, index) => all[(index * 29) % all.length]).filter((product) => product !== undefined);
}

/** Products that customers bought before: all that are for sale and in stock, best sellers first. */
export const soldBefore = mixed(demo.products).filter(({ status, stock }) => status === "active" && stock !== 0);

/** A product that a demo customer would buy. */
export function demoProduct(type: DemoProduct["type"]): DemoProduct {
  const found = demo.products.find(
    (product) => product.type === type && product.status === "active" && isPlentiful(product),
  );
  if (!found) throw new Error(`The demo shop has no ${type} product to buy`);
  return found;
}

const isPlentiful = ({ stock, downloadLimit }: DemoProduct): boolean =>
  stock === null ? downloadLimit !== undefined : stock > 5;

function productRow(product: DemoProduct, sold: number) {
  const { category, stock, files: _files, ...columns } = product;
  return {
    ...columns,
    images: [{ url: `/demo/${product.slug}.svg`, alt: product.name }],
    requiresShipping: product.type === "physical",
    manageStock: stock !== null,
    stockQuantity: stock === null ? null : stock + sold,
  };
}

async function seedFiles(db: Database, bucket: R2Bucket): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const { key, bytes, ...facts } of demoFiles) {
    const content = bytes();
    const r2Key = `files/${key}/1`;
    await bucket.put(r2Key, content);
    const now = Date.now();
    const sha256 = createHash("sha256").update(content).digest("hex");
    const row = {
      ...facts,
      sizeBytes: content.length,
      sha256,
      r2Key,
      publishedAt: now,
      createdAt: now,
      updatedAt: now,
    };
    const [stored] = await db.insert(files).values(row).returning();
    if (stored) ids.set(key, stored.id);
  }
  return ids;
}
