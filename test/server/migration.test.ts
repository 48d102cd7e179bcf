import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LONG } from "../support/long.ts";

const PARTS = ["drizzle.config.ts", "migrations", "package.json", "scripts", "src", "tsconfig.json"];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "migration-"));
  for (const part of PARTS) cpSync(part, join(folder, part), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
});

afterEach(() => rmSync(folder, { recursive: true }));

const migration = (...options: string[]) =>
  execFileSync("node", ["scripts/migration.ts", ...options], { cwd: folder, stdio: "pipe", encoding: "utf8" });

function edit(path: string, from: string | RegExp, to: string): void {
  const text = readFileSync(join(folder, path), "utf8");
  const edited = text.replace(from, to);
  expect(edited, path).not.toBe(text);
  writeFileSync(join(folder, path), edited);
}

const files = () => readdirSync(join(folder, "migrations")).filter((file) => file.endsWith(".sql"));

/** Applies a migration as D1 does: in a transaction, with foreign keys on. */
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

/** A database with an order, as it was before the source is edited. */
function shopInUse(): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  for (const file of files()) apply(db, file);
  db.exec(anOrder);
  return db;
}

/** Generates the migration of the edited source, and applies it to a database in use. */
function migrate(db: DatabaseSync, ...options: string[]): string {
  migration("--name", "next", ...options);
  const file = files().at(-1) ?? "";
  apply(db, file);
  expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  return readFileSync(join(folder, "migrations", file), "utf8");
}

const statementsOf = (text: string) =>
  text.match(/^(?:CREATE|DROP|ALTER|INSERT|UPDATE|DELETE) .+?(?= BEFORE| ON|;| \()/gm);

it("gives a payment method to tables that stay as they are, with two triggers of each", LONG, () => {
  const db = shopInUse();
  const before = rows(db);
  edit("src/domain/payment-methods.ts", `"paypal"] as const`, `"paypal", "bank_transfer"] as const`);
  const pay = "UPDATE orders SET payment_method = 'bank_transfer'";
  expect(() => db.exec(pay)).toThrow("value_not_listed");

  const written = migrate(db);
  expect(statementsOf(written)?.sort()).toEqual(
    ["orders", "transactions"]
      .flatMap((table) => ["insert", "update"].map((event) => `TRIGGER ${table}_no_unlisted_${event}`))
      .flatMap((trigger) => [`CREATE ${trigger}`, `DROP ${trigger}`])
      .sort(),
  );
  expect(rows(db)).toEqual(before);
  db.exec(pay);
  expect(() => db.exec("UPDATE orders SET payment_method = 'barter'")).toThrow("value_not_listed");
  expect(() => db.exec("UPDATE orders SET status = 'pending'")).toThrow("order_move_not_allowed");
});

it("gives a product status the indexes of its lists, and leaves the products alone", LONG, () => {
  const db = shopInUse();
  const before = rows(db);
  edit("src/db/tables/product-lists.ts", `"draft"] as const`, `"draft", "archived"] as const`);
  expect(() => migration("--check")).toThrow("not those of the last migration");

  expect(statementsOf(migrate(db))?.filter((statement) => statement.includes("INDEX"))).toEqual(
    ["newest", "by_price", "by_name", "in_category_newest", "in_category_by_price", "in_category_by_name"].map(
      (list) => `CREATE INDEX \`products_archived_${list}\``,
    ),
  );
  migration("--check");
  expect(rows(db)).toEqual(before);
  db.exec("UPDATE products SET status = 'archived'");
  expect(db.prepare("SELECT status, items FROM product_counts WHERE items > 0").all()).toEqual([
    { status: "archived", items: 1 },
  ]);
});

it("refuses a value that is gone while SQL compares with it, and while rows may hold it", LONG, () => {
  edit("src/db/tables/orders.ts", `"shipped"`, `"dispatched"`);
  expect(() => migration("--check")).toThrow(/src\/db\/guards\/orders\.sql:\d+: no status is 'shipped'/);
  edit("src/db/guards/orders.sql", /NEW\.status = 'shipped'/g, "NEW.status = 'dispatched'");
  edit("src/db/guards/events.sql", "IN ('shipped'", "IN ('dispatched'");
  expect(() => migration("--name", "dispatched")).toThrow("say what it becomes, by --rename shipped=<value>");
});

it("renames the status of orders in all that holds it, and changes nothing else of them", LONG, () => {
  const db = shopInUse();
  db.exec("UPDATE orders SET status = 'shipped'");
  const before = rows(db);
  edit("src/db/tables/orders.ts", `"shipped"`, `"dispatched"`);
  for (const guards of ["orders", "events"]) edit(`src/db/guards/${guards}.sql`, /'shipped'/g, "'dispatched'");
  migrate(db, "--rename", "shipped=dispatched");
  expect(rows(db)).toEqual(JSON.parse(JSON.stringify(before).replaceAll(`"shipped"`, `"dispatched"`)));
  expect(() => db.exec("UPDATE orders SET status = 'processing'")).toThrow("order_move_not_allowed");
  db.exec("UPDATE orders SET status = 'completed'");
});

it("renames the type of products in their counts and in the search as well", LONG, () => {
  const db = shopInUse();
  edit("src/db/tables/product-lists.ts", `"physical"`, `"goods"`);
  migrate(db, "--rename", "physical=goods");
  expect(db.prepare("SELECT type, items FROM product_counts").all()).toEqual([{ type: "goods", items: 1 }]);
  const found = db.prepare("SELECT count(*) AS n FROM products_search WHERE products_search MATCH ?");
  expect([found.get("qzgoods")?.n, found.get("qzphysical")?.n]).toEqual([1, 0]);
});

it("creates anew the guards whose text differs, and writes the rows that are new", LONG, () => {
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

it("does not write a rebuild by which other tables would lose rows", LONG, () => {
  edit("src/db/tables/products.ts", '"price" >= 0', '"price" > 0');
  expect(() => migration("--name", "priced")).toThrow("A rebuild of products deletes rows of");
});
