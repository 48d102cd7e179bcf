import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createStorefront } from "@storefront-worker/api/client";

const shop = createStorefront({ baseUrl: process.env.SHOP ?? "", credential: process.env.KEY });

// A copy of the catalogue with its stock: rows by id, and the time of the newest change in it.
const copy = existsSync("catalogue.json")
  ? JSON.parse(readFileSync("catalogue.json", "utf8"))
  : { since: "1970-01-01T00:00:00Z", rows: {} };

const query = { variants: "true", updated_since: copy.since } as const;
for await (const row of shop.each("/api/v1/admin/products", { params: { query } })) {
  const { id, sku, price, stock_quantity, updated_at } = row;
  copy.rows[id] = { sku, price, stock_quantity, updated_at };
  // A change becomes visible up to a minute after its time.
  const since = new Date(Date.parse(updated_at) - 60_000).toISOString();
  if (since > copy.since) copy.since = since;
}

writeFileSync("catalogue.json", JSON.stringify(copy));
