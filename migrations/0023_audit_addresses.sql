-- Where a write came from, beside who made it.
ALTER TABLE `audit_log` ADD `address` text;
