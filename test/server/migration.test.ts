import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checksum, type ReleasedMigrations } from "../../scripts/database/released.ts";
import { LONG } from "../support/long.ts";

const PARTS = ["CHANGELOG.md", "drizzle.config.ts", "migrations", "package.json", "scripts", "src", "tsconfig.json"];

let folder: string;

/**
 * A copy of the project with changed source. Generating a migration takes seconds, so one copy contains many changes.
 */
function copyProject(): void {
  folder = mkdtempSync(join(tmpdir(), "migration-"));
  for (const part of PARTS) cpSync(part, join(folder, part), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  release({});
}

/** Records releases. Before the first release, any migration is allowed. */
const release = (releases: ReleasedMigrations) =>
  writeFileSync(join(folder, "migrations/released.json"), JSON.stringify(releases));

const removeCopy = () => rmSync(folder, { recursive: true });

const migration = (...options: string[]) =>
  execFileSync("node", ["scripts/migration.ts", ...options], { cwd: folder, stdio: "pipe", encoding: "utf8" });

/** Message of a refused run. */
function complaintOf(...options: string[]): string {
  const { status, stderr } = spawnSync("node", ["scripts/migration.ts", ...options], { cwd: folder, encoding: "utf8" });
  expect(status).toBe(1);
  return stderr;
}

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
  INSERT INTO orders (reference, number, sequence, user_id, status, payment_status, fulfillment_status, currency, subtotal, total, payment_method, paid_at,
    created_at, updated_at, updated_by)
  VALUES ('N1', '#1001', 1001, 1, 'processing', 'paid', 'unfulfilled', 'USD', 200, 200, 'credit_card', 1, 1, 1, 'user:1');
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

/** A database with an order, before the source is edited. */
function shopInUse(): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  for (const file of files()) apply(db, file);
  db.exec(anOrder);
  return db;
}

/** Generates a migration for the edited source, and applies it to a database with data. */
function migrate(db: DatabaseSync, ...options: string[]): string {
  migration("--name", "next", ...options);
  const file = files().at(-1) ?? "";
  apply(db, file);
  expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  return readFileSync(join(folder, "migrations", file), "utf8");
}

