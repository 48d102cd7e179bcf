CREATE TABLE `withdrawn_products` (
	`product_id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`sku` text NOT NULL,
	`type` text NOT NULL,
	`price` integer NOT NULL,
	`images` text NOT NULL,
	`requires_shipping` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
-- A draft is edited out of sight: carts that hold it go on showing what was last on sale.
CREATE TRIGGER product_is_withdrawn AFTER UPDATE OF status ON products WHEN OLD.status = 'active' AND NEW.status = 'draft'
BEGIN
  INSERT INTO withdrawn_products (product_id, name, sku, type, price, images, requires_shipping)
  VALUES (OLD.id, OLD.name, OLD.sku, OLD.type, OLD.price, OLD.images, OLD.requires_shipping);
END;
--> statement-breakpoint
CREATE TRIGGER product_goes_on_sale AFTER UPDATE OF status ON products WHEN OLD.status = 'draft' AND NEW.status = 'active'
BEGIN
  DELETE FROM withdrawn_products WHERE product_id = NEW.id;
END;
--> statement-breakpoint
INSERT INTO withdrawn_products (product_id, name, sku, type, price, images, requires_shipping)
SELECT id, name, sku, type, price, images, requires_shipping FROM products
WHERE status = 'draft' AND id IN (SELECT product_id FROM cart_items);
--> statement-breakpoint
CREATE VIEW product_offers AS
SELECT products.id, ifnull(withdrawn.name, products.name) AS name, ifnull(withdrawn.sku, products.sku) AS sku,
  ifnull(withdrawn.type, products.type) AS type, ifnull(withdrawn.price, products.price) AS price,
  ifnull(withdrawn.images, products.images) AS images,
  ifnull(withdrawn.requires_shipping, products.requires_shipping) AS requires_shipping
FROM products LEFT JOIN withdrawn_products AS withdrawn ON withdrawn.product_id = products.id;
