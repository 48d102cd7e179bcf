-- Lists a new customer by their tags.
CREATE TRIGGER customer_tags_of_new_user AFTER INSERT ON users WHEN NEW.tags <> '[]' AND NEW.role = 'customer'
BEGIN
  INSERT INTO customer_tags (tag_id, user_id)
  SELECT tags.id, NEW.id FROM json_each(NEW.tags) CROSS JOIN tags ON tags.name = value;
END;

-- Lists a customer by their changed tags, and removes staff from these lists.
CREATE TRIGGER customer_tags_follow AFTER UPDATE OF tags, role ON users
WHEN (OLD.tags, OLD.role = 'customer') IS NOT (NEW.tags, NEW.role = 'customer')
BEGIN
  DELETE FROM customer_tags WHERE user_id = NEW.id;
  INSERT INTO customer_tags (tag_id, user_id)
  SELECT tags.id, NEW.id FROM json_each(NEW.tags) CROSS JOIN tags ON tags.name = value WHERE NEW.role = 'customer';
END;

-- Counts a customer who gets a tag.
CREATE TRIGGER customer_tag_counts AFTER INSERT ON customer_tags
BEGIN
  UPDATE tags SET customers = customers + 1 WHERE id = NEW.tag_id;
END;

-- Counts a customer who loses a tag no longer.
CREATE TRIGGER customer_tag_counts_no_more AFTER DELETE ON customer_tags
BEGIN
  UPDATE tags SET customers = customers - 1 WHERE id = OLD.tag_id;
END;
