-- SQLite makes code of every trigger that a statement could come to, whether it does or not, and of those of listing_moves
-- that takes longer than the rest of an order. So a stock, which every order changes, has a trigger of its own here: in or
-- out of stock, a product stays where it stands, and only its kind is another.
DROP TRIGGER product_moves_in_lists;
--> statement-breakpoint
CREATE TRIGGER product_moves_in_lists AFTER UPDATE OF status, type, price, name, category_id ON products
WHEN (OLD.status, OLD.type, OLD.price, OLD.name, OLD.category_id)
  IS NOT (NEW.status, NEW.type, NEW.price, NEW.name, NEW.category_id)
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
CREATE TRIGGER product_changes_stock_in_lists AFTER UPDATE OF manage_stock, stock_quantity ON products
WHEN OLD.in_stock <> NEW.in_stock AND (OLD.status, OLD.type, OLD.price, OLD.name, OLD.category_id)
  IS (NEW.status, NEW.type, NEW.price, NEW.name, NEW.category_id)
BEGIN
  UPDATE listing_nodes SET upto = (
    SELECT json_group_array(json(CASE
      WHEN counts.key IN (OLD.kind, NEW.kind) THEN (
        SELECT json_group_array(value + (key >= way.pos) * iif(counts.key = NEW.kind, 1, -1) ORDER BY key)
        FROM json_each(ifnull(counts.value, (SELECT json_group_array(0) FROM json_each(children))))
      )
      ELSE counts.value
    END) ORDER BY counts.key)
    FROM json_each(upto) AS counts
  )
  FROM (
    SELECT node.id AS node, (
      SELECT count(*) - 1 FROM json_each(node.children)
      WHERE ((value ->> 0) COLLATE NOCASE, value ->> 1) <= (place.key, NEW.id)
    ) AS pos
    FROM (SELECT 0 AS category_id UNION ALL SELECT NEW.category_id WHERE NEW.category_id IS NOT NULL) AS list
    JOIN (
      -- A plus takes a column's affinity away, which would compare a name of digits as a number.
      SELECT 'newest' AS sort, +NEW.id AS key UNION ALL SELECT 'price', +NEW.price UNION ALL SELECT 'name', +NEW.name
    ) AS place
    JOIN listing_heights
    JOIN listing_nodes AS node ON node.id = (
      SELECT id FROM listing_nodes AS other
      WHERE other.category_id = list.category_id AND other.sort = place.sort AND other.height = listing_heights.height
        AND (other.low_key, other.low_id) <= (place.key, NEW.id)
      ORDER BY other.low_key DESC, other.low_id DESC LIMIT 1
    )
  ) AS way
  WHERE listing_nodes.id = way.node;
END;
