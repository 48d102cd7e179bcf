import { adminEndpoints } from "../admin/endpoints/index.ts";
import { call } from "../support/call.ts";
import { boughtGiftCards } from "../support/gift-cards.ts";
import { imageForm } from "../support/images.ts";
import { settleShop } from "../support/pricing.ts";
import { ADDRESS, aKey, aProduct, aUser, orderOf } from "../support/shop.ts";
import { aForm } from "../support/uploads.ts";

export type Sent = { path: string; as?: string; body?: unknown; headers?: Record<string, string> };

/** Returns an administrator for routes that only staff may call. */
type Administrator = () => Promise<{ token: string }>;

/** A fresh successful request, and a function that turns it into a different request. */
type IdempotentPost = { request: (anAdmin: Administrator) => Promise<Sent>; other: (sent: Sent) => Sent };

const withBody = (more: object) => (sent: Sent) => ({ ...sent, body: { ...Object(sent.body), ...more } });

/** Requests without a body differ by URL: the same key at another URL is a different request. */
const elsewhere = (sent: Sent) => ({ ...sent, path: sent.path.replace(/\d+/, (id) => String(Number(id) + 1)) });

/** A request that affects everything has no variant, so another route takes its place. */
const toCategories = (sent: Sent) => ({ ...sent, path: "/admin/categories", body: { name: "Another" } });

const form = (content: string) => (sent: Sent) => ({
  ...sent,
  body: aForm({}, { content: Uint8Array.from(Buffer.from(content)) }),
});

let made = 0;

const signup = () => ({
  email: `once-${++made}@shop.test`,
  password: "a battery of horses",
  name: "Once",
});

const shopping: Record<string, IdempotentPost> = {
  "/orders": {
    request: async () => ({
      path: "/orders",
      as: (await aUser({ wallet: 10_000 })).token,
      body: orderOf(await aProduct()),
    }),
    other: withBody({ payment_method: "paypal" }),
  },
  "/account/orders/:orderId/cancel": {
    request: async () => {
      const { token } = await aUser({ wallet: 10_000 });
      const { body } = await call("POST /orders", { as: token, body: orderOf(await aProduct()) });
      return { path: `/account/orders/${body.data.id}/cancel`, as: token };
    },
    other: elsewhere,
  },
  "/account/orders/:orderId/returns": {
    request: async () => {
      const { token } = await aUser({ wallet: 10_000 });
      const product = await aProduct({ type: "service", requiresShipping: false });
      const { body } = await call("POST /orders", { as: token, body: orderOf(product) });
      return { path: `/account/orders/${body.data.id}/returns`, as: token, body: {} };
    },
    other: withBody({ reason: "Another" }),
  },
  "/withdrawals": {
    request: async () => {
      const [user, product] = [await aUser({ wallet: 10_000 }), await aProduct()];
      await settleShop({ homeCountry: "DE" });
      const { data } = (await call("POST /orders", { as: user.token, body: orderOf(product, 2) })).body;
      const items = [{ id: data.items[0].id, quantity: 1 }];
      return { path: "/withdrawals", body: { name: "Ada", email: user.email, order: data.number, items } };
    },
    other: withBody({ name: "Another" }),
  },
  "/account/gift-cards/redeem": {
    request: async () => {
      const { user, code } = await boughtGiftCards();
      return { path: "/account/gift-cards/redeem", as: user.token, body: { code, amount: 1 } };
    },
    other: withBody({ amount: 2 }),
  },
  "/account/addresses": {
    request: async () => ({ path: "/account/addresses", as: (await aUser()).token, body: ADDRESS }),
    other: withBody({ city: "Bath" }),
  },
  "/auth/signup": {
    request: async () => ({ path: "/auth/signup", body: signup() }),
    other: withBody({ password: "another battery" }),
  },
  "/cart": {
    request: async () => ({
      path: "/cart",
      as: (await aKey()).key,
      body: { product_id: (await aProduct()).id, quantity: 2 },
    }),
    other: withBody({ quantity: 3 }),
  },
};

