-- Prevents an unlimited address book.
CREATE TRIGGER addresses_no_excess BEFORE INSERT ON addresses
WHEN (SELECT count(*) FROM addresses WHERE user_id = NEW.user_id) >= ${ADDRESSES_PER_ACCOUNT}
BEGIN
  SELECT RAISE(ABORT, 'too_many_addresses');
END;

-- Ends the former default address of an account that adds a new one.
CREATE TRIGGER addresses_new_default BEFORE INSERT ON addresses WHEN NEW.is_default
BEGIN
  UPDATE addresses SET is_default = 0 WHERE user_id = NEW.user_id AND is_default;
END;

-- Ends the former default address when another address becomes the default.
CREATE TRIGGER addresses_other_default BEFORE UPDATE OF is_default ON addresses WHEN NEW.is_default AND NOT OLD.is_default
BEGIN
  UPDATE addresses SET is_default = 0 WHERE user_id = NEW.user_id AND is_default;
END;
