-- Finds accounts by any word of a name or an e-mail address.
CREATE VIRTUAL TABLE users_search USING fts5(
  name, email, folded_words, content = 'users', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2 3'
);

-- Prevents a new account with money that no ledger row accounts for.
CREATE TRIGGER wallet_no_initial_balance BEFORE INSERT ON users WHEN NEW.wallet_balance <> 0
BEGIN
  SELECT RAISE(ABORT, 'wallet_ledger_mismatch');
END;

-- Prevents a shop that nobody can administer any more.
CREATE TRIGGER users_no_last_administrator_lost BEFORE UPDATE OF role, disabled_at ON users
WHEN OLD.role = 'admin' AND OLD.disabled_at IS NULL AND (NEW.role <> 'admin' OR NEW.disabled_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM users WHERE role = 'admin' AND disabled_at IS NULL AND id <> OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'last_administrator');
END;

-- Prevents erasing staff, whose role is taken away first, and an account that the shop owes money or goods.
CREATE TRIGGER users_no_erasure_owed BEFORE UPDATE OF role, erase_at ON users WHEN NEW.erase_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'staff_cannot_be_erased') WHERE NEW.role <> 'customer';
  SELECT RAISE(ABORT, 'wallet_not_empty') WHERE OLD.erase_at IS NULL AND NEW.wallet_balance > 0;
  SELECT RAISE(ABORT, 'orders_open') WHERE OLD.erase_at IS NULL
    AND EXISTS (SELECT 1 FROM orders WHERE user_id = NEW.id AND status IN ('pending', 'processing'));
END;

-- Prevents an erasure that its owner had no time to undo.
CREATE TRIGGER users_no_hasty_erasure BEFORE UPDATE OF erase_at ON users
WHEN OLD.erase_at IS NULL AND NEW.erase_at < NEW.updated_at + ${ERASURE_GRACE_MS}
BEGIN
  SELECT RAISE(ABORT, 'erasure_not_due');
END;

-- Prevents erasing an account whose owner undid it meanwhile, or that has money or an open order again.
CREATE TRIGGER users_no_early_erasure BEFORE UPDATE OF erased_at ON users
WHEN OLD.erase_at IS NULL OR OLD.erase_at > NEW.erased_at OR NEW.wallet_balance > 0
  OR EXISTS (SELECT 1 FROM orders WHERE user_id = NEW.id AND status IN ('pending', 'processing'))
BEGIN
  SELECT RAISE(ABORT, 'erasure_not_due');
END;

-- Prevents an erased account from becoming somebody's again: only its wallet follows the ledger still.
CREATE TRIGGER users_no_return_from_erasure BEFORE UPDATE OF email, email_verified_at, pending_email, name, password_hash, role,
  disabled_at, phone, company, accepts_marketing, metadata, erase_at, erased_at ON users
WHEN OLD.erased_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'account_erased');
END;

-- Prevents an administrator, or other staff, whose e-mails reach somebody else.
CREATE TRIGGER users_no_unverified_staff BEFORE UPDATE OF role ON users
WHEN OLD.role = 'customer' AND NEW.role <> 'customer' AND NEW.email_verified_at IS NULL AND NEW.erased_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'email_not_verified');
END;

-- Prevents taking an address that its account may still go back to, since somebody else changed it.
CREATE TRIGGER users_no_reserved_email_insert BEFORE INSERT ON users
WHEN EXISTS (SELECT 1 FROM link_tokens
  WHERE email = NEW.email AND purpose = 'revert_email' AND expires_at > unixepoch() * 1000)
BEGIN
  SELECT RAISE(ABORT, 'email_reserved');
END;

-- Prevents an account from moving to an address that another may still go back to.
CREATE TRIGGER users_no_reserved_email_update BEFORE UPDATE OF email ON users
WHEN NEW.email <> OLD.email AND EXISTS (SELECT 1 FROM link_tokens
  WHERE email = NEW.email AND purpose = 'revert_email' AND expires_at > unixepoch() * 1000 AND user_id <> NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'email_reserved');
END;

-- Prevents a new account that the search misses.
CREATE TRIGGER users_search_insert AFTER INSERT ON users
BEGIN
  INSERT INTO users_search (rowid, name, email, folded_words) VALUES (NEW.id, NEW.name, NEW.email, NEW.folded_words);
END;

-- Prevents the search from finding an account that is gone.
CREATE TRIGGER users_search_delete AFTER DELETE ON users
BEGIN
  INSERT INTO users_search (users_search, rowid, name, email, folded_words)
  VALUES ('delete', OLD.id, OLD.name, OLD.email, OLD.folded_words);
END;

-- Prevents the search from finding an account by what it was called.
CREATE TRIGGER users_search_update AFTER UPDATE OF name, email, folded_words ON users
WHEN (OLD.name, OLD.email, OLD.folded_words) IS NOT (NEW.name, NEW.email, NEW.folded_words)
BEGIN
  INSERT INTO users_search (users_search, rowid, name, email, folded_words)
  VALUES ('delete', OLD.id, OLD.name, OLD.email, OLD.folded_words);
  INSERT INTO users_search (rowid, name, email, folded_words) VALUES (NEW.id, NEW.name, NEW.email, NEW.folded_words);
END;

-- Prevents a balance that the ledger's latest row does not account for.
CREATE TRIGGER wallet_no_change_without_ledger BEFORE UPDATE OF wallet_balance ON users
WHEN (NEW.id, 'wallet', NEW.wallet_balance) IS NOT (
  SELECT user_id, method, balance_after FROM transactions ORDER BY id DESC LIMIT 1
)
BEGIN
  SELECT RAISE(ABORT, 'wallet_ledger_mismatch');
END;

-- Prevents words from staying in the index's segments after they were deleted from it.
INSERT INTO users_search (users_search, rank) VALUES ('secure-delete', 1);

-- Fills the search anew where its table is.
INSERT INTO users_search (users_search) VALUES ('rebuild');

-- Prevents an id from being given twice: what refers to a row that was deleted would apply to the new one.
CREATE TRIGGER users_id_is_new AFTER INSERT ON users
WHEN NEW.id <= (SELECT seq FROM sqlite_sequence WHERE name = 'users')
BEGIN
  SELECT RAISE(ABORT, 'id_given_before');
END;
