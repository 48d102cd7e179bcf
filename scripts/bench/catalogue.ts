import { words } from "./words.ts";

const CHUNK = 50_000;

/**
 * What the triggers of products keep right row by row is made anew in one go, once the rows are there: whatever a trigger
 * writes into another table has its line here.
 */
const rebuilds = [
  "INSERT INTO products_search (products_search) VALUES ('rebuild')",
  ...["newest", "price", "name"].map((sort) => `INSERT INTO listing_rebuilds (sort) VALUES ('${sort}')`),
];

/** Writes `count` products that differ in all that a list can be narrowed by. The same ones each time. */
export async function fillCatalogue(db: D1Database, count: number): Promise<void> {
  await db.prepare(insertCategories).bind(JSON.stringify(words.categories), Date.now()).run();
  await inBulk(db, async () => {
    const start = Date.now() - count * 1000;
    for (let first = 1; first <= count; first += CHUNK) {
      const last = Math.min(count, first + CHUNK - 1);
      await db.prepare(insertProducts).bind(first, last, start, JSON.stringify(words)).run();
      console.error(`${last} of ${count} products`);
    }
  });
}

/** Writes products by the thousand in a moment, while nobody reads them. */
export async function inBulk(db: D1Database, write: () => Promise<unknown>): Promise<void> {
  const triggers = await takeAway(db, "TRIGGER");
  const indexes = await takeAway(db, "INDEX");
  await write();
  for (const sql of [...indexes, ...rebuilds, ...triggers]) {
    await db.prepare(sql).run();
    console.error(sql.split("\n", 1)[0]);
  }
}

/** Drops what every row that is written would have to pass, and answers how to make it again; what is unique stays. */
async function takeAway(db: D1Database, what: "TRIGGER" | "INDEX"): Promise<string[]> {
  const { results } = await db
    .prepare("SELECT name, sql FROM sqlite_master WHERE tbl_name = 'products' AND sql LIKE ?")
    .bind(`CREATE ${what} %`)
    .all<{ name: string; sql: string }>();
  for (const { name } of results) await db.prepare(`DROP ${what} ${name}`).run();
  return results.map(({ sql }) => sql);
}

const insertCategories = `
  INSERT INTO categories (name, slug, created_at, updated_at)
  SELECT value, lower(replace(value, ' ', '-')), ?2, ?2 FROM json_each(?1)`;

// Knuth's multiplicative hash scatters the numbers; each column takes other bits of it.
const insertProducts = `
  WITH RECURSIVE numbers (n) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2),
  scattered (n, bits) AS MATERIALIZED (SELECT n, (n * 2654435761) & 0xffffffff FROM numbers),
  facts AS (
    SELECT n, bits,
      ?4 ->> ('$.adjectives[' || ((bits >> 5) % 32) || ']') AS adjective,
      ?4 ->> ('$.nouns[' || ((bits >> 12) % 32) || ']') AS noun,
      ?4 ->> ('$.phrases[' || ((bits >> 17) % 8) || ']') AS phrase,
      CASE WHEN bits % 10 < 7 THEN 'physical' WHEN bits % 10 < 9 THEN 'digital' ELSE 'service' END AS type
    FROM scattered
  )
  INSERT INTO products (name, slug, sku, type, status, description, price, category_id, images, requires_shipping,
    manage_stock, stock_quantity, metadata, created_at, updated_at)
  SELECT adjective || ' ' || noun || ' ' || n, 'product-' || n, printf('SKU-%07d', n), type,
    iif((bits >> 9) % 10 = 0, 'draft', 'active'), 'A ' || lower(adjective || ' ' || noun) || phrase, 100 + (bits >> 3) % 50000,
    1 + (bits >> 7) % 8, json_array(json_object('url', '/images/' || n || '.svg', 'alt', noun)), type = 'physical',
    type = 'physical', CASE WHEN type = 'physical' THEN iif((bits >> 15) % 20 = 0, 0, 1000000) END,
    json_object('batch', (n % 100) || ''), ?3 + n * 1000, ?3 + n * 1000
  FROM facts`;
