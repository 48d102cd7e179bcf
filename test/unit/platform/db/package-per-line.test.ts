import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { migrated, migrationFiles } from "../../../../scripts/database/migrations.ts";

const files = migrationFiles();
const at = files.findIndex((file) => file.includes("package_per_line"));

it("merges the packages of a line's units into one, with all downloads that were left and used", () => {
  const db = migrated(files.slice(0, at));
  db.exec(`
    INSERT INTO users (id, name, email, password_hash, role, created_at, updated_at) VALUES (1, 'Ada', 'ada@shop.test', '', 'customer', 1, 1);
    INSERT INTO products (id, name, slug, sku, type, status, price, requires_shipping, manage_stock, download_limit, created_at, updated_at)
    VALUES (1, 'Song', 'song', 'SONG', 'digital', 'active', 0, 0, 0, 3, 1, 1);
    INSERT INTO files (id, name, file_name, mime_type, size_bytes, sha256, access, r2_key, created_at, updated_at)
    VALUES (1, 'Song', 'song.mp3', 'audio/mpeg', 1, '', 'package', 'song', 1, 1);
    INSERT INTO product_files (product_id, file_id) VALUES (1, 1);
    INSERT INTO orders (id, number, user_id, status, payment_status, fulfillment_status, currency, subtotal, total, payment_method,
      paid_at, created_at, updated_at, updated_by)
    VALUES (1, 'N1', 1, 'completed', 'paid', 'not_required', 'USD', 0, 0, 'wallet', 1, 1, 1, 'user:1');
    INSERT INTO order_items (id, order_id, product_id, name, sku, type, requires_shipping, quantity, unit_price, total)
    VALUES (1, 1, 1, 'Song', 'SONG', 'digital', 0, 3, 0, 0);
    INSERT INTO downloads (id, package_id, file_id, created_at) VALUES ('a', 1, 1, 2), ('b', 1, 1, 2), ('c', 2, 1, 2), ('d', 3, 1, 2);
    UPDATE order_items SET refunded_quantity = 1 WHERE id = 1;`);
  expect(db.prepare("SELECT count(*) AS n FROM packages").get()).toEqual({ n: 3 });
  const events = db.prepare("SELECT count(*) AS n FROM events").get();
  for (const file of files.slice(at)) db.exec(readFileSync(file, "utf8"));
  expect(
    db.prepare("SELECT order_item_id, units, download_limit, downloads_used, revoked_at FROM packages").all(),
  ).toEqual([{ order_item_id: 1, units: 2, download_limit: 7, downloads_used: 4, revoked_at: null }]);
  expect(db.prepare("SELECT user_id, file_id, standing FROM package_files").all()).toEqual([
    { user_id: 1, file_id: 1, standing: 1 },
  ]);
  expect(db.prepare("SELECT DISTINCT package_id FROM downloads").all()).toHaveLength(1);
  expect(db.prepare("SELECT count(*) AS n FROM events").get()).toEqual(events);
});
