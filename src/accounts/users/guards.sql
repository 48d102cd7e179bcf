-- Finds accounts by any word of a name or e-mail address.
CREATE VIRTUAL TABLE users_search USING fts5(
  name, email, folded_words, content = 'users', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2 3'
);

-- Prevents a new account with a balance that the ledger does not explain.
CREATE TRIGGER wallet_no_initial_balance BEFORE INSERT ON users WHEN NEW.wallet_balance <> 0
BEGIN
  SELECT RAISE(ABORT, 'wallet_ledger_mismatch');
END;

-- Prevents a shop without administrators.
CREATE TRIGGER users_no_last_administrator_lost BEFORE UPDATE OF role, disabled_at ON users
WHEN OLD.role = 'admin' AND OLD.disabled_at IS NULL AND (NEW.role <> 'admin' OR NEW.disabled_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM users WHERE role = 'admin' AND disabled_at IS NULL AND id <> OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'last_administrator');
END;

-- Prevents erasing staff, whose role must be removed first, accounts that are owed money or goods, and any account before its owner had time to undo it.
CREATE TRIGGER users_no_erasure_owed BEFORE UPDATE OF role, erase_at ON users WHEN NEW.erase_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'erasure_not_due') WHERE OLD.erase_at IS NULL AND NEW.erase_at < NEW.updated_at + ${ERASURE_GRACE_MS};
  SELECT RAISE(ABORT, 'staff_cannot_be_erased') WHERE NEW.role <> 'customer';
  SELECT RAISE(ABORT, 'wallet_not_empty') WHERE OLD.erase_at IS NULL AND NEW.wallet_balance > 0;
  SELECT RAISE(ABORT, 'orders_open') WHERE OLD.erase_at IS NULL
    AND EXISTS (SELECT 1 FROM orders WHERE user_id = NEW.id AND status IN ('pending', 'processing'));
END;

-- Prevents erasing an account whose erasure was undone, or that has money or open orders again.
CREATE TRIGGER users_no_early_erasure BEFORE UPDATE OF erased_at ON users
WHEN OLD.erase_at IS NULL OR OLD.erase_at > NEW.erased_at OR NEW.wallet_balance > 0
  OR EXISTS (SELECT 1 FROM orders WHERE user_id = NEW.id AND status IN ('pending', 'processing'))
BEGIN
  SELECT RAISE(ABORT, 'erasure_not_due');
END;

-- Prevents an erased account from being used again: only its wallet still follows the ledger.
CREATE TRIGGER users_no_return_from_erasure BEFORE UPDATE OF email, email_verified_at, formerly_verified_at, pending_email, name, password_hash,
  role, disabled_at, phone, company, accepts_marketing, tax_exempt_reason, external_id, metadata, tags, erase_at, erased_at ON users
WHEN OLD.erased_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'account_erased');
END;

-- Prevents staff with an unverified address, whose e-mails may reach someone else.
CREATE TRIGGER users_no_unverified_staff BEFORE UPDATE OF role ON users
WHEN OLD.role = 'customer' AND NEW.role <> 'customer' AND NEW.email_verified_at IS NULL AND NEW.erased_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'email_not_verified');
END;

-- Prevents a new account from taking an address that another account may still restore.
CREATE TRIGGER users_no_reserved_email_insert BEFORE INSERT ON users
WHEN EXISTS (SELECT 1 FROM link_tokens
  WHERE email = NEW.email AND purpose = 'revert_email' AND expires_at > unixepoch() * 1000)
BEGIN
  SELECT RAISE(ABORT, 'email_reserved');
END;

-- Prevents an account from changing to an address that another account may still restore.
CREATE TRIGGER users_no_reserved_email_update BEFORE UPDATE OF email ON users
WHEN NEW.email <> OLD.email AND EXISTS (SELECT 1 FROM link_tokens
  WHERE email = NEW.email AND purpose = 'revert_email' AND expires_at > unixepoch() * 1000 AND user_id <> NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'email_reserved');
END;

-- Adds a new account to the search.
CREATE TRIGGER users_search_insert AFTER INSERT ON users
BEGIN
  INSERT INTO users_search (rowid, name, email, folded_words) VALUES (NEW.id, NEW.name, NEW.email, NEW.folded_words);
END;

-- Removes a deleted account from the search.
CREATE TRIGGER users_search_delete AFTER DELETE ON users
BEGIN
  INSERT INTO users_search (users_search, rowid, name, email, folded_words)
  VALUES ('delete', OLD.id, OLD.name, OLD.email, OLD.folded_words);
END;

-- Replaces the words by which the search finds an account.
CREATE TRIGGER users_search_update AFTER UPDATE OF name, email, folded_words ON users
WHEN (OLD.name, OLD.email, OLD.folded_words) IS NOT (NEW.name, NEW.email, NEW.folded_words)
BEGIN
  INSERT INTO users_search (users_search, rowid, name, email, folded_words)
  VALUES ('delete', OLD.id, OLD.name, OLD.email, OLD.folded_words);
  INSERT INTO users_search (rowid, name, email, folded_words) VALUES (NEW.id, NEW.name, NEW.email, NEW.folded_words);
END;

-- Prevents a balance that the ledger's latest row does not explain.
CREATE TRIGGER wallet_no_change_without_ledger BEFORE UPDATE OF wallet_balance ON users
WHEN (NEW.id, 'wallet', NEW.wallet_balance) IS NOT (
  SELECT user_id, method, balance_after FROM transactions ORDER BY id DESC LIMIT 1
)
BEGIN
  SELECT RAISE(ABORT, 'wallet_ledger_mismatch');
END;

-- Prevents deleted words from staying in the index's segments.
INSERT INTO users_search (users_search, rank) VALUES ('secure-delete', 1);

-- Rebuilds the search index.
INSERT INTO users_search (users_search) VALUES ('rebuild');

-- Prevents an id from being reused: references to the deleted row would apply to the new one.
CREATE TRIGGER users_id_is_new AFTER INSERT ON users
WHEN NEW.id <= (SELECT seq FROM sqlite_sequence WHERE name = 'users')
BEGIN
  SELECT RAISE(ABORT, 'id_given_before');
END;

-- Gives an edit that sets no version one, because a stale save would overwrite it.
CREATE TRIGGER users_no_edit_without_version AFTER UPDATE OF email, email_verified_at, formerly_verified_at, pending_email, name, role, wallet_locked_until, disabled_at, phone,
  company, accepts_marketing, tax_exempt_reason, external_id, tags, metadata, erase_at, erased_at ON users
WHEN NEW.updated_at = OLD.updated_at AND (OLD.email, OLD.email_verified_at, OLD.formerly_verified_at, OLD.pending_email, OLD.name, OLD.role, OLD.wallet_locked_until, OLD.disabled_at,
    OLD.phone, OLD.company, OLD.accepts_marketing, OLD.tax_exempt_reason, OLD.external_id, OLD.tags, OLD.metadata, OLD.erase_at, OLD.erased_at)
  IS NOT (NEW.email, NEW.email_verified_at, NEW.formerly_verified_at, NEW.pending_email, NEW.name, NEW.role, NEW.wallet_locked_until, NEW.disabled_at,
    NEW.phone, NEW.company, NEW.accepts_marketing, NEW.tax_exempt_reason, NEW.external_id, NEW.tags, NEW.metadata, NEW.erase_at, NEW.erased_at)
BEGIN
  UPDATE users SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = NEW.id;
END;
