import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";

const PARTS = ["drizzle.config.ts", "migrations", "package.json", "scripts", "src", "tsconfig.json"];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "migration-"));
  for (const part of PARTS) cpSync(part, join(folder, part), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
});

afterEach(() => rmSync(folder, { recursive: true }));

const migration = (...options: string[]) =>
  execFileSync("npm", ["run", "migration", "--", ...options], { cwd: folder, stdio: "pipe", encoding: "utf8" });

function edit(path: string, from: string, to: string): void {
  const text = readFileSync(join(folder, path), "utf8");
  expect(text).toContain(from);
  writeFileSync(join(folder, path), text.replace(from, to));
}

const files = () => readdirSync(join(folder, "migrations")).filter((file) => file.endsWith(".sql"));

/** As D1 applies a migration: in a transaction, with foreign keys on. */
const apply = (db: DatabaseSync, file: string) =>
  db.exec(`BEGIN; ${readFileSync(join(folder, "migrations", file), "utf8")}; COMMIT`);

const anOrder = `
  INSERT INTO users (name, email, password_hash, role, created_at, updated_at) VALUES ('Ada', 'ada@shop.test', '', 'customer', 1, 1);
  INSERT INTO products (name, slug, sku, type, status, price, requires_shipping, manage_stock, stock_quantity, created_at, updated_at)
  VALUES ('Mug', 'mug', 'MUG', 'physical', 'active', 100, 0, 1, 5, 1, 1);
  INSERT INTO orders (number, user_id, status, payment_status, fulfillment_status, currency, subtotal, total, payment_method, paid_at,
    created_at, updated_at, updated_by)
  VALUES ('N1', 1, 'processing', 'paid', 'unfulfilled', 'USD', 200, 200, 'credit_card', 1, 1, 1, 'user:1');
  INSERT INTO order_items (order_id, product_id, name, sku, type, requires_shipping, quantity, unit_price, total)
  VALUES (1, 1, 'Mug', 'MUG', 'physical', 0, 2, 100, 200)`;

const rows = (db: DatabaseSync) =>
  [
    "sqlite_sequence",
    "users",
    "products",
    "orders",
    "order_items",
    "order_history",
    "stock_allocations",
    "transactions",
  ].map((table) => db.prepare(`SELECT * FROM ${table}`).all());

it("rebuilds tables with all their rows and guards when an enumeration has a new value", () => {
  const db = new DatabaseSync(":memory:");
  for (const file of files()) apply(db, file);
  db.exec(anOrder);
  const before = rows(db);

  edit("src/db/tables/orders.ts", `"paypal"] as const`, `"paypal", "bank_transfer"] as const`);
  expect(() => migration("--check")).toThrow("not those of the last migration");
  migration("--name", "bank_transfer");
  migration("--check");
  apply(db, files().at(-1) ?? "");
  expect(rows(db)).toEqual(before);
  expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  db.exec("UPDATE orders SET payment_method = 'bank_transfer'");
  expect(() => db.exec("UPDATE orders SET status = 'pending'")).toThrow("order_move_not_allowed");
});

it("creates anew the guards whose text differs, and writes the rows that are new", () => {
  edit("src/db/guards/audit.sql", "'audit_log_is_append_only'", "'audit_log_is_only_added_to'");
  edit(
    "src/db/guards/orders.sql",
    "('completed', 'refunded')",
    "('completed', 'refunded'), ('completed', 'processing')",
  );
  expect(() => migration("--check")).toThrow("audit_log_is_only_added_to");
  migration("--name", "audit");
  migration("--check");
  const written = readFileSync(join(folder, "migrations", files().at(-1) ?? ""), "utf8");
  expect(written.match(/^(CREATE|DROP) .+?(?= BEFORE|;)/gm)).toEqual([
    "DROP TRIGGER audit_log_no_update",
    "DROP TRIGGER audit_log_no_delete",
    "CREATE TRIGGER audit_log_no_update",
    "CREATE TRIGGER audit_log_no_delete",
  ]);
  expect(written).toContain(`INSERT INTO order_moves ("from", "to") VALUES ('completed', 'processing');`);
});

it("does not write a rebuild by which other tables would lose rows", () => {
  edit("src/db/tables/product-lists.ts", `"draft"] as const`, `"draft", "archived"] as const`);
  expect(() => migration("--name", "archived")).toThrow("A rebuild of products deletes rows of");
});
