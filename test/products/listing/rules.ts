const counted = `SELECT * FROM (
  SELECT 0 AS category_id, status, type, sold_out, count(*) AS items FROM products GROUP BY status, type, sold_out
  UNION ALL SELECT category_id, status, type, sold_out, count(*) FROM products WHERE category_id IS NOT NULL
  GROUP BY category_id, status, type, sold_out)`;

const kept = "SELECT category_id, status, type, sold_out, items FROM product_counts WHERE items <> 0";

const countedByPrice = `SELECT * FROM (
  SELECT 0 AS category_id, status, price_band, type, sold_out, count(*) AS items FROM products
  GROUP BY status, price_band, type, sold_out
  UNION ALL SELECT category_id, status, price_band, type, sold_out, count(*) FROM products WHERE category_id IS NOT NULL
  GROUP BY category_id, status, price_band, type, sold_out)`;

const keptByPrice =
  "SELECT category_id, status, price_band, type, sold_out, items FROM product_price_counts WHERE items <> 0";

/** What must hold of what lists are read from, each as a query for what breaks it. */
export const listingRules = {
  "products are counted as what they are": `
    SELECT 'missing', * FROM (${counted} EXCEPT ${kept}) UNION ALL SELECT 'wrong', * FROM (${kept} EXCEPT ${counted})`,

  "products are counted in the band of what they cost": `
    SELECT 'missing', * FROM (${countedByPrice} EXCEPT ${keptByPrice})
    UNION ALL SELECT 'wrong', * FROM (${keptByPrice} EXCEPT ${countedByPrice})`,

  "what is sold out is not in stock": "SELECT id FROM products WHERE sold_out = in_stock",
};
