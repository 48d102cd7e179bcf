import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyMigrations } from "../../../../scripts/database/apply.ts";
import { incompatibilities } from "../../../../scripts/database/compatibility.ts";
import { readGuards } from "../../../../scripts/database/guards.ts";
import { migrationFiles, storedGuards } from "../../../../scripts/database/migrations.ts";
import { remoteForm } from "../../../../scripts/database/remote-form.ts";
import { dumpOf, loaded } from "../../../../scripts/release/dump.ts";
import { fixtureVersions, readShopFixture } from "../../../../scripts/release/fixtures.ts";
import { listingRules } from "../../../products/listing/rules.ts";

const folder = mkdtempSync(join(tmpdir(), "upgrade-"));
afterAll(() => rmSync(folder, { recursive: true }));

function written(sql: string): string {
  const path = join(folder, "9999_next.sql");
  writeFileSync(path, sql);
  return path;
}

const rowsIn = (db: DatabaseSync, sql: string) => db.prepare(sql).all();

/**
 * Triggers in the order in which they fire, and everything else by name. A local shop of 1.0.0 keeps its triggers, whose
 * text the rewritten migration of 1.0.1 differs from only in its form.
 */
const schemaOf = (db: DatabaseSync) => ({
  triggers: rowsIn(
    db,
    "SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY tbl_name, rowid",
  ).map((row) => ({ ...row, sql: remoteForm(String(row.sql)) })),
  others: rowsIn(db, "SELECT type, name, sql FROM sqlite_master WHERE type <> 'trigger' ORDER BY type, name"),
});

const contentOf = (db: DatabaseSync) => dumpOf(db, []).rows;

const files = migrationFiles();
const newShop = new DatabaseSync(":memory:");
applyMigrations(newShop);

/** A copy of a shop. Its migrations would take several times as long to apply. */
const copyOf = (shop: DatabaseSync) => loaded(dumpOf(shop, []));

/** Broken references, and damage to the database. */
const faultsOf = (db: DatabaseSync) => [
  ...rowsIn(db, "PRAGMA foreign_key_check"),
  ...rowsIn(db, "PRAGMA integrity_check").filter((row) => row.integrity_check !== "ok"),
];

it("loads the database that a dump was made of", () => {
  const db = copyOf(newShop);
  db.exec(`INSERT INTO agents (id, profile_url, profile, expires_at, seen_at, created_at, updated_at)
    VALUES (7, 'https://agent.test/it''s', '{}', 1, 2, 3, 4), (8, 'https://gone.test/', '{}', 1, 2, 3, 4);
    DELETE FROM agents WHERE id = 8`);
  const copy = copyOf(db);
  expect(schemaOf(copy)).toEqual(schemaOf(newShop));
  expect(contentOf(copy)).toEqual(contentOf(db));
  expect(contentOf(copy).sqlite_sequence?.values).toContainEqual(["agents", 8]);
});

/** Counts of products, of which later versions have fewer. */
const COUNTS = new Set(["product_counts", "product_price_counts", "product_range_counts"]);

describe.each(fixtureVersions())("an upgraded shop of %s", (version) => {
  const { dump } = readShopFixture(version);
  const applied = new Set(dump.rows.d1_migrations?.values.map((row) => row[1]));
  const releases = new Map(
    files
      .map((path) => basename(path))
      .filter((file) => applied.has(file))
      .map((file) => [file, version]),
  );
  let db: DatabaseSync;
  beforeAll(() => {
    db = loaded(dump);
    applyMigrations(db);
  });

  it("has the schema of a new shop, with every guard", () => {
    expect(schemaOf(db)).toEqual(schemaOf(newShop));
    const stored = storedGuards(db).map(({ type, sql }) => (type === "trigger" ? remoteForm(sql) : sql));
    expect(readGuards().filter(({ kind, sql }) => kind !== "rows" && !stored.includes(sql))).toEqual([]);
    expect(faultsOf(db)).toEqual([]);
  });

  it("keeps every row", () => {
    const after = contentOf(db);
    for (const [table, { values }] of Object.entries(dump.rows)) {
      if (!COUNTS.has(table)) expect(after[table]?.values.length, table).toBeGreaterThanOrEqual(values.length);
    }
  });

  it("lists and counts every product", () => {
    for (const [rule, query] of Object.entries(listingRules)) expect(db.prepare(query).all(), rule).toEqual([]);
  });

  it("is not changed by a second run", () => {
    const before = { schema: schemaOf(db), content: contentOf(db) };
    applyMigrations(db);
    expect({ schema: schemaOf(db), content: contentOf(db) }).toEqual(before);
  });

  it.each([
    ["UPDATE orders SET status = 'pending' WHERE status = 'completed'", "order_move_not_allowed"],
    ["UPDATE orders SET payment_method = 'barter'", "value_not_listed"],
    ["UPDATE transactions SET amount = amount + 1", "ledger_is_append_only"],
    ["UPDATE products SET stock_quantity = -1 WHERE manage_stock = 1", "CHECK constraint failed"],
    ["DELETE FROM users WHERE id IN (SELECT user_id FROM orders)", "FOREIGN KEY constraint failed"],
  ])("refuses %s", (statement, reason) => {
    expect(() => db.exec(statement)).toThrow(reason);
  });

  it("accepts an additive migration, also twice", () => {
    const next = written(
      [
        "CREATE TABLE notes (id integer PRIMARY KEY, order_id integer NOT NULL REFERENCES orders (id), text text NOT NULL);",
        "ALTER TABLE orders ADD COLUMN gift_note text;",
        "ALTER TABLE products ADD COLUMN origin text NOT NULL DEFAULT 'unknown';",
        "INSERT INTO notes (order_id, text) SELECT id, number FROM orders;",
      ].join("\n--> statement-breakpoint\n"),
    );
    const shop = copyOf(db);
    applyMigrations(shop, [...files, next]);
    const content = contentOf(shop);
    applyMigrations(shop, [...files, next]);
    expect(contentOf(shop)).toEqual(content);
    expect(content.notes?.values).toHaveLength(dump.rows.orders?.values.length ?? 0);
    const another = copyOf(newShop);
    applyMigrations(another, [...files, next]);
    expect(schemaOf(shop)).toEqual(schemaOf(another));
    expect(faultsOf(shop)).toEqual([]);
    expect(incompatibilities([...files, next], releases, fixtureVersions())).toEqual([]);
  });

  it("is not told of what would break it", () => {
    const broken = written(
      [
        "ALTER TABLE orders RENAME COLUMN payment_url TO token;",
        "CREATE UNIQUE INDEX users_once ON users (name);",
        "CREATE TRIGGER orders_stay BEFORE UPDATE ON orders BEGIN SELECT RAISE(ABORT, 'orders_stay'); END;",
      ].join("\n--> statement-breakpoint\n"),
    );
    const problems = incompatibilities([...files, broken], releases, [version]).join("\n");
    expect(problems).toContain("orders.payment_url is dropped or renamed");
    expect(problems).toContain("users_once is a new UNIQUE index");
    expect(problems).toContain("orders_stay is a new guard");
  });
});
