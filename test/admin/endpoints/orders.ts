import { readTimeZone } from "../../../src/platform/db/time-zone.ts";
import { call } from "../../support/call.ts";
import { oncePerFile } from "../../support/callers.ts";
import { asAdministrator } from "../../support/settings.ts";
import { ADDRESS, aProduct, aUser, db, onPurpose, orderOf } from "../../support/shop.ts";
import type { AdminEndpoints } from "./endpoint.ts";

/** A paid order that has not been shipped. */
export async function aPaidOrder(): Promise<{ id: number; items: { id: number }[] }> {
  const [buyer, product] = [await aUser({ wallet: 10_000 }), await aProduct()];
  return (await call("POST /orders", { as: buyer.token, body: orderOf(product, 3) })).body.data;
}

/** An order with every field that staff can set. */
async function anOrderByHand() {
  const product = await aProduct();
  return {
    customer: { email: "guest@by-hand.test", name: "Greta Guest" },
    items: [{ product_id: product.id, quantity: 2, unit_price: 1 }],
    discount: { percent: 50, reason: "Scratched box" },
    custom_shipping: { name: "Courier", price: 4 },
    shipping_address: ADDRESS,
    payment_method: "bank_transfer",
    paid: true,
    note: "Paid by bank transfer",
  };
}

async function aDraftContent() {
  const { paid: _, ...content } = await anOrderByHand();
  return content;
}

async function aDraft(): Promise<number> {
  const as = await asAdministrator();
  return (await call("POST /admin/draft-orders", { as, body: await aDraftContent() })).body.data.id;
}

/** A return of a unit of a shipped order. */
async function aReturn(): Promise<{ id: number; order: number; items: { id: number }[] }> {
  const as = await asAdministrator();
  const { id } = await aPaidOrder();
  await call(`POST /admin/orders/${id}/shipments`, { as, body: { carrier: "Post" } });
  const { body } = await call(`POST /admin/orders/${id}/returns`, { as, body: {} });
  return { ...body.data, order: id };
}

const knownReturn = oncePerFile(async () => {
  const { id } = await aReturn();
  const as = await asAdministrator();
  await call(`PUT /admin/returns/${id}`, { as, body: { status: "received" } });
  await call(`POST /admin/returns/${id}/settle`, { as, body: {} });
  return { id };
});

/** A draft and an order for routes that only read them. */
const knownDraft = oncePerFile(aDraft);
const knownOrder = oncePerFile(aPaidOrder);

