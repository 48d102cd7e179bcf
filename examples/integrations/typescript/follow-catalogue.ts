import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createStorefront } from "@storefront-worker/api/client";

const shop = createStorefront({ baseUrl: process.env.SHOP ?? "", credential: process.env.KEY });

// A copy of the catalogue with its stock: rows by id, and the time from which to read changes next. The first time all rows are read.
const copy = existsSync("catalogue.json") ? JSON.parse(readFileSync("catalogue.json", "utf8")) : { rows: {} };
const cursor = copy.since ? { updated_since: copy.since } : { after_id: 0 };

// A change may become visible a minute after its time, and clocks differ.
const next = new Date(Date.now() - 300_000).toISOString();
const query = { variants: "true", ...cursor } as const;
for await (const row of shop.each("/api/v1/admin/products", { params: { query } })) {
  const { id, sku, price, stock_quantity, updated_at } = row;
  copy.rows[id] = { sku, price, stock_quantity, updated_at };
}
copy.since = next;

writeFileSync("catalogue.json", JSON.stringify(copy));