const others: Record<string, IdempotentPost["other"]> = {
  "/saved-views": withBody({ name: "Another" }),
  "/products/bulk-actions": withBody({ change: { price_percent: 20 } }),
  "/users/bulk-actions": withBody({ change: { add_tags: ["Other"] } }),
  "/orders/bulk-actions": withBody({ change: { payment_status: "paid" } }),
  "/products/batch": withBody({ items: [{ sku: "OTHER" }] }),
  "/products": withBody({ price: 13 }),
  "/products/:id/variants": withBody({ price: 13 }),
  "/products/:id/stock": withBody({ delta: 6 }),
  "/images": (sent) => ({ ...sent, body: imageForm() }),
  "/categories": withBody({ name: "Another" }),
  "/orders": withBody({ note: "Another" }),
  "/draft-orders": withBody({ note: "Another" }),
  "/draft-orders/:id/send": elsewhere,
  "/draft-orders/:id/place": elsewhere,
  "/orders/:id/edits": withBody({ note: "Another" }),
  "/orders/:id/refunds": withBody({ restock: false }),
  "/orders/:id/notes": withBody({ text: "Another" }),
  "/orders/:id/shipments": withBody({ carrier: "Coach" }),
  "/orders/:id/returns": withBody({ reason: "Another" }),
  "/returns/:id/settle": withBody({ note: "Another" }),
  "/users": withBody({ name: "Another" }),
  "/users/:id/invite": elsewhere,
  "/users/:id/notes": withBody({ text: "Another" }),
  "/users/:id/credit": withBody({ amount: 13 }),
  "/gift-cards": withBody({ value: 13 }),
  "/staff/invitations": withBody({ role: "viewer" }),
  "/staff/invitations/:id/resend": elsewhere,
  "/files": form("another"),
  "/files/:id/versions": form("another"),
  "/uploads": withBody({ description: "Another" }),
  "/uploads/:id/complete": elsewhere,
  "/packages": withBody({ name: "Another" }),
  "/discounts": withBody({ name: "Another" }),
  "/shipping-zones": withBody({ name: "Another" }),
  "/shipping-methods": withBody({ name: "Another" }),
  "/tax-rates": withBody({ name: "Another" }),
  "/feeds": withBody({ name: "Another" }),
  "/feeds/:id/address": elsewhere,
  "/shop/presets/eu": withBody({ home_country: "FR" }),
  "/shop/presets/us": withBody({ home_region: "CA" }),
  "/shop/presets/country": withBody({ home_country: "CH" }),
  "/api-keys": withBody({ tier: "standard" }),
  "/api-keys/:id/rotate": withBody({ grace_seconds: 61 }),
  "/imports/products": form("sku,name\nAnother,Another\n"),
  "/imports/products/:id/check": withBody({ decimal_separator: "," }),
  "/imports/products/:id/start": elsewhere,
  "/imports/customers": form("email,name\nanother@shop.test,Another\n"),
  "/imports/customers/:id/check": withBody({ decimal_separator: "," }),
  "/imports/customers/:id/start": elsewhere,
  "/backups": toCategories,
  "/jobs/:id/cancel": elsewhere,
  "/jobs/:id/undo": elsewhere,
  "/webhooks": withBody({ description: "Another" }),
  "/webhooks/:id/rotate": withBody({ grace_seconds: 61 }),
  "/webhooks/:id/test": elsewhere,
  "/webhooks/:id/deliveries/:delivery/retry": elsewhere,
  "/webhooks/:id/replay": withBody({ types: ["order.paid"] }),
};

const administration = Object.entries(others).map(([path, other]): [string, IdempotentPost] => [
  `/api/v1/admin${path}`,
  {
    request: async (anAdmin) => {
      const sent = await adminEndpoints[`POST ${path}`]?.request();
      return { ...sent, path: `/admin${sent?.path}`, as: (await anAdmin()).token };
    },
    other,
  },
]);

/** Every POST that creates or moves something, by route. */
export const idempotentPosts: Record<string, IdempotentPost> = {
  ...Object.fromEntries(Object.entries(shopping).map(([path, post]) => [`/api/v1/user${path}`, post])),
  ...Object.fromEntries(administration),
};
