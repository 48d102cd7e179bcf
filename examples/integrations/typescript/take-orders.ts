import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createStorefront } from "@storefront-worker/api/client";

const shop = createStorefront({ baseUrl: process.env.SHOP ?? "", credential: process.env.KEY });

// The cursor of the last event, and the orders that this system has taken, by their id in the shop.
const taken = existsSync("orders.json") ? JSON.parse(readFileSync("orders.json", "utf8")) : { after_id: 0, orders: {} };

const query = { type: "order.created,order.paid", after_id: taken.after_id };
for await (const event of shop.each("/api/v1/admin/events", { params: { query } })) {
  if (event.type !== "order.created" && event.type !== "order.paid") continue;
  taken.after_id = event.id;
  // A pending order waits for its payment. Others were perhaps taken by an earlier event.
  if (event.data.status === "pending" || taken.orders[event.data.order_id]) continue;
  const params = { path: { id: event.data.order_id } };
  const { data: order } = await shop.GET("/api/v1/admin/orders/{id}", { params });
  const number = `SO-${order.id}`;
  const lines = order.items.map(({ sku, quantity }) => ({ sku, quantity }));
  taken.orders[order.id] = { number, total: order.total, lines };
  await shop.PUT("/api/v1/admin/orders/{id}", { params, body: { external_id: number } });
  // Stored after each order, so that a crash takes no order twice.
  writeFileSync("orders.json", JSON.stringify(taken));
}
