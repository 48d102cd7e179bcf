import { sortName } from "../../../src/platform/db/columns.ts";
import { inheritable } from "../../../src/platform/db/schema.ts";

/** Columns that a variant may inherit from its product. Files are rows of their own. */
const inherited = inheritable.filter((field) => field !== "file_ids");

/** The lists that contain a category's products, found through its parents alone. */
const above = `(
  WITH RECURSIVE above (category_id, list) AS (
    SELECT id, id FROM categories
    UNION ALL SELECT category_id, parent_id FROM above JOIN categories ON id = list WHERE parent_id IS NOT NULL)
  SELECT NULL AS category_id, 0 AS list UNION ALL SELECT id, 0 FROM categories UNION ALL SELECT * FROM above)`;

const listed = `products JOIN ${above} AS above ON above.category_id IS products.category_id AND parent_id IS NULL`;

const counted = `SELECT list, status, count(*) AS items FROM ${listed} GROUP BY list, status`;

const kept = "SELECT category_id, status, items FROM product_counts WHERE items <> 0";

const facts = "status, id, name, price";
const inLists = `SELECT list, status, id, sort_name, price FROM ${listed}`;
const keptInLists = `SELECT category_id, ${facts} FROM category_products`;

/** Rules of the tables behind lists, each as a query for rows that break it. */
export const listingRules = {
  "products are counted as what they are": `
    SELECT 'missing', * FROM (${counted} EXCEPT ${kept}) UNION ALL SELECT 'wrong', * FROM (${kept} EXCEPT ${counted})`,

  "a product is in the list of all, in its category and in all above it, with what lists are sorted by": `
    SELECT 'missing', * FROM (${inLists} EXCEPT ${keptInLists})
    UNION ALL SELECT 'wrong', * FROM (${keptInLists} EXCEPT ${inLists})`,

  "the path of a category is that of its parent and itself": `
    SELECT category.id, category.path, parent.path FROM categories AS category
    LEFT JOIN categories AS parent ON parent.id = category.parent_id
    WHERE category.path IS NOT json_insert(ifnull(parent.path, '[]'), '$[#]',
      json_object('id', category.id, 'name', category.name, 'slug', category.slug))
      OR category.tree_order IS NOT ifnull(parent.tree_order, '') || ${sortName("category.name")} || char(1) || category.id || char(1)`,

  "what is sold out is not in stock": "SELECT id FROM products WHERE sold_out = in_stock",

  "a parent shows the prices, the stock and the number of its variants": `
    SELECT parent.id, parent.price, highest_variant_price, sold_out, variant_count, variants.* FROM products AS parent LEFT JOIN (
      SELECT parent_id, count(*) AS variants, min(price) FILTER (WHERE own_status = 'active') AS lowest,
        max(price) FILTER (WHERE own_status = 'active') AS highest,
        count(*) FILTER (WHERE own_status = 'active' AND in_stock) AS in_stock
      FROM products WHERE parent_id IS NOT NULL GROUP BY parent_id) AS variants ON variants.parent_id = parent.id
    WHERE options <> '[]' AND (parent.price, highest_variant_price, sold_out, variant_count)
      IS NOT (ifnull(lowest, parent.price), highest, ifnull(variants.in_stock, 0) = 0, ifnull(variants, 0))`,

  "a parent shows the content of the variant with its price": `
    SELECT id FROM products AS parent WHERE options <> '[]' AND variant_unit_pricing IS NOT (
      SELECT unit_pricing FROM products WHERE parent_id = parent.id AND own_status = 'active' ORDER BY price, id LIMIT 1)`,

  "a product without options shows nothing of variants":
    "SELECT id FROM products WHERE options = '[]' AND (highest_variant_price, variant_unit_pricing, variant_count, variant_words, draft_words) IS NOT (NULL, NULL, 0, '', '')",

  "a parent is found by the words of its variants": `
    SELECT id, products.variant_words, products.draft_words FROM products JOIN variant_texts AS counted USING (id)
    WHERE (products.variant_words, products.draft_words) IS NOT (counted.variant_words, counted.draft_words)`,

  "a variant is active while it and its parent are": `
    SELECT variant.id FROM products AS variant JOIN products AS parent ON parent.id = variant.parent_id
    WHERE variant.status <> iif(parent.status = 'active', variant.own_status, 'draft')`,

  "a variant has the values of its product's options": "SELECT * FROM misfitting_variants",

  "a variant has what it inherits": `
    SELECT variant.id FROM products AS variant JOIN products AS parent ON parent.id = variant.parent_id
    JOIN inherited_values AS inherited ON inherited.id = variant.id
    WHERE (variant.category_id, variant.tags, variant.tag_ids) IS NOT (parent.category_id, parent.tags, parent.tag_ids)
      OR ${inherited.map((name) => `variant.${name} IS NOT inherited.${name}`).join(" OR ")}`,

  "a variant that inherits files has those of its product": `
    SELECT variant.id FROM products AS variant
    WHERE instr(inherits, '"file_ids"') AND (SELECT group_concat(file_id ORDER BY file_id) FROM product_files WHERE product_id = variant.id)
      IS NOT (SELECT group_concat(file_id ORDER BY file_id) FROM product_files WHERE product_id = variant.parent_id)`,
};
