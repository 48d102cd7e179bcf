import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createStorefront } from "@storefront-worker/api/client";

const shop = createStorefront({ baseUrl: process.env.SHOP ?? "", credential: process.env.KEY });

// The cursor of the last event, and the orders that this system has taken, by their id in the shop.
const taken = existsSync("orders.json") ? JSON.parse(readFileSync("orders.json", "utf8")) : { after_id: 0, orders: {} };
const store = () => writeFileSync("orders.json", JSON.stringify(taken));

const numbered = new Set<number>();
const query = { type: "order.created,order.paid", after_id: taken.after_id };
for await (const event of shop.each("/api/v1/admin/events", { params: { query } })) {
  if (event.type !== "order.created" && event.type !== "order.paid") continue;
  const { order_id: id, status } = event.data;
  // A pending order waits for its payment. Others were perhaps taken by an earlier event.
  if (status !== "pending" && !numbered.has(id)) {
    const params = { path: { id } };
    if (!taken.orders[id]) {
      const { data: order } = await shop.GET("/api/v1/admin/orders/{id}", { params });
      const lines = order.items.map(({ sku, quantity }) => ({ sku, quantity }));
      taken.orders[id] = { number: `SO-${id}`, total: order.total, lines };
      // Stored before the number is sent, so that after a crash the order is not taken again under another number.
      store();
    }
    await shop.PUT("/api/v1/admin/orders/{id}", { params, body: { external_id: taken.orders[id].number } });
    numbered.add(id);
  }
  taken.after_id = event.id;
}
store();
