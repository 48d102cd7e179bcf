import { aProduct, aUser } from "../../support/shop.ts";
import type { AdminEndpoints } from "./endpoint.ts";
import { aPaidOrder } from "./orders.ts";

export const bulkActions: AdminEndpoints = {
  "POST /products/bulk-actions": {
    permission: "products:write",
    status: 201,
    request: async () => ({
      path: "/products/bulk-actions",
      body: { ids: [(await aProduct()).id], change: { price_percent: 10, compare_at_price: "previous" } },
    }),
  },
  "POST /products/batch": {
    permission: "products:write",
    status: 200,
    request: async () => ({
      path: "/products/batch",
      body: { items: [{ id: (await aProduct()).id, stock: { delta: 2, reason: "Delivery" } }] },
    }),
  },
  "POST /users/bulk-actions": {
    permission: "users:write",
    status: 201,
    request: async () => ({
      path: "/users/bulk-actions",
      body: { ids: [(await aUser()).id], change: { add_tags: ["VIP"], remove_tags: ["Trade"] } },
    }),
  },
  "POST /orders/bulk-actions": {
    permission: "orders:write",
    status: 201,
    request: async () => ({
      path: "/orders/bulk-actions",
      body: {
        ids: [(await aPaidOrder()).id],
        change: { status: "shipped", shipment: { carrier: "Royal Mail" }, note: "By the evening coach" },
      },
    }),
  },
};
