-- Versions prices that were calculated from another home of the shop or other facts about its VAT.
CREATE TRIGGER shop_change_versions_pricing
AFTER UPDATE OF home_country, home_region, prices_include_tax, vat_id, small_business, language ON shop
WHEN (OLD.home_country, OLD.home_region, OLD.prices_include_tax, OLD.vat_id, OLD.small_business, OLD.language)
  IS NOT (NEW.home_country, NEW.home_region, NEW.prices_include_tax, NEW.vat_id, NEW.small_business, NEW.language)
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices from before the shop had a home.
CREATE TRIGGER shop_creation_versions_pricing AFTER INSERT ON shop
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when the shop offers other payment methods.
CREATE TRIGGER payment_settings_change_versions_pricing AFTER UPDATE ON payment_settings
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when the shop first saves its payment methods.
CREATE TRIGGER payment_settings_creation_versions_pricing AFTER INSERT ON payment_settings
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when an account of a payment provider is connected.
CREATE TRIGGER payment_account_creation_versions_pricing AFTER INSERT ON payment_accounts
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when a live account of a payment provider takes the place of one for tests, or the other way round.
CREATE TRIGGER payment_account_change_versions_pricing AFTER UPDATE OF live ON payment_accounts WHEN NEW.live <> OLD.live
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when an account of a payment provider is disconnected.
CREATE TRIGGER payment_account_deletion_versions_pricing AFTER DELETE ON payment_accounts
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when a zone is added.
CREATE TRIGGER shipping_zone_creation_versions_pricing AFTER INSERT ON shipping_zones
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when the places of a zone change.
CREATE TRIGGER shipping_zone_change_versions_pricing AFTER UPDATE ON shipping_zones
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when a zone is deleted.
CREATE TRIGGER shipping_zone_deletion_versions_pricing AFTER DELETE ON shipping_zones
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when a shipping method is added.
CREATE TRIGGER shipping_method_creation_versions_pricing AFTER INSERT ON shipping_methods
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when a shipping method changes.
CREATE TRIGGER shipping_method_change_versions_pricing AFTER UPDATE ON shipping_methods
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when a shipping method is deleted.
CREATE TRIGGER shipping_method_deletion_versions_pricing AFTER DELETE ON shipping_methods
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when a tax is added.
CREATE TRIGGER tax_rate_creation_versions_pricing AFTER INSERT ON tax_rates
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when a tax rate changes.
CREATE TRIGGER tax_rate_change_versions_pricing AFTER UPDATE ON tax_rates
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when a tax is deleted.
CREATE TRIGGER tax_rate_deletion_versions_pricing AFTER DELETE ON tax_rates
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when an automatic discount is added.
CREATE TRIGGER discount_creation_versions_pricing AFTER INSERT ON discounts WHEN NEW.code IS NULL
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when a discount is deleted.
CREATE TRIGGER discount_deletion_versions_pricing AFTER DELETE ON discounts
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when a discount changes, and when an automatic one is used up or one of its last uses is released. Other uses do not count.
CREATE TRIGGER discount_change_versions_pricing AFTER UPDATE OF updated_at, uses ON discounts
WHEN NEW.updated_at <> OLD.updated_at OR OLD.code IS NULL AND (OLD.uses >= OLD.max_uses) IS NOT (NEW.uses >= NEW.max_uses)
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when a category moves, if a discount covers categories.
CREATE TRIGGER category_move_versions_pricing AFTER UPDATE OF parent_id ON categories WHEN NEW.parent_id IS NOT OLD.parent_id
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8))) WHERE EXISTS (SELECT 1 FROM discounts WHERE category_ids <> '[]');
END;

-- Versions prices when a category is added below another, if a discount covers categories.
CREATE TRIGGER category_creation_versions_pricing AFTER INSERT ON categories WHEN NEW.parent_id IS NOT NULL
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8))) WHERE EXISTS (SELECT 1 FROM discounts WHERE category_ids <> '[]');
END;

-- The version of a shop without pricing rules, where only prices are due.
INSERT INTO pricing_rules (id, version) VALUES (1, '');
