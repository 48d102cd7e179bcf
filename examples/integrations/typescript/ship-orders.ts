import { readFileSync } from "node:fs";
import { createStorefront } from "@storefront-worker/api/client";

const shop = createStorefront({ baseUrl: process.env.SHOP ?? "", credential: process.env.KEY });

// What the warehouse has sent: id of the parcel, number of the order in the ERP, carrier, tracking number and lines.
type Line = { sku: string; quantity: number };
type Parcel = { id: string; order: string; carrier: string; tracking_number: string; lines: Line[] };
const parcels: Parcel[] = JSON.parse(readFileSync("parcels.json", "utf8"));

for (const { id, order: external_id, carrier, tracking_number, lines } of parcels) {
  const { data } = await shop.GET("/api/v1/admin/orders", { params: { query: { external_id } } });
  const [order] = data;
  if (!order) throw new Error(`There is no order ${external_id}`);
  const quantities = new Map(lines.map(({ sku, quantity }) => [sku, quantity]));
  const items = order.items.flatMap(({ id: line, sku }) => {
    const quantity = quantities.get(sku);
    return quantity === undefined ? [] : [{ id: line, quantity }];
  });
  // The parcel's own id as Idempotency-Key, so that a program that runs twice announces it once.
  const params = { path: { id: order.id }, header: { "Idempotency-Key": id } };
  const { data: shipped } = await shop.POST("/api/v1/admin/orders/{id}/shipments", {
    params,
    body: { carrier, tracking_number, items },
  });
  console.log(shipped.number, shipped.fulfillment_status);
}
