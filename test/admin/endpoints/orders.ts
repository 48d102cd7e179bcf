import { readTimeZone } from "../../../src/platform/db/time-zone.ts";
import { aStoredSubscription } from "../../subscriptions/support.ts";
import { call } from "../../support/call.ts";
import { oncePerFile } from "../../support/callers.ts";
import { boughtGiftCards } from "../../support/gift-cards.ts";
import { money } from "../../support/money.ts";
import { asAdministrator } from "../../support/settings.ts";
import { ADDRESS, aProduct, aUser, db, onPurpose, orderOf } from "../../support/shop.ts";
import { type AdminEndpoints, endpoints } from "./endpoint.ts";

type Order = { id: number; items: { id: number }[] };

/** A paid order that has not been shipped. */
async function aPaidOrder(): Promise<Order> {
  const [buyer, product] = [await aUser({ wallet: 10_000 }), await aProduct()];
  return (await call("POST /orders", { as: buyer.token, body: orderOf(product, 3) })).body.data;
}

const unitsOf = ({ items }: Order, quantity = 1) => items.map(({ id }) => ({ id, quantity }));

/** Sends a write as an administrator, and returns the data of the response. */
const write = async (line: string, body: object = {}) =>
  (await call(line, { as: await asAdministrator(), body })).body.data;

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

const aDraft = async (): Promise<{ id: number }> => write("POST /admin/draft-orders", await aDraftContent());

async function aShippedOrder(): Promise<Order & { shipment: number }> {
  const order = await aPaidOrder();
  const { shipment } = await write(`POST /admin/orders/${order.id}/shipments`, { carrier: "Post" });
  return { ...order, shipment: shipment.id };
}

/** A return of all units of a shipped order. */
const aReturn = async (): Promise<{ id: number }> => write(`POST /admin/orders/${(await aShippedOrder()).id}/returns`);

async function aReceivedReturn() {
  const { id } = await aReturn();
  await write(`PUT /admin/returns/${id}`, { status: "received" });
  return { id };
}

/** A paid order of a shop whose address its invoices show. */
async function anInvoicedOrder() {
  await write("PUT /admin/shop", { address: ADDRESS });
  return aPaidOrder();
}

/** Records for routes that only read them. */
const knownDraft = oncePerFile(aDraft);
const knownOrder = oncePerFile(aPaidOrder);
const knownReturn = oncePerFile(async () => {
  const { id } = await aReceivedReturn();
  await write(`POST /admin/returns/${id}/settle`);
  return { id };
});
const knownInvoice = oncePerFile(async () => {
  const { id } = await write(`POST /admin/orders/${(await anInvoicedOrder()).id}/invoices`);
  return { id, format: "pdf" };
});

const tracking = (number: number) => ({
  tracking_number: `X ${number}`,
  tracking_url: `https://post.example/X${number}`,
});

const prices = { permission: "orders:write", also: "payments:write" } as const;