export const orders: AdminEndpoints = {
  "GET /orders": { permission: "shipments:read", status: 200, request: async () => ({ path: "/orders" }) },
  "POST /orders": {
    permission: "orders:write",
    also: "payments:write",
    status: 201,
    request: async () => ({ path: "/orders", body: await anOrderByHand(), headers: onPurpose() }),
  },
  "POST /orders/quote": {
    permission: "orders:write",
    also: "payments:write",
    status: 200,
    request: async () => ({ path: "/orders/quote", body: await anOrderByHand() }),
  },
  "GET /draft-orders": { permission: "orders:read", status: 200, request: async () => ({ path: "/draft-orders" }) },
  "POST /draft-orders": {
    permission: "orders:write",
    also: "payments:write",
    status: 201,
    request: async () => ({ path: "/draft-orders", body: await aDraftContent(), headers: onPurpose() }),
  },
  "GET /draft-orders/:id": {
    permission: "orders:read",
    status: 200,
    request: async () => ({ path: `/draft-orders/${await knownDraft()}` }),
  },
  "PUT /draft-orders/:id": {
    permission: "orders:write",
    also: "payments:write",
    status: 200,
    request: async () => ({ path: `/draft-orders/${await aDraft()}`, body: await aDraftContent() }),
  },
  "DELETE /draft-orders/:id": {
    permission: "orders:write",
    status: 204,
    request: async () => ({ path: `/draft-orders/${await aDraft()}` }),
  },
  "POST /draft-orders/:id/send": {
    permission: "orders:write",
    also: "payments:write",
    status: 200,
    request: async () => ({
      path: `/draft-orders/${await aDraft()}/send`,
      body: {},
      headers: onPurpose(),
    }),
  },
  "POST /draft-orders/:id/place": {
    permission: "orders:write",
    also: "payments:write",
    status: 201,
    request: async () => ({
      path: `/draft-orders/${await aDraft()}/place`,
      body: { paid: true },
      headers: onPurpose(),
    }),
  },
  "GET /orders/:id": {
    permission: "shipments:read",
    status: 200,
    request: async () => ({ path: `/orders/${(await knownOrder()).id}` }),
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
  "POST /orders/:id/edits": {
    permission: "orders:write",
    also: "payments:write",
    status: 200,
    request: async () => {
      const { id, items } = await aPaidOrder();
      const body = {
        items: items.map((item) => ({ id: item.id, quantity: 2, unit_price: 5 })),
        shipping_address: { ...ADDRESS, city: "Bath" },
        note: "By telephone",
      };
      const as = await asAdministrator();
      const quote = await call(`POST /admin/orders/${id}/edits/quote`, { as, body: { items: body.items } });
      const expected_total = quote.body.data.total;
      return { path: `/orders/${id}/edits`, body: { ...body, expected_total }, headers: onPurpose() };
    },
  },
  "POST /orders/:id/edits/quote": {
    permission: "orders:write",
    also: "payments:write",
    status: 200,
    request: async () => {
      const { id, items } = await aPaidOrder();
      const body = { items: items.map((item) => ({ id: item.id, quantity: 2, unit_price: 5 })) };
      return { path: `/orders/${id}/edits/quote`, body };
    },
  },
  "POST /orders/:id/refunds": {
    permission: "payments:write",
    status: 200,
    request: async () => {
      const { id, items } = await aPaidOrder();
      const body = { items: items.map((item) => ({ id: item.id, quantity: 1 })), restock: true, note: "Scratched" };
      return { path: `/orders/${id}/refunds`, body, headers: onPurpose() };
    },
  },
  "POST /orders/:id/invoices": {
    permission: "orders:write",
    status: 201,
    request: async () => {
      const as = await asAdministrator();
      await call("PUT /admin/shop", { as, body: { address: ADDRESS } });
      return { path: `/orders/${(await aPaidOrder()).id}/invoices`, body: {}, headers: onPurpose() };
    },
  },
  "GET /invoices": { permission: "orders:read", status: 200, request: async () => ({ path: "/invoices" }) },
  "GET /invoices/:id/:format": {
    permission: "orders:read",
    status: 200,
    request: async () => {
      const as = await asAdministrator();
      await call("PUT /admin/shop", { as, body: { address: ADDRESS } });
      const { id } = await aPaidOrder();
      const invoice = await call(`POST /admin/orders/${id}/invoices`, { as, body: {}, headers: onPurpose() });
      return { path: `/invoices/${invoice.body.data.id}/pdf` };
    },
  },
  "GET /invoices/series": {
    permission: "orders:read",
    status: 200,
    request: async () => ({ path: "/invoices/series" }),
  },
  "GET /reports/sales": {
    permission: "orders:read",
    status: 200,
    request: async () => {
      // Isolates cache the time zone. Reading it here makes every request of the sweep use the same calls.
      await readTimeZone(db);
      return { path: "/reports/sales" };
    },
  },
  "GET /orders/:id/notes": {
    permission: "orders:read",
    status: 200,
    request: async () => ({ path: `/orders/${(await knownOrder()).id}/notes` }),
  },
  "POST /orders/:id/notes": {
    permission: "orders:write",
    status: 201,
    request: async () => ({
      path: `/orders/${(await aPaidOrder()).id}/notes`,
      body: { text: "Asked for a gift box" },
    }),
  },
  "POST /orders/:id/shipments": {
    permission: "shipments:write",
    status: 200,
    request: async () => {
      const { id, items } = await aPaidOrder();
      const parcel = { items: items.map((item) => ({ id: item.id, quantity: 1 })) };
      const tracking = { carrier: "Post", tracking_number: "X 1", tracking_url: "https://post.example/X1" };
      return {
        path: `/orders/${id}/shipments`,
        body: { ...parcel, ...tracking },
        headers: onPurpose(),
      };
    },
  },
  "PUT /orders/:id/shipments/:shipment": {
    permission: "shipments:write",
    status: 200,
    request: async () => {
      const { id } = await aPaidOrder();
      const as = await asAdministrator();
      const { body } = await call(`POST /admin/orders/${id}/shipments`, { as, body: { carrier: "Post" } });
      const change = { carrier: "Coach", tracking_number: "X 2", tracking_url: "https://post.example/X2" };
      return { path: `/orders/${id}/shipments/${body.data.shipment.id}`, body: change };
    },
  },
  "GET /returns": { permission: "orders:read", status: 200, request: async () => ({ path: "/returns" }) },
  "GET /returns/:id": {
    permission: "orders:read",
    status: 200,
    request: async () => ({ path: `/returns/${(await knownReturn()).id}` }),
  },
  "POST /orders/:id/returns": {
    permission: "orders:write",
    status: 201,
    request: async () => {
      const { id, items } = await aPaidOrder();
      await call(`POST /admin/orders/${id}/shipments`, { as: await asAdministrator(), body: { carrier: "Post" } });
      const body = {
        items: items.map((item) => ({ id: item.id, quantity: 1 })),
        reason: "Too small",
        instructions: "Mill Lane 12",
        label_url: "https://labels.example/1",
      };
      return { path: `/orders/${id}/returns`, body, headers: onPurpose() };
    },
  },
  "PUT /returns/:id": {
    permission: "orders:write",
    status: 200,
    request: async () => ({
      path: `/returns/${(await aReturn()).id}`,
      body: { status: "in_transit", carrier: "Post", tracking_number: "X 1", tracking_url: "https://post.example/X1" },
    }),
  },
  "POST /returns/:id/settle": {
    permission: "payments:write",
    status: 200,
    request: async () => {
      const { id } = await aReturn();
      await call(`PUT /admin/returns/${id}`, { as: await asAdministrator(), body: { status: "received" } });
      return {
        path: `/returns/${id}/settle`,
        body: { deduction: 1, shipping: false, note: "Worn" },
        headers: onPurpose(),
      };
    },
  },
  "GET /transactions": { permission: "orders:read", status: 200, request: async () => ({ path: "/transactions" }) },
};
