-- Totals and any page of any list without counting or skipping rows. For each order of each list, listing_nodes holds a
-- B-tree whose nodes know how many products of each kind stand up to each of their children, so that a place is found, and
-- a range counted, by one row for each of its levels (there are four for a million products).
--
-- A leaf of the order of prices with three products, of which the first two are of kind 1 and the last of kind 7:
--   children [[1999,12,null], [2500,4,null], [2500,9,null]]      upto[1] [1,2,2]   upto[7] [0,0,1]   all other kinds null
-- A node above it, where it is the first child: children [[1999,12,<id of the leaf>], …]   upto[1] [2,…]   upto[7] [1,…]
-- Entries 12 and 13 of upto are the active and the draft ones, of all kinds. What lists are narrowed by otherwise is their
-- category, which has trees of its own. How a page is read of this: src/products/listing/queries.ts.
--
-- A product that comes, goes or changes makes one listing_moves for each tree that it concerns. That halves full nodes on
-- the way from the root to the leaf (listing_halvings), then counts it in each of them (listing_steps).
--
-- SQLite has no procedures. The views below have no rows: what is inserted into one of them is done by its trigger.
CREATE VIEW listing_heights (height) AS VALUES (1), (2), (3), (4), (5);
--> statement-breakpoint
-- A product stands in a list at (key, id): it comes as a kind, goes as one, or changes its kind where it stands.
CREATE VIEW listing_moves (category_id, sort, key, id, came, went) AS SELECT 0, '', NULL, 0, 0, 0 WHERE FALSE;
--> statement-breakpoint
-- The same in one node, in which it stands in the child at `pos`. Leaves hold products: there it is put in and taken out.
CREATE VIEW listing_steps (node, pos, enters, leaves, key, id, came, went) AS SELECT 0, 0, 0, 0, NULL, 0, 0, 0 WHERE FALSE;
--> statement-breakpoint
-- A full node gives its children from `at` on to a new one.
CREATE VIEW listing_halvings (node, at) AS SELECT 0, 0 WHERE FALSE;
--> statement-breakpoint
-- The trees of an order are made anew from the products: after a bulk load with the triggers off.
CREATE VIEW listing_rebuilds (sort) AS SELECT '' WHERE FALSE;
--> statement-breakpoint
CREATE VIEW listing_layers (sort, height) AS SELECT '', 0 WHERE FALSE;
--> statement-breakpoint
CREATE TRIGGER product_comes_into_lists AFTER INSERT ON products
BEGIN
  INSERT INTO listing_moves (category_id, sort, key, id, came, went)
  SELECT list.category_id, place.sort, place.key, NEW.id, NEW.kind, NULL
  FROM (SELECT 0 AS category_id UNION ALL SELECT NEW.category_id WHERE NEW.category_id IS NOT NULL) AS list
  JOIN (
    SELECT 'newest' AS sort, NEW.id AS key UNION ALL SELECT 'price', NEW.price UNION ALL SELECT 'name', NEW.name
  ) AS place;
END;
--> statement-breakpoint
CREATE TRIGGER product_goes_from_lists AFTER DELETE ON products
BEGIN
  INSERT INTO listing_moves (category_id, sort, key, id, came, went)
  SELECT list.category_id, place.sort, place.key, OLD.id, NULL, OLD.kind
  FROM (SELECT 0 AS category_id UNION ALL SELECT OLD.category_id WHERE OLD.category_id IS NOT NULL) AS list
  JOIN (
    SELECT 'newest' AS sort, OLD.id AS key UNION ALL SELECT 'price', OLD.price UNION ALL SELECT 'name', OLD.name
  ) AS place;
