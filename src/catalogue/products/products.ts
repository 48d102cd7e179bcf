import { asc, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../platform/db/client.ts";
import { json, jsonRow, packedRow } from "../../platform/db/json.ts";
import type { ProductRow, ProductWithVariants, VariantRow } from "./schemas.ts";
import { products } from "./tables.ts";

const filesOfProduct = (which: "published" | "all") =>
  json<ProductRow["files"]>(sql`(
    SELECT json_group_array(json_object('id', id, 'name', name)) FROM (
      SELECT files.id, name FROM product_files JOIN files ON files.id = file_id
      WHERE product_id = products.id ${which === "all" ? sql`` : sql`AND published_at IS NOT NULL`}
      ORDER BY file_id
    )
  )`);

const categoryPathOfProduct = json<ProductRow["categoryPath"]>(
  sql`(SELECT path FROM categories WHERE id = products.category_id)`,
);

const {
  foldedWords: _foldedWords,
  sortName: _sortName,
  soldOut: _soldOut,
  facets: _facets,
  lowAt: _lowAt,
  variantWords: _variantWords,
  draftWords: _draftWords,
  relatedUpdatedAt: _relatedUpdatedAt,
  tagIds: _tagIds,
  ...columns
} = getTableColumns(products);

/** Variants of a product with options, as JSON: the active ones, or all for administrators. */
const variantsAsJson = (which: "active" | "all") => {
  const [status, isShown] = which === "all" ? ["own_status", "TRUE"] : ["status", "status = 'active'"];
  return json<VariantRow[]>(
    sql.raw(`iif(products.options = '[]', '[]', (
      SELECT json_group_array(json_object('id', id, 'sku', sku, 'optionValues', json(option_values), 'condition', condition, 'price', price,
        'compareAtPrice', compare_at_price, 'priorPrice', prior_price, 'unitPricing', json(unit_pricing), 'inStock', json(iif(in_stock, 'true', 'false')), 'stockQuantity', stock_quantity,
        'image', images ->> '$[0].url', 'status', ${status}))
      FROM products AS variant WHERE variant.parent_id = products.id AND ${isShown}
    ))`),
  );
};

const [activeVariants, allVariants] = [variantsAsJson("active"), variantsAsJson("all")];

/** All columns of a product. `files` holds only the published files, or all files for administrators. */
const productFields = (files: "published" | "all" = "published") => ({
  ...columns,
  categoryPath: categoryPathOfProduct,
  files: filesOfProduct(files),
});

export const selectProducts = (db: Database, files: "published" | "all" = "published") =>
  db.select(productFields(files)).from(products);

/** Products as administrators see them, with unpublished files and inactive variants. */
export const selectAnyProducts = (db: Database) =>
  db.select({ ...productFields("all"), variants: allVariants }).from(products);

/** Products as administrators see them, with the parent's SKU for variants. */
export const findProductsWithParents = (db: Database, ids: number[]) =>
  db
    .select({
      ...productFields("all"),
      parentSku: sql<string | null>`(SELECT sku FROM products AS parent WHERE parent.id = products.parent_id)`,
    })
    .from(products)
    .where(sql`${products.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
    .orderBy(products.id);

/** A complete product with all of its files, as one JSON object. */
export const productAsJson = jsonRow<ProductWithVariants>(columns, {
  categoryPath: categoryPathOfProduct,
  files: filesOfProduct("all"),
  variants: allVariants,
});

/**
 * A complete product with its published files as one column, null if a join finds no product, and the function that reads the
 * column.
 */
export const { packed: packedProduct, unpack: unpackProduct } = packedRow<ProductRow>(
  sql`${products.id} IS NOT NULL`,
  columns,
  { categoryPath: categoryPathOfProduct, files: filesOfProduct("published") },
);

/** Products that are for sale with their active variants: those with these ids, and those of variants with these ids. */
export async function findProductsForSale(db: Database, ids: readonly number[]): Promise<ProductWithVariants[]> {
  const named = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const found = await db.values<[string, string]>(
    sql`SELECT ${packedProduct}, ${activeVariants} FROM products
      WHERE status = 'active' AND parent_id IS NULL
        AND (id IN ${named} OR id IN (SELECT parent_id FROM products AS variant WHERE variant.id IN ${named}))`,
  );
  return found.map(([product, variants]) => ({ ...unpackProduct(product), variants: JSON.parse(variants) }));
}

/** Finds a product by its id, or by its current or former slug. */
export async function findProduct(
  db: Database,
  named: number | string,
  drafts: boolean,
): Promise<ProductWithVariants | undefined> {
  const id = typeof named === "number" ? named : idOfSlug(named);
  const isShown = sql.raw(drafts ? "TRUE" : "status = 'active'");
  const variants = drafts ? allVariants : activeVariants;
  const [found] = await db.values<[string, string]>(
    sql`SELECT ${packedProduct}, ${variants} FROM products WHERE id = ${id} AND ${isShown}`,
  );
  return found && { ...unpackProduct(found[0]), variants: JSON.parse(found[1]) };
}

/** The id of the product that has a slug, or else of the one that had it before it was renamed. */
export const idOfSlug = (slug: string): SQL => sql`coalesce(
  (SELECT id FROM products WHERE slug = ${slug}),
  (SELECT product_id FROM former_product_slugs WHERE slug = ${slug}))`;

/** A product that can be bought: one without options, or a variant. */
export type ItemForSale = ProductRow;

/**
 * Condition of active products without options and active variants. The sign keeps SQLite from using an index of statuses,
 * which it would have to sort.
 */
export const isItemForSale = sql`+${products.status} = 'active' AND ${products.options} = '[]'`;

/** Reads the next items for sale that meet a condition, in id order. */
export const readItemsForSale = (
  db: Database,
  { after, limit, where }: { after: number; limit: number; where: SQL },
): Promise<ItemForSale[]> =>
  selectProducts(db)
    .where(sql`${products.id} > ${after} AND ${isItemForSale} AND ${where}`)
    .orderBy(asc(products.id))
    .limit(limit);
