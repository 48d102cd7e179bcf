-- Shows wallets whose balance differs from the sum of their ledger. Always empty.
CREATE VIEW ledger_mismatches AS
SELECT users.id AS user_id, wallet_balance, coalesce(sum(amount), 0) AS ledger_sum
FROM users LEFT JOIN transactions ON transactions.user_id = users.id AND method = 'wallet'
GROUP BY users.id HAVING wallet_balance <> coalesce(sum(amount), 0);

-- Prevents rewriting the ledger: errors are corrected by a new row. Rows of erased accounts lose their notes.
CREATE TRIGGER transactions_no_update BEFORE UPDATE ON transactions
WHEN NEW.note IS NOT NULL OR NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id AND erased_at IS NOT NULL)
  OR (NEW.id, NEW.user_id, NEW.api_key_id, NEW.order_id, NEW.kind, NEW.method, NEW.amount, NEW.currency, NEW.balance_after,
    NEW.created_at, NEW.gift_card_id) IS NOT (OLD.id, OLD.user_id, OLD.api_key_id, OLD.order_id, OLD.kind, OLD.method, OLD.amount, OLD.currency,
    OLD.balance_after, OLD.created_at, OLD.gift_card_id)
BEGIN
  SELECT RAISE(ABORT, 'ledger_is_append_only');
END;

-- Prevents deleting from the ledger.
CREATE TRIGGER transactions_no_delete BEFORE DELETE ON transactions
BEGIN
  SELECT RAISE(ABORT, 'ledger_is_append_only');
END;

-- Prevents refunding more than was paid. A charge is a debit, so the amount that an order keeps is negative.
CREATE TRIGGER refund_no_more_than_paid BEFORE INSERT ON transactions WHEN NEW.kind = 'refund' AND NEW.order_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'refund_exceeds_payment')
  WHERE NEW.amount + (SELECT coalesce(sum(amount), 0) FROM transactions WHERE order_id = NEW.order_id) > 0;
END;

-- Adds a ledger row to the balance of its wallet. Refuses a debit from a locked wallet.
CREATE TRIGGER transaction_moves_wallet AFTER INSERT ON transactions WHEN NEW.method = 'wallet'
BEGIN
  SELECT RAISE(ABORT, 'wallet_ledger_mismatch') WHERE NEW.user_id IS NULL;
  UPDATE users SET wallet_balance = wallet_balance + iif(
    NEW.amount < 0 AND wallet_locked_until > NEW.created_at, RAISE(ABORT, 'wallet_locked'), NEW.amount)
  WHERE id = NEW.user_id;
END;