END;
--> statement-breakpoint
-- Most orders take from a stock that does not run out by it: then nothing is written here.
CREATE TRIGGER product_moves_in_lists
AFTER UPDATE OF status, type, manage_stock, stock_quantity, price, name, category_id ON products
WHEN (OLD.kind, OLD.price, OLD.name, OLD.category_id) IS NOT (NEW.kind, NEW.price, NEW.name, NEW.category_id)
BEGIN
  INSERT INTO listing_moves (category_id, sort, key, id, came, went)
  SELECT list.category_id, place.sort, place.key, OLD.id, CASE WHEN list.stays AND place.stays THEN NEW.kind END, OLD.kind
  FROM (
    SELECT 0 AS category_id, TRUE AS stays
    UNION ALL SELECT OLD.category_id, OLD.category_id IS NEW.category_id WHERE OLD.category_id IS NOT NULL
  ) AS list
  JOIN (
    SELECT 'newest' AS sort, OLD.id AS key, TRUE AS stays
    UNION ALL SELECT 'price', OLD.price, OLD.price IS NEW.price
    UNION ALL SELECT 'name', OLD.name, OLD.name IS NEW.name
  ) AS place
  WHERE NOT (list.stays AND place.stays AND OLD.kind = NEW.kind);
  INSERT INTO listing_moves (category_id, sort, key, id, came, went)
  SELECT list.category_id, place.sort, place.key, NEW.id, NEW.kind, NULL
  FROM (
    SELECT 0 AS category_id, TRUE AS stays
    UNION ALL SELECT NEW.category_id, OLD.category_id IS NEW.category_id WHERE NEW.category_id IS NOT NULL
  ) AS list
  JOIN (
    SELECT 'newest' AS sort, NEW.id AS key, TRUE AS stays
    UNION ALL SELECT 'price', NEW.price, OLD.price IS NEW.price
    UNION ALL SELECT 'name', NEW.name, OLD.name IS NEW.name
  ) AS place
  WHERE NOT (list.stays AND place.stays);
END;
--> statement-breakpoint
CREATE TRIGGER product_comes_sold_out AFTER INSERT ON products WHEN NOT NEW.in_stock
BEGIN
  UPDATE products SET sold_out = 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER product_sells_out AFTER UPDATE OF manage_stock, stock_quantity ON products WHEN OLD.in_stock <> NEW.in_stock
BEGIN
  UPDATE products SET sold_out = NOT NEW.in_stock WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER category_has_lists_no_more AFTER DELETE ON categories
BEGIN
  DELETE FROM listing_nodes WHERE category_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER listing_move INSTEAD OF INSERT ON listing_moves
BEGIN
  -- A list begins with a leaf whose first child comes before everything and counts nothing.
  INSERT INTO listing_nodes (category_id, sort, height, low_key, low_id, children, upto)
  SELECT NEW.category_id, NEW.sort, 1, -9223372036854775808, 0, '[[-9223372036854775808,0]]',
    '[null,null,null,null,null,null,null,null,null,null,null,null,null,null]'
  WHERE NOT EXISTS (SELECT 1 FROM listing_nodes WHERE category_id = NEW.category_id AND sort = NEW.sort);
  -- Full nodes on the way are halved from the root down, so each finds room above. Where products come at the end, as the
  -- newest do, the node that they leave behind stays full.
  INSERT INTO listing_halvings (node, at)
  SELECT id, CASE
    WHEN ((children ->> '$[#-1][0]') COLLATE NOCASE, children ->> '$[#-1][1]') <= (NEW.key, NEW.id)
    THEN json_array_length(children) - 1 ELSE json_array_length(children) / 2 END
  FROM listing_nodes
  WHERE NEW.went IS NULL AND json_array_length(children) >= 64 AND id IN (
    SELECT (
      SELECT node.id FROM listing_nodes AS node
      WHERE node.category_id = NEW.category_id AND node.sort = NEW.sort AND node.height = listing_heights.height
        AND (node.low_key, node.low_id) <= (NEW.key, NEW.id)
      ORDER BY node.low_key DESC, node.low_id DESC LIMIT 1
    ) FROM listing_heights
  )
  ORDER BY height DESC;
  INSERT INTO listing_steps (node, pos, enters, leaves, key, id, came, went)
  SELECT id, pos,
    height = 1 AND NEW.went IS NULL
      AND ((children ->> ('$[' || pos || '][0]')) COLLATE NOCASE, children ->> ('$[' || pos || '][1]')) IS NOT (NEW.key, NEW.id),
    height = 1 AND NEW.came IS NULL AND pos > 0,
    NEW.key, NEW.id, NEW.came, NEW.went
  FROM (
    SELECT id, height, children, (
      SELECT count(*) - 1 FROM json_each(children)
      WHERE ((value ->> 0) COLLATE NOCASE, value ->> 1) <= (NEW.key, NEW.id)
    ) AS pos
    FROM listing_nodes
    WHERE id IN (
      SELECT (
        SELECT node.id FROM listing_nodes AS node
        WHERE node.category_id = NEW.category_id AND node.sort = NEW.sort AND node.height = listing_heights.height
          AND (node.low_key, node.low_id) <= (NEW.key, NEW.id)
        ORDER BY node.low_key DESC, node.low_id DESC LIMIT 1
      ) FROM listing_heights
    )
  );
