import { readFileSync, statSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { createStorefront } from "@storefront-worker/api/client";

const shop = createStorefront({ baseUrl: process.env.SHOP ?? "", credential: process.env.KEY });

// The warehouse's list: sku, name, price and stock of each product, counted on the shelf.
type Row = { sku: string; name: string; price: number; stock: number };
const rows: Row[] = JSON.parse(readFileSync("products.json", "utf8"));

// Part of each Idempotency-Key: a program that starts again with the same list repeats its requests, another list makes new ones.
const { mtimeMs } = statSync("products.json");

for (let start = 0; start < rows.length; start += 100) {
  const items = rows.slice(start, start + 100).map(({ sku, name, price, stock }) => ({
    sku,
    name,
    price,
    type: "physical" as const,
    status: "active" as const,
    stock: { quantity: stock, reason: "Warehouse" },
  }));
  const params = { header: { "Idempotency-Key": `${mtimeMs}-${start}` } };
  const write = async () => (await shop.POST("/api/v1/admin/products/batch", { params, body: { items } })).data.items;
  let results = await write();
  while (results.some(({ status }) => status === "pending")) {
    await setTimeout(10_000);
    results = await write();
  }
  for (const { sku, errors } of results) for (const { field, message } of errors) console.log(sku, field, message);
}
