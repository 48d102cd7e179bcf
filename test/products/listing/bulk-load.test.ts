import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { fillCatalogue, served } from "../../../scripts/bench/catalogue.ts";
import { brokenRules } from "../../support/rules.ts";
import { listingRules } from "./rules.ts";

const written = [
  ...["name", "slug", "sku", "type", "status", "description", "price", "category_id", "images", "requires_shipping"],
  ...[
    "manage_stock",
    "stock_quantity",
    "options",
    "own_status",
    "option_values",
    "inherits",
    "created_at",
    "updated_at",
  ],
];

/** Rows written by triggers, by table. */
const kept = {
  products: `SELECT sku, status, price, highest_variant_price, sold_out, in_stock, variant_count, variant_words, draft_words, name,
    category_id FROM products ORDER BY sku`,
  counts: "SELECT * FROM product_counts WHERE items <> 0 ORDER BY 1, 2",
};

const read = async () =>
  Promise.all(Object.values(kept).map(async (query) => (await env.DB.prepare(query).all()).results));

it("leaves what triggers write for each product and variant", async () => {
  await fillCatalogue(served(env.DB), 60, 4);
  const loaded = await read();
  expect(loaded[0]).toHaveLength(300);
  expect(await brokenRules(env.DB, listingRules)).toEqual({});
  const { results: rows } = await env.DB.prepare(
    `SELECT ${written}, (SELECT sku FROM products AS parent WHERE parent.id = products.parent_id) AS parent FROM products ORDER BY id`,
  ).all<{ parent: string | null }>();
  await env.DB.exec("DELETE FROM products WHERE parent_id IS NULL");
  const insert = (some: unknown[]) =>
    env.DB.prepare(
      `INSERT INTO products (${written}, parent_id)
       SELECT ${written.map((name) => `value ->> '${name}'`)}, (SELECT id FROM products WHERE sku = value ->> 'parent') FROM json_each(?)`,
    )
      .bind(JSON.stringify(some))
      .run();
  await insert(rows.filter(({ parent }) => parent === null).map((row) => ({ ...row, price: 1 })));
  await insert(rows.filter(({ parent }) => parent !== null));
  expect(await read()).toEqual(loaded);
  await env.DB.exec("INSERT INTO products_search (products_search, rank) VALUES ('integrity-check', 1)");
});

it.each([
  [
    "variant_changes_parent",
    "price = price + 1",
    "parent_id IS NOT NULL",
    "a parent shows the prices, the stock and the number of its variants",
  ],
  ["product_change_is_inherited", "name = name || 'x'", "options <> '[]'", "a variant has what it inherits"],
])("the rules notice a shop without the trigger %s", async (trigger, change, where, rule) => {
  const { sql } = (await env.DB.prepare("SELECT sql FROM sqlite_master WHERE name = ?")
    .bind(trigger)
    .first<{ sql: string }>()) ?? { sql: "" };
  const edit = `UPDATE products SET ${change} WHERE ${where}`;
  await env.DB.prepare(`DROP TRIGGER ${trigger}`).run();
  await env.DB.prepare(edit).run();
  expect(Object.keys(await brokenRules(env.DB, listingRules))).toEqual([rule]);
  await env.DB.prepare(sql).run();
  await env.DB.prepare(edit).run();
  expect(await brokenRules(env.DB, listingRules)).toEqual({});
});