END;
--> statement-breakpoint
CREATE TRIGGER listing_step INSTEAD OF INSERT ON listing_steps
BEGIN
  -- The first child of a node stays, and counts nothing, when its product goes: the node begins there.
  UPDATE listing_nodes SET
    children = CASE
      WHEN NEW.enters THEN (
        SELECT json_group_array(json(child) ORDER BY n) FROM (
          SELECT key AS n, value AS child FROM json_each(children)
          UNION ALL SELECT NEW.pos + 0.5, json_array(NEW.key, NEW.id)
        )
      )
      WHEN NEW.leaves THEN json_remove(children, '$[' || NEW.pos || ']')
      ELSE children
    END,
    upto = (
      SELECT json_group_array(json(CASE
        WHEN counts.change = 0 AND (counts.value IS NULL OR NOT (NEW.enters OR NEW.leaves)) THEN counts.value
        ELSE (
          SELECT json_group_array(total + (n >= NEW.pos + NEW.enters * 0.5) * counts.change ORDER BY n) FROM (
            SELECT key AS n, value AS total
            FROM json_each(ifnull(counts.value, (SELECT json_group_array(0) FROM json_each(children))))
            WHERE NOT (NEW.leaves AND key = NEW.pos)
            UNION ALL SELECT NEW.pos + 0.5, ifnull(counts.value ->> NEW.pos, 0) WHERE NEW.enters
          )
        )
      END) ORDER BY counts.key)
      FROM (
        SELECT key, value, CASE
          WHEN key < 12 THEN (key IS NEW.came) - (key IS NEW.went)
          ELSE (key - 12 IS NEW.came / 6) - (key - 12 IS NEW.went / 6)
        END AS change
        FROM json_each(upto)
      ) AS counts
    )
  WHERE id = NEW.node;
  -- A leaf without products is dropped, unless its node begins with it; so nothing is left of products that come and go.
  DELETE FROM listing_nodes WHERE id = (
    SELECT children ->> ('$[' || NEW.pos || '][2]') FROM listing_nodes AS node
    WHERE id = NEW.node AND height = 2 AND NEW.came IS NULL AND NEW.pos > 0
      AND (upto ->> ('$[12][' || NEW.pos || ']'), upto ->> ('$[13][' || NEW.pos || ']'))
        IS (upto ->> ('$[12][' || (NEW.pos - 1) || ']'), upto ->> ('$[13][' || (NEW.pos - 1) || ']'))
  );
  UPDATE listing_nodes SET
    children = json_remove(children, '$[' || NEW.pos || ']'),
    upto = (
      SELECT json_group_array(json(CASE WHEN value IS NOT NULL THEN json_remove(value, '$[' || NEW.pos || ']') END) ORDER BY key)
      FROM json_each(upto)
    )
  WHERE id = NEW.node AND height = 2 AND NEW.came IS NULL AND NEW.pos > 0
    AND NOT EXISTS (SELECT 1 FROM listing_nodes AS leaf WHERE leaf.id = listing_nodes.children ->> ('$[' || NEW.pos || '][2]'));
