import { words } from "./words.ts";

const CHUNK = 50_000;

const recount = "INSERT INTO product_recounts (n) VALUES (0)";
const searchRebuild = "INSERT INTO products_search (products_search) VALUES ('rebuild')";

/** Rebuilds everything that product triggers maintain row by row. Each table that a trigger writes to has a line here. */
export const productRebuilds = [recount, searchRebuild];

/** Runs a statement and returns its rows. */
export type Run = (sql: string, ...parameters: (string | number)[]) => Promise<Record<string, unknown>[]>;

/** Runs statements on a database that is being served. */
export const served =
  (db: D1Database): Run =>
  async (sql, ...parameters) =>
    (
      await db
        .prepare(sql)
        .bind(...parameters)
        .all()
    ).results;

/**
 * Writes `count` different products for every filter of the lists, each with up to four variants. Deterministic.
 * Indexes other than the one that finds variants are dropped first, because the recount would write them.
 */
export async function fillCatalogue(run: Run, count: number, variants = 0): Promise<void> {
  await run(insertCategories, JSON.stringify([...words.categories, ...words.parents]), Date.now());
  await run(nestCategories, JSON.stringify(words.below));
  await run(insertTags, JSON.stringify(words.tags));
  await inBulk(run, ["products", "category_products"], [searchRebuild], async () => {
    const start = Date.now() - count * 1000;
    for (let first = 1; first <= count; first += CHUNK) {
      const last = Math.min(count, first + CHUNK - 1);
      await run(insertProducts, first, last, start, JSON.stringify(words), variants > 0 ? SIZES : "[]");
      console.error(`${last} of ${count} products`);
    }
    for (let first = 1; variants > 0 && first <= count; first += CHUNK)
      await run(insertVariants, first, Math.min(count, first + CHUNK - 1), variants);
    await run(
      `CREATE INDEX variants_to_count ON products (parent_id, own_status, price, sold_out) WHERE parent_id IS NOT NULL`,
    );
    await run(recount);
    await run("DROP INDEX variants_to_count");
  });
}

/** Writes thousands of rows quickly. No other connection may read them meanwhile. */
export async function inBulk(
  run: Run,
  tables: readonly string[],
  rebuilds: readonly string[],
  write: () => Promise<unknown>,
): Promise<void> {
  const triggers = await takeAway(run, tables, "TRIGGER");
  const indexes = await takeAway(run, tables, "INDEX");
  await write();
  for (const sql of [...indexes, ...rebuilds, ...triggers]) {
    await run(sql);
    console.error(sql.split("\n", 1)[0]);
  }
}

/** Drops indexes or triggers that slow each insert, and returns the statements that restore them. Unique indexes stay. */
async function takeAway(run: Run, tables: readonly string[], what: "TRIGGER" | "INDEX"): Promise<string[]> {
  const made = await run(
    "SELECT name, sql FROM sqlite_master WHERE tbl_name IN (SELECT value FROM json_each(?1)) AND sql LIKE ?2 ORDER BY rowid",
    JSON.stringify(tables),
    `CREATE ${what} %`,
  );
  for (const { name } of made) await run(`DROP ${what} ${name}`);
  return made.map(({ sql }) => String(sql));
}

const insertCategories = `
  INSERT INTO categories (name, slug, created_at, updated_at)
  SELECT value, lower(replace(value, ' ', '-')), ?2, ?2 FROM json_each(?1)`;

const nestCategories = `
  UPDATE categories SET parent_id = parent.id
  FROM json_each(?1) AS below, json_each(below.value) AS child, categories AS parent
  WHERE parent.name = below.key AND categories.name = child.value`;

const insertTags = "INSERT INTO tags (name, folded_name) SELECT value, lower(value) FROM json_each(?1)";

// Knuth's multiplicative hash scatters the numbers. Each column uses different bits of it.
const insertProducts = `
  WITH RECURSIVE numbers (n) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2),
  scattered (n, bits) AS MATERIALIZED (SELECT n, (n * 2654435761) & 0xffffffff FROM numbers),
  facts AS (
    SELECT n, bits,
      ?4 ->> ('$.adjectives[' || ((bits >> 5) % 32) || ']') AS adjective,
      ?4 ->> ('$.nouns[' || ((bits >> 12) % 32) || ']') AS noun,
      ?4 ->> ('$.phrases[' || ((bits >> 17) % 8) || ']') AS phrase,
      CASE WHEN (bits >> 11) % 20 = 0 THEN '[["Gift"],[1]]' WHEN (bits >> 11) % 20 = 1 THEN '[["Gift","Sale"],[1,2]]'
        WHEN (bits >> 11) % 3 = 0 THEN '[["Handmade"],[3]]' ELSE '[[],[]]' END AS tags,
      CASE WHEN bits % 10 < 7 THEN 'physical' WHEN bits % 10 < 9 THEN 'digital' ELSE 'service' END AS type
    FROM scattered
  )
  INSERT INTO products (name, slug, sku, type, status, description, brand, price, category_id, tags, tag_ids,
    images, requires_shipping, manage_stock, stock_quantity, sold_out, options, metadata, created_at, updated_at)
  SELECT adjective || ' ' || noun || ' ' || n, 'product-' || n, printf('SKU-%07d', n), type,
    iif((bits >> 9) % 10 = 0, 'draft', 'active'), 'A ' || lower(adjective || ' ' || noun) || phrase,
    iif((bits >> 21) % 5 = 0, 'North & Sons', NULL), 100 + (bits >> 3) % 50000,
    1 + (bits >> 7) % 8, tags ->> 0, tags ->> 1, json_array(json_object('url', '/images/' || n || '.svg', 'alt', noun)), type = 'physical',
    type = 'physical' AND ?5 = '[]', iif(type = 'physical' AND ?5 = '[]', iif((bits >> 15) % 20 = 0, 0, 1000000), NULL),
    type = 'physical' AND (bits >> 15) % 20 = 0, ?5,
    json_object('batch', (n % 100) || ''), ?3 + n * 1000, ?3 + n * 1000
  FROM facts`;

const SIZES = '[{"name":"Size","values":["S","M","L","XL"]}]';

/** Each variant costs a twentieth more than the previous one. */
const insertVariants = `
  WITH sizes (n, size) AS (VALUES (1, 'S'), (2, 'M'), (3, 'L'), (4, 'XL'))
  INSERT INTO products (name, slug, sku, type, status, own_status, description, price, category_id, tags, tag_ids,
    images, requires_shipping, manage_stock, stock_quantity, sold_out, parent_id, option_values, inherits, created_at, updated_at)
  SELECT name, slug || '-' || lower(size), sku || '-' || size, type, status, 'active', description, price + price * (n - 1) / 20,
    category_id, tags, tag_ids, images, requires_shipping, TRUE, iif((id * 7 + n) % 5 = 0, 0, 1000000), (id * 7 + n) % 5 = 0, id,
    json_array(json_object('name', 'Size', 'value', size)), '["name","description","type","images","requires_shipping"]',
    created_at, updated_at
  FROM products JOIN sizes ON n <= ?3
  WHERE id BETWEEN (SELECT min(id) FROM products) + ?1 - 1 AND (SELECT min(id) FROM products) + ?2 - 1 AND parent_id IS NULL`;
