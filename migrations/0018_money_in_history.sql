-- The history of an order tells of its money as well as of its status.
ALTER TABLE `order_history` ADD `kind` text DEFAULT 'status' NOT NULL CONSTRAINT "history_kind" CHECK("kind" IN ('status', 'payment', 'payment_returned', 'refund', 'refund_sent', 'refund_failed'));--> statement-breakpoint
ALTER TABLE `order_history` ADD `amount` integer;--> statement-breakpoint
ALTER TABLE `order_history` ADD `currency` text;--> statement-breakpoint
-- No move without its step. Money that pays an order moves it: one step says both.
DROP TRIGGER order_move_recorded;--> statement-breakpoint
CREATE TRIGGER order_move_recorded AFTER UPDATE OF status ON orders
BEGIN
  INSERT INTO order_history (order_id, at, kind, "from", "to", amount, actor, note)
  SELECT NEW.id, NEW.updated_at, iif(pays, 'payment', 'status'), OLD.status, NEW.status, iif(pays, NEW.total, NULL),
    NEW.updated_by, NEW.note
  FROM (SELECT OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL AND NEW.total > 0 AS pays);
END;
--> statement-breakpoint
-- No refund without its step, also one that leaves the order where it is, or of units that cost nothing.
CREATE TRIGGER order_refund_recorded AFTER UPDATE OF refunded_total ON orders
BEGIN
  INSERT INTO order_history (order_id, at, kind, "from", "to", amount, actor, note)
  VALUES (NEW.id, NEW.updated_at, 'refund', NEW.status, NEW.status, NEW.refunded_total - OLD.refunded_total,
    NEW.updated_by, NEW.note);
END;
--> statement-breakpoint
-- Prevents giving back more than was paid. A charge is a debit, so what an order keeps is negative.
CREATE TRIGGER refund_within_payment BEFORE INSERT ON transactions WHEN NEW.kind = 'refund' AND NEW.order_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'refund_exceeds_payment')
  WHERE NEW.amount + (SELECT coalesce(sum(amount), 0) FROM transactions WHERE order_id = NEW.order_id) > 0;
END;
