import { call } from "../../support/call.ts";
import { ADDRESS, aProduct, aUser, orderOf } from "../../support/shop.ts";
import type { AdminEndpoints } from "./endpoint.ts";

/** An order that is paid and waits to be sent. */
async function aPaidOrder(): Promise<{ id: number; items: { id: number }[] }> {
  const [buyer, product] = [await aUser({ wallet: 10_000 }), await aProduct()];
  return (await call("POST /orders", { as: buyer.token, body: orderOf(product, 3) })).body.data;
}

export const orders: AdminEndpoints = {
  "GET /orders": { permission: "orders:read", status: 200, request: async () => ({ path: "/orders" }) },
  "GET /orders/:id": {
    permission: "orders:read",
    status: 200,
    request: async () => ({ path: `/orders/${(await aPaidOrder()).id}` }),
  },
  "PUT /orders/:id": {
    permission: "orders:write",
    status: 200,
    request: async () => ({
      path: `/orders/${(await aPaidOrder()).id}`,
      body: {
        status: "shipped",
        shipment: { carrier: "Post", tracking_number: "X 1", tracking_url: "https://post.example/X1" },
        shipping_address: { ...ADDRESS, name: "Lady Lovelace" },
        note: "By the evening coach",
      },
    }),
  },
  "POST /orders/:id/refunds": {
    permission: "payments:write",
    status: 200,
    request: async () => {
      const { id, items } = await aPaidOrder();
      const body = { items: items.map((item) => ({ id: item.id, quantity: 1 })), restock: true, note: "Scratched" };
      return { path: `/orders/${id}/refunds`, body, headers: { "Idempotency-Key": "made" } };
    },
  },
  "GET /transactions": { permission: "orders:read", status: 200, request: async () => ({ path: "/transactions" }) },
};
