import { inheritable } from "../../../src/platform/db/schema.ts";

/** Columns that a variant may take from its product. Files are rows of their own. */
const inherited = inheritable.filter((field) => field !== "file_ids");

const counted = `SELECT * FROM (
  SELECT 0 AS category_id, status, type, sold_out, count(*) AS items FROM products WHERE parent_id IS NULL GROUP BY status, type, sold_out
  UNION ALL SELECT category_id, status, type, sold_out, count(*) FROM products WHERE parent_id IS NULL AND category_id IS NOT NULL
  GROUP BY category_id, status, type, sold_out)`;

const kept = "SELECT category_id, status, type, sold_out, items FROM product_counts WHERE items <> 0";

const countedByPrice = `SELECT * FROM (
  SELECT 0 AS category_id, status, price_band, type, sold_out, count(*) AS items FROM products WHERE parent_id IS NULL
  GROUP BY status, price_band, type, sold_out
  UNION ALL SELECT category_id, status, price_band, type, sold_out, count(*) FROM products WHERE parent_id IS NULL AND category_id IS NOT NULL
  GROUP BY category_id, status, price_band, type, sold_out)`;

const keptByPrice =
  "SELECT category_id, status, price_band, type, sold_out, items FROM product_price_counts WHERE items <> 0";

/** Rules of the tables that lists are read from, each as a query for the rows that break it. */
export const listingRules = {
  "products are counted as what they are": `
    SELECT 'missing', * FROM (${counted} EXCEPT ${kept}) UNION ALL SELECT 'wrong', * FROM (${kept} EXCEPT ${counted})`,

  "products are counted in the band of what they cost": `
    SELECT 'missing', * FROM (${countedByPrice} EXCEPT ${keptByPrice})
    UNION ALL SELECT 'wrong', * FROM (${keptByPrice} EXCEPT ${countedByPrice})`,

  "products with several prices are counted where they begin and end": `
    SELECT * FROM (
      SELECT category_id, status, price_band, type, sold_out, sum(items) AS items FROM (
        SELECT * FROM product_range_counts
        UNION ALL SELECT 0, status, type, sold_out, price_band, -1 FROM products WHERE highest_variant_price > price
        UNION ALL SELECT 0, status, type, sold_out, highest_price_band, 1 FROM products WHERE highest_variant_price > price
        UNION ALL SELECT category_id, status, type, sold_out, price_band, -1 FROM products WHERE highest_variant_price > price AND category_id IS NOT NULL
        UNION ALL SELECT category_id, status, type, sold_out, highest_price_band, 1 FROM products WHERE highest_variant_price > price AND category_id IS NOT NULL
      ) GROUP BY category_id, status, price_band, type, sold_out
    ) WHERE items <> 0`,

  "what is sold out is not in stock": "SELECT id FROM products WHERE sold_out = in_stock",

  "a parent shows the prices, the stock and the number of its variants": `
    SELECT parent.id, parent.price, highest_variant_price, sold_out, variant_count, variants.* FROM products AS parent LEFT JOIN (
      SELECT parent_id, count(*) AS variants, min(price) FILTER (WHERE own_status = 'active') AS lowest,
        max(price) FILTER (WHERE own_status = 'active') AS highest,
        count(*) FILTER (WHERE own_status = 'active' AND in_stock) AS in_stock
      FROM products WHERE parent_id IS NOT NULL GROUP BY parent_id) AS variants ON variants.parent_id = parent.id
    WHERE options <> '[]' AND (parent.price, highest_variant_price, sold_out, variant_count)
      IS NOT (ifnull(lowest, parent.price), highest, ifnull(variants.in_stock, 0) = 0, ifnull(variants, 0))`,

  "a product without options shows nothing of variants":
    "SELECT id FROM products WHERE options = '[]' AND (highest_variant_price, variant_count, variant_words, draft_words) IS NOT (NULL, 0, '', '')",

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
    WHERE variant.category_id IS NOT parent.category_id OR ${inherited.map((name) => `variant.${name} IS NOT inherited.${name}`).join(" OR ")}`,

  "a variant that inherits files has those of its product": `
    SELECT variant.id FROM products AS variant
    WHERE instr(inherits, '"file_ids"') AND (SELECT group_concat(file_id ORDER BY file_id) FROM product_files WHERE product_id = variant.id)
      IS NOT (SELECT group_concat(file_id ORDER BY file_id) FROM product_files WHERE product_id = variant.parent_id)`,
};
