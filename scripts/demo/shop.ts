import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { fold } from "../../src/domain/text.ts";
import { type Database, requireRow } from "../../src/platform/db/client.ts";
import { categories, files, inheritable, productFiles, products, tags } from "../../src/platform/db/schema.ts";
import * as demo from "./catalogue.ts";
import { files as demoFiles } from "./files.ts";
import { categoryOfProduct, demoTags, tagsOfProduct } from "./tree.ts";
import type { DemoProduct, DemoVariant } from "./types.ts";

/** The shop is older than its first order. */
const OPEN_MS = 100 * 86_400_000;

/** Writes the demo shop's catalogue and files. Stock starts at the final quantity plus the units in `sold`, by SKU. */
export async function seedCatalogue(db: Database, bucket: R2Bucket, sold: Map<string, number>): Promise<void> {
  const start = Date.now() - OPEN_MS;
  const at = (index: number) => ({ createdAt: start + index * 3_600_000, updatedAt: start + index * 3_600_000 });
  const categoryIds = new Map<string, number>();
  for (const [index, { parent = "", ...category }] of demo.categories.entries()) {
    const [row] = await db
      .insert(categories)
      .values({ ...category, parentId: categoryIds.get(parent) ?? null, ...at(index) })
      .returning();
    if (row) categoryIds.set(row.slug, row.id);
  }
  await db.insert(tags).values(demoTags.map((name) => ({ name, foldedName: fold(name) })));
  const fileIds = await seedFiles(db, bucket);
  for (const [index, product] of catalogue.entries()) {
    const categoryId = categoryIds.get(categoryOfProduct(product)) ?? null;
    const times = at(index);
    const [row] = await db
      .insert(products)
      .values({ ...productRow(product, sold.get(product.sku) ?? 0), categoryId, ...times })
      .returning();
    if (!row) continue;
    const links = (product.files ?? []).map((key) => linkFile(db, product.sku, fileIds.get(key)));
    const variants = (product.variants ?? []).flatMap((variant) => {
      const { sku, ...columns } = variantRow(product, variant, sold);
      const inserted = db.insert(products).values({ ...columns, sku, parentId: row.id, ...times });
      return [inserted, ...(variant.files ?? []).map((key) => linkFile(db, sku, fileIds.get(key)))];
    });
    const [first, ...more] = [...links, ...variants];
    if (first) await db.batch([first, ...more]);
  }
}

const linkFile = (db: Database, sku: string, fileId: number | undefined) =>
  db
    .insert(productFiles)
    .values({ productId: sql`(SELECT id FROM products WHERE sku = ${sku})`, fileId: requireRow(fileId) });

/** Takes one product of each category in turn, so that the newest are mixed. */
function mixed(all: DemoProduct[]): DemoProduct[] {
  return all.map((_, index) => all[(index * 29) % all.length]).filter((product) => product !== undefined);
}

/** Products with variants are the newest. */
const catalogue = [
  ...mixed(demo.products.filter(({ variants }) => !variants)),
  ...demo.products.filter(({ variants }) => variants),
];

/** Products for past orders: everything for sale and in stock, best sellers first. */
export const soldBefore = catalogue
  .flatMap((product) => product.variants?.map((variant) => asSold(product, variant)) ?? [product])
  .filter(({ status, stock }) => status === "active" && stock !== 0);

/** A variant with the fields that it inherits from its product. */
function asSold({ options: _, variants: __, ...product }: DemoProduct, { values, ...own }: DemoVariant): DemoProduct {
  const ending = values.map((value) => value.replaceAll(" ", "-")).join("-");
  return { ...product, ...own, sku: `${product.sku}-${ending}`, slug: `${product.slug}-${ending.toLowerCase()}` };
}

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

/** Goods cost about two fifths of their price. */
const costOf = ({ price }: DemoProduct): number => Math.round((price * 0.42) / 10) * 10;

/**
 * A GTIN from GS1's range for demonstrations, https://www.gs1.org/standards/id-keys/company-prefix: 952, nine digits
 * derived from the SKU, and the check digit.
 */
function barcodeOf(sku: string): string {
  const digits = BigInt(`0x${createHash("sha256").update(sku).digest("hex")}`) % 10n ** 9n;
  const code = `952${String(digits).padStart(9, "0")}`;
  const sum = [...code].reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 3 : 1), 0);
  return `${code}${(10 - (sum % 10)) % 10}`;
}

function productRow(product: DemoProduct, sold: number) {
  const { category, stock, files: _files, variants: _variants, picturedBy: _pictured, ...columns } = product;
  const isGoods = product.type === "physical" && !product.options;
  return {
    ...columns,
    ...(isGoods && { cost: costOf(product), barcode: barcodeOf(product.sku) }),
    images: [...demo.picturesOf(product).values()],
    tags: tagsOfProduct(product.slug),
    tagIds: tagsOfProduct(product.slug).map((tag) => demoTags.indexOf(tag) + 1),
    requiresShipping: product.type === "physical",
    manageStock: stock !== null,
    stockQuantity: stock === null ? null : stock + sold,
  };
}

function variantRow(product: DemoProduct, variant: DemoVariant, sold: Map<string, number>) {
  const { metadata: _, ...row } = asSold(product, variant);
  const pictures = demo.picturesOf(product);
  const own = variant.values.flatMap((value) => pictures.get(value) ?? []);
  const isOwn: Partial<Record<(typeof inheritable)[number], boolean>> = {
    type: variant.type !== undefined,
    requires_shipping: variant.type !== undefined,
    images: own.length > 0,
    weight_grams: variant.weightGrams !== undefined,
    file_ids: variant.files !== undefined,
  };
  return {
    ...productRow(row, sold.get(row.sku) ?? 0),
    images: own,
    ownStatus: product.status,
    optionValues: (product.options ?? []).map(({ name }, index) => ({ name, value: variant.values[index] ?? "" })),
    inherits: inheritable.filter((field) => !isOwn[field]),
  };
}

async function seedFiles(db: Database, bucket: R2Bucket): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const { key, generate, ...facts } of demoFiles) {
    const content = generate?.() ?? readFileSync(`scripts/demo/files/${facts.fileName}`);
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
