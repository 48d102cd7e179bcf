-- Prevents another currency while amounts are stored in its minor units.
CREATE TRIGGER shop_currency_is_not_in_use BEFORE UPDATE OF currency ON shop WHEN NEW.currency IS NOT OLD.currency AND ${HAS_AMOUNTS}
BEGIN
  SELECT RAISE(ABORT, 'currency_in_use');
END;

-- Prevents the first settings from choosing another currency while amounts are stored in the deployment's.
CREATE TRIGGER first_shop_currency_is_not_in_use BEFORE INSERT ON shop
WHEN NEW.currency <> ifnull((SELECT currency FROM shop), '') AND ${HAS_AMOUNTS}
BEGIN
  SELECT RAISE(ABORT, 'currency_in_use');
END;