END;
--> statement-breakpoint
CREATE TRIGGER listing_halving INSTEAD OF INSERT ON listing_halvings
BEGIN
  -- A root gets a root above it.
  INSERT INTO listing_nodes (category_id, sort, height, low_key, low_id, children, upto)
  SELECT category_id, sort, height + 1, low_key, low_id, json_array(json_array(low_key, low_id, id)), (
    SELECT json_group_array(json(CASE WHEN value IS NOT NULL THEN json_array(value ->> '$[#-1]') END) ORDER BY key)
    FROM json_each(upto)
  )
  FROM listing_nodes WHERE id = NEW.node AND NOT EXISTS (
    SELECT 1 FROM listing_nodes AS node
    WHERE node.category_id = listing_nodes.category_id AND node.sort = listing_nodes.sort
      AND node.height = listing_nodes.height + 1
  );
  INSERT INTO listing_nodes (category_id, sort, height, low_key, low_id, children, upto)
  SELECT category_id, sort, height, children ->> ('$[' || NEW.at || '][0]'), children ->> ('$[' || NEW.at || '][1]'),
    (SELECT json_group_array(json(value) ORDER BY key) FROM json_each(children) WHERE key >= NEW.at),
    (
      SELECT json_group_array(json(CASE WHEN counts.value IS NOT NULL THEN (
        SELECT json_group_array(value - (counts.value ->> (NEW.at - 1)) ORDER BY key)
        FROM json_each(counts.value) WHERE key >= NEW.at
      ) END) ORDER BY counts.key)
      FROM json_each(upto) AS counts
    )
  FROM listing_nodes WHERE id = NEW.node;
  -- The node above has one child more.
  UPDATE listing_nodes SET
    children = (
      SELECT json_group_array(json(child) ORDER BY n) FROM (
        SELECT key AS n, value AS child FROM json_each(children)
        UNION ALL SELECT halved.pos + 0.5, halved.child
      )
    ),
    upto = (
      SELECT json_group_array(json(CASE WHEN counts.value IS NOT NULL THEN (
        SELECT json_group_array(total ORDER BY n) FROM (
          SELECT key AS n, value - (key = halved.pos) * ifnull(halved.taken ->> ('$[' || counts.key || '][#-1]'), 0) AS total
          FROM json_each(counts.value)
          UNION ALL SELECT halved.pos + 0.5, counts.value ->> halved.pos
        )
      ) END) ORDER BY counts.key)
      FROM json_each(upto) AS counts
    )
  FROM (
    SELECT above.id AS above, (SELECT key FROM json_each(above.children) WHERE value ->> 2 = node.id) AS pos,
      json_array(half.low_key, half.low_id, half.id) AS child, half.upto AS taken
    FROM listing_nodes AS node
    JOIN listing_nodes AS half ON half.category_id = node.category_id AND half.sort = node.sort
      AND half.height = node.height AND half.low_key = node.children ->> ('$[' || NEW.at || '][0]')
      AND half.low_id = node.children ->> ('$[' || NEW.at || '][1]')
    JOIN listing_nodes AS above ON above.id = (
      SELECT id FROM listing_nodes AS other
      WHERE other.category_id = node.category_id AND other.sort = node.sort AND other.height = node.height + 1
        AND (other.low_key, other.low_id) <= (node.low_key, node.low_id)
      ORDER BY other.low_key DESC, other.low_id DESC LIMIT 1
    )
    WHERE node.id = NEW.node
  ) AS halved
  WHERE listing_nodes.id = halved.above;
  UPDATE listing_nodes SET
    children = (SELECT json_group_array(json(value) ORDER BY key) FROM json_each(children) WHERE key < NEW.at),
    upto = (
      SELECT json_group_array(json(CASE WHEN counts.value IS NOT NULL THEN (
        SELECT json_group_array(value ORDER BY key) FROM json_each(counts.value) WHERE key < NEW.at
      ) END) ORDER BY counts.key)
      FROM json_each(upto) AS counts
    )
  WHERE id = NEW.node;
END;
--> statement-breakpoint
CREATE TRIGGER listing_rebuild INSTEAD OF INSERT ON listing_rebuilds
BEGIN
  UPDATE products SET sold_out = NOT in_stock WHERE NEW.sort = 'newest' AND sold_out = in_stock;
  DELETE FROM listing_nodes WHERE sort = NEW.sort;
  INSERT INTO listing_layers (sort, height) SELECT NEW.sort, height FROM listing_heights ORDER BY height;
