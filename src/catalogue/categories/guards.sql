-- Shows the lists that the products of a category are in: its own and those of the categories above it.
CREATE VIEW category_lists (category_id, list) AS
SELECT categories.id, step.value ->> 'id' FROM categories, json_each(categories.path) AS step;

-- Computes the path and the order of a category and of those below it. The view has no rows; inserting its id runs its trigger.
CREATE VIEW category_placements (id) AS SELECT 0 WHERE FALSE;

-- Writes the path and the order of a category and of those below it.
CREATE TRIGGER category_placement INSTEAD OF INSERT ON category_placements
BEGIN
  UPDATE categories SET path = placed.path, tree_order = placed.tree_order
  FROM (
    WITH RECURSIVE below (id, path, tree_order) AS (
      SELECT category.id,
        json_insert(ifnull(parent.path, '[]'), '$[#]', json_object('id', category.id, 'name', category.name, 'slug', category.slug)),
        ifnull(parent.tree_order, '') || ${SORT_NAME_OF_CATEGORY} || char(1) || category.id || char(1)
      FROM categories AS category LEFT JOIN categories AS parent ON parent.id = category.parent_id WHERE category.id = NEW.id
      UNION ALL
      SELECT child.id,
        json_insert(below.path, '$[#]', json_object('id', child.id, 'name', child.name, 'slug', child.slug)),
        below.tree_order || ${SORT_NAME_OF_CHILD} || char(1) || child.id || char(1)
      FROM below JOIN categories AS child ON child.parent_id = below.id
    )
    SELECT * FROM below
  ) AS placed
  WHERE categories.id = placed.id;
END;

-- Places a new category in the tree.
CREATE TRIGGER category_begins AFTER INSERT ON categories
BEGIN
  INSERT INTO category_placements (id) VALUES (NEW.id);
END;

-- Places a category again that has another name, slug or parent.
CREATE TRIGGER category_is_placed AFTER UPDATE OF name, slug, parent_id ON categories
WHEN (NEW.name, NEW.slug, NEW.parent_id) IS NOT (OLD.name, OLD.slug, OLD.parent_id)
BEGIN
  INSERT INTO category_placements (id) VALUES (NEW.id);
END;

-- Prevents circles in the tree, and a move that would write to the database for too long.
CREATE TRIGGER category_may_move BEFORE UPDATE OF parent_id ON categories WHEN NEW.parent_id IS NOT OLD.parent_id
BEGIN
  SELECT RAISE(ABORT, 'category_not_below_itself') FROM category_lists WHERE category_id = NEW.parent_id AND list = NEW.id;
  SELECT RAISE(ABORT, 'category_too_large_to_move')
  WHERE (SELECT sum(items) FROM product_counts WHERE category_id = NEW.id) > ${PRODUCTS_MOVED};
END;

-- Moves the products of a category from the lists of its former parents to those of its new ones.
CREATE TRIGGER category_moves AFTER UPDATE OF parent_id ON categories WHEN NEW.parent_id IS NOT OLD.parent_id
BEGIN
  DELETE FROM category_products WHERE (category_id, status, id) IN (
    SELECT list, status, id FROM category_products CROSS JOIN (
      SELECT value ->> 'id' AS list FROM json_each(OLD.path) WHERE value ->> 'id' <> NEW.id
      EXCEPT SELECT list FROM category_lists WHERE category_id = NEW.parent_id)
    WHERE category_id = NEW.id);
  INSERT INTO category_products (category_id, status, id, name, price)
  SELECT list, status, id, name, price FROM (
    SELECT list FROM category_lists WHERE category_id = NEW.parent_id
    EXCEPT SELECT value ->> 'id' FROM json_each(OLD.path)
  ) CROSS JOIN category_products WHERE category_id = NEW.id;
END;

-- Prevents an id from being reused: references to the deleted row would apply to the new one.
CREATE TRIGGER categories_id_is_new AFTER INSERT ON categories
WHEN NEW.id <= (SELECT seq FROM sqlite_sequence WHERE name = 'categories')
BEGIN
  SELECT RAISE(ABORT, 'id_given_before');
END;

-- Remembers the slug of a renamed category, so that links to it still find it.
CREATE TRIGGER category_keeps_former_slug AFTER UPDATE OF slug ON categories WHEN NEW.slug <> OLD.slug
BEGIN
  INSERT INTO former_category_slugs (slug, category_id) VALUES (OLD.slug, NEW.id)
  ON CONFLICT DO UPDATE SET category_id = excluded.category_id;
END;
