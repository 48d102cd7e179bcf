-- Accounts and the customers of orders are found by any word of a name or an e-mail address. An order stands in the index
-- only if nobody ordered under its name and address before: whoever comes again costs it nothing, and the orders of a
-- customer are read from orders_by_customer.
CREATE VIRTUAL TABLE users_search USING fts5(
  name, email, content = 'users', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
--> statement-breakpoint
CREATE TRIGGER users_search_insert AFTER INSERT ON users
BEGIN
  INSERT INTO users_search (rowid, name, email) VALUES (NEW.id, NEW.name, NEW.email);
END;
--> statement-breakpoint
CREATE TRIGGER users_search_delete AFTER DELETE ON users
BEGIN
  INSERT INTO users_search (users_search, rowid, name, email) VALUES ('delete', OLD.id, OLD.name, OLD.email);
END;
--> statement-breakpoint
CREATE TRIGGER users_search_update AFTER UPDATE OF name, email ON users
WHEN (OLD.name, OLD.email) IS NOT (NEW.name, NEW.email)
BEGIN
  INSERT INTO users_search (users_search, rowid, name, email) VALUES ('delete', OLD.id, OLD.name, OLD.email);
  INSERT INTO users_search (rowid, name, email) VALUES (NEW.id, NEW.name, NEW.email);
END;
--> statement-breakpoint
INSERT INTO users_search (users_search) VALUES ('rebuild');
--> statement-breakpoint
DROP INDEX users_by_name;
--> statement-breakpoint
DROP INDEX orders_by_email;
--> statement-breakpoint
DROP INDEX orders_by_name;
--> statement-breakpoint
CREATE INDEX orders_by_customer ON orders (customer_email, customer_name)
WHERE customer_email IS NOT NULL OR customer_name IS NOT NULL;
--> statement-breakpoint
CREATE VIRTUAL TABLE orders_search USING fts5(
  customer_name, customer_email, content = 'orders', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2 3'
);
--> statement-breakpoint
CREATE TRIGGER orders_search_insert AFTER INSERT ON orders
WHEN (NEW.customer_email IS NOT NULL OR NEW.customer_name IS NOT NULL) AND NOT EXISTS (
  SELECT 1 FROM orders
  WHERE customer_email IS NEW.customer_email AND customer_name IS NEW.customer_name AND id < NEW.id
    AND (customer_email IS NOT NULL OR customer_name IS NOT NULL)
)
BEGIN
  INSERT INTO orders_search (rowid, customer_name, customer_email)
  VALUES (NEW.id, NEW.customer_name, NEW.customer_email);
END;
--> statement-breakpoint
INSERT INTO orders_search (rowid, customer_name, customer_email)
SELECT min(id), customer_name, customer_email FROM orders
WHERE customer_email IS NOT NULL OR customer_name IS NOT NULL
GROUP BY customer_email, customer_name;
