import { readFileSync } from "node:fs";
import { createStorefront } from "@storefront-worker/api/client";

const shop = createStorefront({ baseUrl: process.env.SHOP ?? "", credential: process.env.KEY });

// The warehouse's list: sku, name, price and stock of each product, counted on the shelf.
type Row = { sku: string; name: string; price: number; stock: number };
const rows: Row[] = JSON.parse(readFileSync("products.json", "utf8"));

for (let start = 0; start < rows.length; start += 100) {
  const items = rows.slice(start, start + 100).map(({ sku, name, price, stock }) => ({
    sku,
    name,
    price,
    type: "physical" as const,
    status: "active" as const,
    stock: { quantity: stock, reason: "Warehouse" },
  }));
  const { data } = await shop.POST("/api/v1/admin/products/batch", { body: { items } });
  for (const { sku, errors } of data.items) for (const { field, message } of errors) console.log(sku, field, message);
}