END;
--> statement-breakpoint
-- A layer stands on the products, or on the nodes of the layer below; each node is filled by three quarters.
CREATE TRIGGER listing_layer INSTEAD OF INSERT ON listing_layers
BEGIN
  INSERT INTO listing_nodes (category_id, sort, height, low_key, low_id, children, upto)
  SELECT category_id, NEW.sort, NEW.height, min(key) FILTER (WHERE n % 48 = 0), min(id) FILTER (WHERE n % 48 = 0),
    json_group_array(json_array(key, id, node) ORDER BY n), json_array(
    json(CASE WHEN max(k0) > 0 THEN json_group_array(k0 ORDER BY n) END),
    json(CASE WHEN max(k1) > 0 THEN json_group_array(k1 ORDER BY n) END),
    json(CASE WHEN max(k2) > 0 THEN json_group_array(k2 ORDER BY n) END),
    json(CASE WHEN max(k3) > 0 THEN json_group_array(k3 ORDER BY n) END),
    json(CASE WHEN max(k4) > 0 THEN json_group_array(k4 ORDER BY n) END),
    json(CASE WHEN max(k5) > 0 THEN json_group_array(k5 ORDER BY n) END),
    json(CASE WHEN max(k6) > 0 THEN json_group_array(k6 ORDER BY n) END),
    json(CASE WHEN max(k7) > 0 THEN json_group_array(k7 ORDER BY n) END),
    json(CASE WHEN max(k8) > 0 THEN json_group_array(k8 ORDER BY n) END),
    json(CASE WHEN max(k9) > 0 THEN json_group_array(k9 ORDER BY n) END),
    json(CASE WHEN max(k10) > 0 THEN json_group_array(k10 ORDER BY n) END),
    json(CASE WHEN max(k11) > 0 THEN json_group_array(k11 ORDER BY n) END),
    json(CASE WHEN max(active) > 0 THEN json_group_array(active ORDER BY n) END),
    json(CASE WHEN max(draft) > 0 THEN json_group_array(draft ORDER BY n) END))
  FROM (
    SELECT category_id, key, id, node, n,
      sum(ifnull(upto ->> '$[0][#-1]', kind IS 0)) OVER node AS k0,
      sum(ifnull(upto ->> '$[1][#-1]', kind IS 1)) OVER node AS k1,
      sum(ifnull(upto ->> '$[2][#-1]', kind IS 2)) OVER node AS k2,
      sum(ifnull(upto ->> '$[3][#-1]', kind IS 3)) OVER node AS k3,
      sum(ifnull(upto ->> '$[4][#-1]', kind IS 4)) OVER node AS k4,
      sum(ifnull(upto ->> '$[5][#-1]', kind IS 5)) OVER node AS k5,
      sum(ifnull(upto ->> '$[6][#-1]', kind IS 6)) OVER node AS k6,
      sum(ifnull(upto ->> '$[7][#-1]', kind IS 7)) OVER node AS k7,
      sum(ifnull(upto ->> '$[8][#-1]', kind IS 8)) OVER node AS k8,
      sum(ifnull(upto ->> '$[9][#-1]', kind IS 9)) OVER node AS k9,
      sum(ifnull(upto ->> '$[10][#-1]', kind IS 10)) OVER node AS k10,
      sum(ifnull(upto ->> '$[11][#-1]', kind IS 11)) OVER node AS k11,
      sum(ifnull(upto ->> '$[12][#-1]', kind / 6 IS 0)) OVER node AS active,
      sum(ifnull(upto ->> '$[13][#-1]', kind / 6 IS 1)) OVER node AS draft
    FROM (
      SELECT *, row_number() OVER (PARTITION BY category_id ORDER BY key COLLATE NOCASE, id) - 1 AS n,
        count(*) OVER (PARTITION BY category_id) AS siblings
      FROM (
        SELECT 0 AS category_id, CASE NEW.sort WHEN 'newest' THEN id WHEN 'price' THEN price ELSE name END AS key,
          id, NULL AS node, kind, NULL AS upto
        FROM products WHERE NEW.height = 1
        UNION ALL
        SELECT category_id, CASE NEW.sort WHEN 'newest' THEN id WHEN 'price' THEN price ELSE name END, id, NULL, kind, NULL
        FROM products WHERE NEW.height = 1 AND category_id IS NOT NULL
        UNION ALL SELECT 0, -9223372036854775808, 0, NULL, NULL, NULL WHERE NEW.height = 1
        UNION ALL SELECT id, -9223372036854775808, 0, NULL, NULL, NULL FROM categories WHERE NEW.height = 1
        UNION ALL SELECT category_id, low_key, low_id, id, NULL, upto
        FROM listing_nodes WHERE sort = NEW.sort AND height = NEW.height - 1
      )
    )
    WHERE NEW.height = 1 OR siblings > 1
    WINDOW node AS (PARTITION BY category_id, n / 48 ORDER BY n)
  )
  GROUP BY category_id, n / 48;
END;
--> statement-breakpoint
INSERT INTO listing_rebuilds (sort) VALUES ('newest');
--> statement-breakpoint
INSERT INTO listing_rebuilds (sort) VALUES ('price');
--> statement-breakpoint
INSERT INTO listing_rebuilds (sort) VALUES ('name');
