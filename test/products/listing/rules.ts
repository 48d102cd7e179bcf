/** How many of a kind a child of a node counts; `upto` runs through the children. */
const own = `ifnull(counts.value ->> child.key, 0) - CASE child.key WHEN 0 THEN 0 ELSE ifnull(counts.value ->> (child.key - 1), 0) END`;

const placed = `
  SELECT category_id, sort, child.value ->> 1 AS id, counts.key AS kind
  FROM listing_nodes, json_each(children) AS child, json_each(upto) AS counts
  WHERE height = 1 AND counts.key < 12 AND ${own} <> 0`;

const expected = `
  SELECT list, sorts.value, products.id, kind FROM products, json_each('["newest","price","name"]') AS sorts,
    (SELECT 0 AS list UNION ALL SELECT id FROM categories) WHERE list IN (0, category_id)`;

/** What must hold of the trees in listing_nodes, each as a query for what breaks it. */
export const listingRules = {
  "a list has each of its products, and no other, as the kind that it is": `
    SELECT 'missing', * FROM (${expected} EXCEPT ${placed})
    UNION ALL SELECT 'not of it', * FROM (${placed} EXCEPT ${expected})`,

  "a list counts a product once": `
    SELECT category_id, sort, child.value, counts.key FROM listing_nodes, json_each(children) AS child, json_each(upto) AS counts
    WHERE height = 1 AND counts.key < 12 AND ${own} NOT IN (0, 1)`,

  "products stand in their order": `
    SELECT * FROM (
      SELECT category_id, sort, height, key, id, lag(key) OVER list AS key_before, lag(id) OVER list AS id_before FROM (
        SELECT category_id, sort, height, low_key, low_id, child.key AS pos, child.value ->> 0 AS key, child.value ->> 1 AS id
        FROM listing_nodes, json_each(children) AS child
      ) WINDOW list AS (PARTITION BY category_id, sort, height ORDER BY low_key, low_id, pos)
    ) WHERE (key COLLATE NOCASE, id) <= (key_before, id_before)`,

  "a leaf knows a product by what it is ordered by": `
    SELECT sort, child.value FROM listing_nodes, json_each(children) AS child, json_each(upto) AS counts
    WHERE height = 1 AND counts.key < 12 AND ${own} <> 0 AND child.value ->> 0 COLLATE NOCASE <> (
      SELECT CASE sort WHEN 'newest' THEN products.id WHEN 'price' THEN price ELSE name END
      FROM products WHERE id = child.value ->> 1)`,

  "a node begins where its first child does, and has 64 at most": `
    SELECT * FROM listing_nodes WHERE json_array_length(children) NOT BETWEEN 1 AND 64
      OR (low_key COLLATE NOCASE, low_id) IS NOT (children ->> '$[0][0]', children ->> '$[0][1]')`,

  "a node counts what its children count": `
    SELECT node.id, child.key, counts.key FROM listing_nodes AS node, json_each(node.children) AS child
    JOIN listing_nodes AS below ON below.id = child.value ->> 2, json_each(node.upto) AS counts
    WHERE ${own} <> ifnull(below.upto ->> ('$[' || counts.key || '][#-1]'), 0)`,

  "a node knows of how many kinds its active and its draft products are": `
    SELECT node.id, child.key, counts.key FROM listing_nodes AS node, json_each(children) AS child, json_each(upto) AS counts
    WHERE counts.key >= 12 AND ifnull(counts.value ->> child.key, 0) <> (
      SELECT sum(ifnull(kinds.value ->> child.key, 0)) FROM json_each(upto) AS kinds
      WHERE kinds.key / 6 = counts.key - 12 AND kinds.key < 12)`,

  "every node but one of a list hangs on another": `
    SELECT category_id, sort, count(*) FROM listing_nodes
    WHERE id NOT IN (SELECT child.value ->> 2 FROM listing_nodes, json_each(children) AS child WHERE height > 1)
    GROUP BY category_id, sort HAVING count(*) <> 1`,

  "what is sold out is not in stock": "SELECT id FROM products WHERE sold_out = in_stock",
};
