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

-- Versions prices when a row that they are calculated from is added.
-- Each: payment_account, shipping_zone, shipping_method, tax_rate
CREATE TRIGGER ${EACH}_creation_versions_pricing AFTER INSERT ON ${EACH}s
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when a live account of a payment provider takes the place of one for tests, or the other way round.
CREATE TRIGGER payment_account_change_versions_pricing AFTER UPDATE OF live ON payment_accounts WHEN NEW.live <> OLD.live
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when an automatic discount is added.
CREATE TRIGGER discount_creation_versions_pricing AFTER INSERT ON discounts WHEN NEW.code IS NULL
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when a row that they are calculated from is changed.
-- Each: shipping_zone, shipping_method, tax_rate
CREATE TRIGGER ${EACH}_change_versions_pricing AFTER UPDATE ON ${EACH}s
BEGIN
  UPDATE pricing_rules SET version = lower(hex(randomblob(8)));
END;

-- Versions prices when a row that they are calculated from is deleted.
-- Each: payment_account, shipping_zone, shipping_method, tax_rate, discount
CREATE TRIGGER ${EACH}_deletion_versions_pricing AFTER DELETE ON ${EACH}s
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