export const orders: AdminEndpoints = endpoints(
  { read: "orders:read", write: "orders:write" },
  {
    "GET /orders": { permission: "shipments:read" },
    "POST /orders": { ...prices, body: anOrderByHand, headers: onPurpose },
    "POST /orders/quote": { ...prices, body: anOrderByHand, status: 200 },
    "GET /draft-orders": {},
    "POST /draft-orders": { ...prices, body: aDraftContent, headers: onPurpose },
    "GET /draft-orders/:id": { of: knownDraft },
    "PUT /draft-orders/:id": { ...prices, of: aDraft, body: aDraftContent },
    "DELETE /draft-orders/:id": { of: aDraft },
    "POST /draft-orders/:id/send": { ...prices, of: aDraft, body: {}, headers: onPurpose, status: 200 },
    "POST /draft-orders/:id/place": { ...prices, of: aDraft, body: { paid: true }, headers: onPurpose },
    "GET /orders/:id": { of: knownOrder, permission: "shipments:read" },
    "PUT /orders/:id": {
      of: aPaidOrder,
      body: {
        status: "shipped",
        shipment: { carrier: "Post", ...tracking(1) },
        shipping_address: { ...ADDRESS, name: "Lady Lovelace" },
        note: "By the evening coach",
      },
    },
    "POST /orders/bulk-actions": {
      body: async () => ({
        ids: [(await aPaidOrder()).id],
        change: { status: "shipped", shipment: { carrier: "Royal Mail" }, note: "By the evening coach" },
      }),
    },
    "POST /orders/:id/edits": {
      ...prices,
      make: async () => {
        const order = await aPaidOrder();
        const items = unitsOf(order, 2).map((item) => ({ ...item, unit_price: 5 }));
        const { total } = await write(`POST /admin/orders/${order.id}/edits/quote`, { items });
        const change = { items, shipping_address: { ...ADDRESS, city: "Bath" }, note: "By telephone" };
        return { id: order.id, body: { ...change, expected_total: total } };
      },
      headers: onPurpose,
      status: 200,
    },
    "POST /orders/:id/edits/quote": {
      ...prices,
      make: async () => {
        const order = await aPaidOrder();
        return { id: order.id, body: { items: unitsOf(order, 2).map((item) => ({ ...item, unit_price: 5 })) } };
      },
      status: 200,
    },
    "POST /orders/:id/refunds": {
      permission: "payments:write",
      make: async () => {
        const order = await aPaidOrder();
        return { id: order.id, body: { items: unitsOf(order), restock: true, note: "Scratched" } };
      },
      headers: onPurpose,
      status: 200,
    },
    "POST /orders/:id/invoices": { of: anInvoicedOrder, body: {}, headers: onPurpose },
    "GET /invoices": {},
    "GET /invoices/:id/:format": { make: knownInvoice },
    "GET /invoices/series": {},
    "GET /reports/sales": {
      // Isolates cache the time zone. Reading it here makes every request of the sweep use the same calls.
      make: async () => {
        await readTimeZone(db);
        return {};
      },
    },
    "GET /orders/:id/notes": { of: knownOrder },
    "POST /orders/:id/notes": { of: aPaidOrder, body: { text: "Asked for a gift box" } },
    "POST /orders/:id/shipments": {
      permission: "shipments:write",
      make: async () => {
        const order = await aPaidOrder();
        return { id: order.id, body: { items: unitsOf(order), carrier: "Post", ...tracking(1) } };
      },
      headers: onPurpose,
      status: 200,
    },
    "PUT /orders/:id/shipments/:shipment": {
      permission: "shipments:write",
      make: async () => {
        const { id, shipment } = await aShippedOrder();
        return { id, shipment, body: { carrier: "Coach", ...tracking(2) } };
      },
    },
    "GET /returns": {},
    "GET /returns/:id": { of: knownReturn },
    "POST /orders/:id/returns": {
      make: async () => {
        const order = await aShippedOrder();
        const sent = { reason: "Too small", instructions: "Mill Lane 12", label_url: "https://labels.example/1" };
        return { id: order.id, body: { items: unitsOf(order), ...sent } };
      },
      headers: onPurpose,
    },
    "PUT /returns/:id": { of: aReturn, body: { status: "in_transit", carrier: "Post", ...tracking(1) } },
    "POST /returns/:id/settle": {
      permission: "payments:write",
      of: aReceivedReturn,
      body: { deduction: 1, shipping: false, note: "Worn" },
      headers: onPurpose,
      status: 200,
    },
    "GET /transactions": {},
    "GET /gift-cards": { query: "?code_start=GIFT-0000-0000-0000&order_id=1&status=active" },
    "POST /gift-cards": {
      permission: "payments:write",
      body: { value: money(12.5), reason: "Goodwill" },
      headers: onPurpose,
    },
    "DELETE /gift-cards/:id": {
      permission: "payments:write",
      of: async () => (await boughtGiftCards()).cards[0],
    },
    "GET /subscriptions": { query: "?user_id=1&order_id=1" },
    "POST /subscriptions/:id/cancel": { of: aStoredSubscription, body: { at_period_end: false }, status: 200 },
  },
);
