-- Finds accounts by any word of a name or an e-mail address.
CREATE VIRTUAL TABLE users_search USING fts5(
  name, email, content = 'users', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
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

-- Prevents a new account that the search misses.
CREATE TRIGGER users_search_insert AFTER INSERT ON users
BEGIN
  INSERT INTO users_search (rowid, name, email) VALUES (NEW.id, NEW.name, NEW.email);
END;

-- Prevents the search from finding an account that is gone.
CREATE TRIGGER users_search_delete AFTER DELETE ON users
BEGIN
  INSERT INTO users_search (users_search, rowid, name, email) VALUES ('delete', OLD.id, OLD.name, OLD.email);
END;

-- Prevents the search from finding an account by what it was called.
CREATE TRIGGER users_search_update AFTER UPDATE OF name, email ON users
WHEN (OLD.name, OLD.email) IS NOT (NEW.name, NEW.email)
BEGIN
  INSERT INTO users_search (users_search, rowid, name, email) VALUES ('delete', OLD.id, OLD.name, OLD.email);
  INSERT INTO users_search (rowid, name, email) VALUES (NEW.id, NEW.name, NEW.email);
END;

-- Prevents a balance that the ledger's latest row does not account for.
CREATE TRIGGER wallet_no_change_without_ledger BEFORE UPDATE OF wallet_balance ON users
WHEN (NEW.id, 'wallet', NEW.wallet_balance) IS NOT (
  SELECT user_id, method, balance_after FROM transactions ORDER BY id DESC LIMIT 1
)
BEGIN
  SELECT RAISE(ABORT, 'wallet_ledger_mismatch');
END;

-- Fills the search anew where its table is.
INSERT INTO users_search (users_search) VALUES ('rebuild');
