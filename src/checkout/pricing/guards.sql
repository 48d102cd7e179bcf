-- Prevents an order at prices that were calculated from another home of the shop.
CREATE TRIGGER shop_change_versions_pricing AFTER UPDATE OF home_country, home_region, prices_include_tax ON shop
WHEN (OLD.home_country, OLD.home_region, OLD.prices_include_tax) IS NOT (NEW.home_country, NEW.home_region, NEW.prices_include_tax)
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Prevents an order at prices from before the shop had a home.
CREATE TRIGGER shop_creation_versions_pricing AFTER INSERT ON shop
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Prevents an order by a payment method that the shop no longer offers.
CREATE TRIGGER payment_settings_change_versions_pricing AFTER UPDATE ON payment_settings
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Prevents an order by a payment method that the shop offered before it saved its settings.
CREATE TRIGGER payment_settings_creation_versions_pricing AFTER INSERT ON payment_settings
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Prevents an order that a new zone would have sent otherwise.
CREATE TRIGGER shipping_zone_creation_versions_pricing AFTER INSERT ON shipping_zones
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Prevents an order by the places that a zone had.
CREATE TRIGGER shipping_zone_change_versions_pricing AFTER UPDATE ON shipping_zones
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Prevents an order to a zone that is gone.
CREATE TRIGGER shipping_zone_deletion_versions_pricing AFTER DELETE ON shipping_zones
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Prevents an order that a new shipping method would have made cheaper.
CREATE TRIGGER shipping_method_creation_versions_pricing AFTER INSERT ON shipping_methods
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Prevents an order at the price that a shipping method had.
CREATE TRIGGER shipping_method_change_versions_pricing AFTER UPDATE ON shipping_methods
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Prevents an order by a shipping method that is gone.
CREATE TRIGGER shipping_method_deletion_versions_pricing AFTER DELETE ON shipping_methods
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Prevents an order that misses a new tax.
CREATE TRIGGER tax_rate_creation_versions_pricing AFTER INSERT ON tax_rates
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Prevents an order at a tax rate that has changed.
CREATE TRIGGER tax_rate_change_versions_pricing AFTER UPDATE ON tax_rates
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Prevents an order with a deleted tax.
CREATE TRIGGER tax_rate_deletion_versions_pricing AFTER DELETE ON tax_rates
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Prevents an order that misses a new automatic discount.
CREATE TRIGGER discount_creation_versions_pricing AFTER INSERT ON discounts WHEN NEW.code IS NULL
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Prevents an order with an outdated discount, or without one that a change made better. A change of its uses does not count.
CREATE TRIGGER discount_change_versions_pricing AFTER UPDATE OF updated_at ON discounts
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Prevents an order with a deleted discount.
CREATE TRIGGER discount_deletion_versions_pricing AFTER DELETE ON discounts
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Prevents an order priced before an automatic discount was used up, or before one of its uses was released.
CREATE TRIGGER discount_release_versions_pricing AFTER UPDATE OF uses ON discounts
WHEN OLD.code IS NULL AND (OLD.uses >= OLD.max_uses) IS NOT (NEW.uses >= NEW.max_uses)
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Prevents an order with a discount of the categories that a category was below, or without one of its new ones.
CREATE TRIGGER category_move_versions_pricing AFTER UPDATE OF parent_id ON categories WHEN NEW.parent_id IS NOT OLD.parent_id
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8))) WHERE EXISTS (SELECT 1 FROM discounts WHERE category_ids <> '[]');
END;

-- Prevents an order in a new category without the discounts of those above it.
CREATE TRIGGER category_creation_versions_pricing AFTER INSERT ON categories WHEN NEW.parent_id IS NOT NULL
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8))) WHERE EXISTS (SELECT 1 FROM discounts WHERE category_ids <> '[]');
END;

-- The version of a shop without pricing rules, where only prices are due.
INSERT INTO pricing_rules (id, version) VALUES (1, '');