const statementsOf = (text: string) =>
  text.match(/^(?:CREATE|DROP|ALTER|INSERT|UPDATE|DELETE) .+?(?= BEFORE| AFTER| ON|;| \()/gm) ?? [];

/** Statements that drop and create a trigger. */
const anew = (trigger: string) => [`DROP TRIGGER ${trigger}`, `CREATE TRIGGER ${trigger}`];

describe("additional enumeration values and changed guards", LONG, () => {
  let db: DatabaseSync;
  let before: unknown;
  let missing: string;
  let written: string;
  const pay = "UPDATE orders SET payment_method = 'cheque'";
  const statements = (word: string) => statementsOf(written).filter((statement) => statement.includes(word));

  beforeAll(() => {
    copyProject();
    db = shopInUse();
    before = rows(db);
    edit("src/domain/payment-methods.ts", `  "cash",\n] as const`, `  "cash",\n  "cheque",\n] as const`);
    edit("src/catalogue/products/listing/tables.ts", `"draft"] as const`, `"draft", "archived"] as const`);
    edit("src/platform/audit/guards.sql", "'audit_log_is_append_only'", "'audit_log_is_only_added_to'");
    edit("src/checkout/orders/transitions.ts", `completed: ["cancelled"`, `completed: ["processing", "cancelled"`);
    expect(() => db.exec(pay)).toThrow("value_not_listed");
    missing = complaintOf("--check");
    written = migrate(db);
  });
  afterAll(removeCopy);

  it("are missing from the migrations until they are generated", () => {
    expect(missing).toContain("CREATE TRIGGER products_no_unlisted_insert");
    expect(missing).toContain("audit_log_is_only_added_to");
  });

  it("are then found, and refused while a running release does not expect them", () => {
    const sums = files()
      .slice(0, -1)
      .map((file) => [file, checksum(join(folder, "migrations", file))]);
    release({ "1.0.0": Object.fromEntries(sums) });
    const refused = complaintOf("--check");
    expect(refused).not.toContain("Run npm run migration");
    expect(refused).toContain(`${files().at(-1)}: audit_log_no_update is a changed guard`);
    expect(refused).not.toMatch(/orders_no_unlisted|order_moves/);
    release({});
  });

  it("leave tables and their rows unchanged", () => {
    expect(statements("TABLE")).toEqual([]);
    expect(rows(db)).toEqual(before);
  });

  // The triggers of backups come after these of a table, so they are created again to stay behind them.
  const later = (table: string) => [...anew(`${table}_update_is_backed_up`), ...anew(`${table}_deletion_is_backed_up`)];

  it("need two triggers of each table with a payment method", () => {
    const triggers = ["orders", "transactions"].flatMap((table) => [
      ...anew(`${table}_no_unlisted_insert`),
      ...anew(`${table}_no_unlisted_update`),
      ...later(table),
    ]);
    const found = [...statements("TRIGGER orders"), ...statements("TRIGGER transactions")];
    expect(found.sort()).toEqual(triggers.sort());
    db.exec(pay);
    expect(() => db.exec("UPDATE orders SET payment_method = 'barter'")).toThrow("value_not_listed");
    expect(() => db.exec("UPDATE orders SET status = 'pending'")).toThrow("order_move_not_allowed");
  });

  it("need no index for a product status, whose lists are counted", () => {
    expect(statements("INDEX")).toEqual([]);
    db.exec("UPDATE products SET status = 'archived'");
    expect(db.prepare("SELECT status, items FROM product_counts WHERE items > 0").all()).toEqual([
      { status: "archived", items: 1 },
    ]);
  });

  it("need the changed triggers and the new rows", () => {
    expect(statements("TRIGGER audit").sort()).toEqual(
      [...anew("audit_log_no_update"), ...anew("audit_log_no_delete"), ...later("audit_log")].sort(),
    );
    expect(written).toContain(`INSERT INTO order_moves ("from", "to") VALUES ('completed', 'processing');`);
  });
});

describe("renamed values", LONG, () => {
  let compared: string;
  let held: string;

  beforeAll(() => {
    copyProject();
    edit("src/checkout/orders/tables.ts", `"shipped"`, `"dispatched"`);
    edit("src/checkout/orders/transitions.ts", `SENT = "shipped"`, `SENT = "dispatched"`);
    compared = complaintOf("--check");
    for (const feature of ["checkout/orders", "integrations/events"])
      edit(`src/${feature}/guards.sql`, /'shipped'/g, "'dispatched'");
    held = complaintOf("--name", "dispatched");
  });
  afterAll(removeCopy);

  it("are refused while SQL compares with one, and while rows may contain it", () => {
    expect(compared).toMatch(/src\/checkout\/orders\/guards\.sql:\d+: no status is 'shipped'/);
    expect(held).toContain("say what it becomes, by --rename shipped=<value>");
  });

  it("are replaced everywhere, also in the search, and nothing else is", () => {
    const db = shopInUse();
    db.exec("UPDATE orders SET status = 'shipped'");
    const before = rows(db);
    edit("src/catalogue/products/listing/tables.ts", `"physical"`, `"goods"`);
    migrate(db, "--rename", "shipped=dispatched", "--rename", "physical=goods");
    const renamed = JSON.stringify(before).replaceAll(`"shipped"`, `"dispatched"`).replaceAll("physical", "goods");
    expect(rows(db)).toEqual(JSON.parse(renamed));
    expect(() => db.exec("UPDATE orders SET status = 'processing'")).toThrow("order_move_not_allowed");
    db.exec("UPDATE orders SET status = 'completed'");
    const found = db.prepare("SELECT count(*) AS n FROM products_search WHERE products_search MATCH ?");
    expect([found.get("qzgoods")?.n, found.get("qzphysical")?.n]).toEqual([1, 0]);
  });

  it("are written without a rebuild, which would make other tables lose rows", () => {
    edit("src/catalogue/products/tables.ts", '"price" >= 0', '"price" > 0');
    expect(complaintOf("--name", "priced")).toContain("A rebuild of products deletes rows of");
  });
});
