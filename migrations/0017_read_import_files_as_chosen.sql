ALTER TABLE `imports` ADD `encoding` text;--> statement-breakpoint
ALTER TABLE `imports` ADD `encoding_examples` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `imports` ADD `chosen_encoding` text;--> statement-breakpoint
ALTER TABLE `imports` ADD `decimal_separator` text;--> statement-breakpoint
ALTER TABLE `imports` ADD `ambiguous_columns` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `imports` ADD `skipped` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `job_failures` ADD `sku` text;--> statement-breakpoint
ALTER TABLE `job_failures` ADD `name` text;
--> statement-breakpoint
DROP TRIGGER imports_no_unlisted_insert;
--> statement-breakpoint
DROP TRIGGER imports_no_unlisted_update;
--> statement-breakpoint
-- Prevents what is no resource, format, encoding, chosen_encoding, decimal_separator.
CREATE TRIGGER imports_no_unlisted_insert BEFORE INSERT ON imports
WHEN NEW."resource" <> 'products' AND NEW."resource" <> 'customers'
  OR NEW."format" <> 'csv' AND NEW."format" <> 'ndjson' AND NEW."format" <> 'woocommerce' AND NEW."format" <> 'shopify'
  OR NEW."encoding" <> 'utf-8' AND NEW."encoding" <> 'utf-16le' AND NEW."encoding" <> 'utf-16be' AND NEW."encoding" <> 'windows-1252' AND NEW."encoding" <> 'windows-1250' AND NEW."encoding" <> 'windows-1251' AND NEW."encoding" <> 'windows-1253' AND NEW."encoding" <> 'windows-1254' AND NEW."encoding" <> 'windows-1255' AND NEW."encoding" <> 'windows-1256' AND NEW."encoding" <> 'windows-1257' AND NEW."encoding" <> 'macintosh' AND NEW."encoding" <> 'koi8-r' AND NEW."encoding" <> 'ibm866' AND NEW."encoding" <> 'shift_jis' AND NEW."encoding" <> 'euc-jp' AND NEW."encoding" <> 'gb18030' AND NEW."encoding" <> 'big5' AND NEW."encoding" <> 'euc-kr'
  OR NEW."chosen_encoding" <> 'utf-8' AND NEW."chosen_encoding" <> 'utf-16le' AND NEW."chosen_encoding" <> 'utf-16be' AND NEW."chosen_encoding" <> 'windows-1252' AND NEW."chosen_encoding" <> 'windows-1250' AND NEW."chosen_encoding" <> 'windows-1251' AND NEW."chosen_encoding" <> 'windows-1253' AND NEW."chosen_encoding" <> 'windows-1254' AND NEW."chosen_encoding" <> 'windows-1255' AND NEW."chosen_encoding" <> 'windows-1256' AND NEW."chosen_encoding" <> 'windows-1257' AND NEW."chosen_encoding" <> 'macintosh' AND NEW."chosen_encoding" <> 'koi8-r' AND NEW."chosen_encoding" <> 'ibm866' AND NEW."chosen_encoding" <> 'shift_jis' AND NEW."chosen_encoding" <> 'euc-jp' AND NEW."chosen_encoding" <> 'gb18030' AND NEW."chosen_encoding" <> 'big5' AND NEW."chosen_encoding" <> 'euc-kr'
  OR NEW."decimal_separator" <> '.' AND NEW."decimal_separator" <> ','
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
--> statement-breakpoint
-- Prevents what is no resource, format, encoding, chosen_encoding, decimal_separator.
CREATE TRIGGER imports_no_unlisted_update BEFORE UPDATE OF "resource", "format", "encoding", "chosen_encoding", "decimal_separator" ON imports
WHEN NEW."resource" <> 'products' AND NEW."resource" <> 'customers'
  OR NEW."format" <> 'csv' AND NEW."format" <> 'ndjson' AND NEW."format" <> 'woocommerce' AND NEW."format" <> 'shopify'
  OR NEW."encoding" <> 'utf-8' AND NEW."encoding" <> 'utf-16le' AND NEW."encoding" <> 'utf-16be' AND NEW."encoding" <> 'windows-1252' AND NEW."encoding" <> 'windows-1250' AND NEW."encoding" <> 'windows-1251' AND NEW."encoding" <> 'windows-1253' AND NEW."encoding" <> 'windows-1254' AND NEW."encoding" <> 'windows-1255' AND NEW."encoding" <> 'windows-1256' AND NEW."encoding" <> 'windows-1257' AND NEW."encoding" <> 'macintosh' AND NEW."encoding" <> 'koi8-r' AND NEW."encoding" <> 'ibm866' AND NEW."encoding" <> 'shift_jis' AND NEW."encoding" <> 'euc-jp' AND NEW."encoding" <> 'gb18030' AND NEW."encoding" <> 'big5' AND NEW."encoding" <> 'euc-kr'
  OR NEW."chosen_encoding" <> 'utf-8' AND NEW."chosen_encoding" <> 'utf-16le' AND NEW."chosen_encoding" <> 'utf-16be' AND NEW."chosen_encoding" <> 'windows-1252' AND NEW."chosen_encoding" <> 'windows-1250' AND NEW."chosen_encoding" <> 'windows-1251' AND NEW."chosen_encoding" <> 'windows-1253' AND NEW."chosen_encoding" <> 'windows-1254' AND NEW."chosen_encoding" <> 'windows-1255' AND NEW."chosen_encoding" <> 'windows-1256' AND NEW."chosen_encoding" <> 'windows-1257' AND NEW."chosen_encoding" <> 'macintosh' AND NEW."chosen_encoding" <> 'koi8-r' AND NEW."chosen_encoding" <> 'ibm866' AND NEW."chosen_encoding" <> 'shift_jis' AND NEW."chosen_encoding" <> 'euc-jp' AND NEW."chosen_encoding" <> 'gb18030' AND NEW."chosen_encoding" <> 'big5' AND NEW."chosen_encoding" <> 'euc-kr'
  OR NEW."decimal_separator" <> '.' AND NEW."decimal_separator" <> ','
BEGIN
  SELECT RAISE(ABORT, 'value_not_listed');
END;
