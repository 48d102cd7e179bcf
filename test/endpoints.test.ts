import { beforeAll, describe, expect, it } from "vitest";
import { app } from "../src/app.ts";
import { type Permission, permissions, permits } from "../src/platform/auth/roles.ts";
import { call } from "./support/call.ts";
import { documentedPermissions } from "./support/documented-permissions.ts";
import { aRefusal } from "./support/refusal.ts";
import { ADDRESS, aFile, aKey, aProduct, aUser, orderOf } from "./support/shop.ts";

type Endpoint = {
  /** Status without a credential. */
  anonymous: number;
  /** The permission that an API key needs. Null if no key may call the route. */
  permission: Permission | null;
  /** Statuses with a key that holds the permission, and with a user token. */
  key: number;
  user: number;
  /** An existing path and a valid body, for routes whose pattern alone is not enough. */
  path?: () => string;
  body?: () => unknown;
};

let product: { id: number; price: number };
let file: { id: number };
let signups = 0;

beforeAll(async () => {
  product = await aProduct();
  file = await aFile();
});

const order = (method: string) => () => orderOf(product, 1, { payment_method: method });
const quoted = () => ({ items: [{ product_id: product.id, quantity: 1 }] });
const signup = () => ({ email: `new-${++signups}@shop.test`, password: "long enough", name: "New" });
const noLogin = { email: "nobody@shop.test", password: "wrong password" };
const noAddress = () => "/account/addresses/999";
const noLink = () => ({ token: "none" });

/**
 * The contract: exactly these routes exist, with exactly these callers. The OpenAPI document names the same
 * permissions.
 */
const endpoints: Record<string, Endpoint> = {
  "GET /products": { anonymous: 401, permission: "products:read", key: 200, user: 200 },
  "GET /products/:id": {
    anonymous: 401,
    permission: "products:read",
    key: 200,
    user: 200,
    path: () => `/products/${product.id}`,
  },
  "GET /categories": { anonymous: 401, permission: "products:read", key: 200, user: 200 },
  "GET /pages": { anonymous: 401, permission: "products:read", key: 200, user: 200 },
  "GET /pages/:slug": {
    anonymous: 401,
    permission: "products:read",
    key: 404,
    user: 404,
    path: () => "/pages/imprint",
  },
  "POST /orders": { anonymous: 401, permission: "checkout:write", key: 201, user: 201, body: order("paypal") },
  "POST /checkout/quote": { anonymous: 401, permission: "checkout:write", key: 200, user: 200, body: quoted },
  "GET /account/orders": { anonymous: 401, permission: "checkout:read", key: 200, user: 200 },
  "GET /account/orders/:orderId": {
    anonymous: 401,
    permission: "checkout:read",
    key: 404,
    user: 404,
    path: () => "/account/orders/999",
  },
  "POST /account/orders/:orderId/cancel": {
    anonymous: 401,
    permission: "checkout:write",
    key: 404,
    user: 404,
    path: () => "/account/orders/999/cancel",
  },
  "GET /account/subscriptions": { anonymous: 401, permission: "checkout:read", key: 200, user: 200 },
  "POST /account/subscriptions/:id/cancel": {
    anonymous: 401,
    permission: "checkout:write",
    key: 404,
    user: 404,
    path: () => "/account/subscriptions/999/cancel",
  },
  "POST /account/subscriptions/:id/portal": {
    anonymous: 401,
    permission: "checkout:write",
    key: 404,
    user: 404,
    path: () => "/account/subscriptions/999/portal",
  },
  "GET /account/invoices": { anonymous: 401, permission: "checkout:read", key: 200, user: 200 },
  "GET /account/invoices/:id/:format": {
    anonymous: 401,
    permission: "checkout:read",
    key: 404,
    user: 404,
    path: () => "/account/invoices/999/pdf",
  },
  "GET /account/returns": { anonymous: 401, permission: "checkout:read", key: 200, user: 200 },
  "POST /account/orders/:orderId/returns": {
    anonymous: 401,
    permission: "checkout:write",
    key: 404,
    user: 404,
    path: () => "/account/orders/999/returns",
    body: () => ({}),
  },
  // Shops without a home country do not offer withdrawal.
  "POST /withdrawals": {
    anonymous: 404,
    permission: "checkout:write",
    key: 404,
    user: 404,
    body: () => ({ name: "Ada", email: "ada@endpoints.test", order: "#1" }),
  },
  "POST /orders/link": { anonymous: 404, permission: "checkout:read", key: 404, user: 404, body: noLink },
  "POST /orders/link/rotate": { anonymous: 404, permission: "checkout:read", key: 404, user: 404, body: noLink },
  "POST /orders/link/downloads": {
    anonymous: 404,
    permission: "checkout:read",
    key: 404,
    user: 404,
    body: () => ({ ...noLink(), file_id: 1 }),
  },
  "GET /account/packages": { anonymous: 401, permission: null, key: 403, user: 200 },
  "GET /account/license-keys": { anonymous: 401, permission: "checkout:read", key: 200, user: 200 },
  "POST /licenses/activate": {
    anonymous: 200,
    permission: "checkout:read",
    key: 200,
    user: 200,
    body: () => ({ license_key: "none", instance_name: "Laptop" }),
  },
  "POST /licenses/validate": {
    anonymous: 200,
    permission: "checkout:read",
    key: 200,
    user: 200,
    body: () => ({ license_key: "none" }),
  },
  "POST /licenses/deactivate": {
    anonymous: 200,
    permission: "checkout:read",
    key: 200,
    user: 200,
    body: () => ({ license_key: "none", instance_id: "none" }),
  },
  "GET /account/gift-cards": { anonymous: 401, permission: "checkout:read", key: 200, user: 200 },
  "POST /account/gift-cards/redeem": {
    anonymous: 401,
    permission: null,
    key: 403,
    user: 400,
    body: () => ({ code: "none" }),
  },
  "GET /account/transactions": { anonymous: 401, permission: "checkout:read", key: 200, user: 200 },
  "POST /auth/signup": { anonymous: 201, permission: "sessions:write", key: 201, user: 201, body: signup },
  // A failed login is 401 too, but not because a credential is missing.
  "POST /auth/login": { anonymous: 401, permission: "sessions:write", key: 401, user: 401, body: () => noLogin },
  "POST /auth/login/two-factor": {
    anonymous: 401,
    permission: "sessions:write",
    key: 401,
    user: 401,
    body: () => ({ challenge: "none", code: "123456" }),
  },
  "POST /auth/reauthenticate": {
    anonymous: 401,
    permission: null,
    key: 403,
    user: 409,
    body: () => ({ code: "123456" }),
  },
  "POST /auth/refresh": {
    anonymous: 401,
    permission: "sessions:write",
    key: 401,
    user: 401,
    body: () => ({ refresh_token: "none" }),
  },
  "POST /auth/logout": {
    anonymous: 204,
    permission: "sessions:write",
    key: 204,
    user: 204,
    body: () => ({ refresh_token: "none" }),
  },
  "POST /auth/forgot-password": {
    anonymous: 200,
    permission: "sessions:write",
    key: 200,
    user: 200,
    body: () => ({ email: `${crypto.randomUUID()}@shop.test` }),
  },
  "POST /auth/reset-password": {
    anonymous: 400,
    permission: "sessions:write",
    key: 400,
    user: 400,
    body: () => ({ token: "none", password: "a password for nobody" }),
  },
  "POST /auth/verify-email": { anonymous: 400, permission: "sessions:write", key: 400, user: 400, body: noLink },
  "POST /auth/revert-email": { anonymous: 400, permission: "sessions:write", key: 400, user: 400, body: noLink },
  "POST /auth/verify-email/resend": { anonymous: 401, permission: null, key: 403, user: 200 },
  "GET /account/profile": { anonymous: 401, permission: null, key: 403, user: 200 },
  "PUT /account/profile": { anonymous: 401, permission: null, key: 403, user: 200, body: () => ({ name: "Renamed" }) },
  "GET /account/addresses": { anonymous: 401, permission: null, key: 403, user: 200 },
  "POST /account/addresses": { anonymous: 401, permission: null, key: 403, user: 201, body: () => ADDRESS },
  "GET /account/addresses/:id": { anonymous: 401, permission: null, key: 403, user: 404, path: noAddress },
  "PUT /account/addresses/:id": {
    anonymous: 401,
    permission: null,
    key: 403,
    user: 404,
    path: noAddress,
    body: () => ({ city: "Bath" }),
  },
  "DELETE /account/addresses/:id": { anonymous: 401, permission: null, key: 403, user: 404, path: noAddress },
  "GET /account/sessions": { anonymous: 401, permission: null, key: 403, user: 200 },
  "DELETE /account/sessions": { anonymous: 401, permission: null, key: 403, user: 204 },
  "DELETE /account/sessions/:id": {
    anonymous: 401,
    permission: null,
    key: 403,
    user: 404,
    path: () => `/account/sessions/${crypto.randomUUID()}`,
  },
  "GET /account/export": { anonymous: 401, permission: null, key: 403, user: 200 },
  "DELETE /account": {
    anonymous: 401,
    permission: null,
    key: 403,
    user: 400,
    body: () => ({ current_password: "" }),
  },
  "POST /account/restore": { anonymous: 401, permission: null, key: 403, user: 200 },
  "GET /account/two-factor": { anonymous: 401, permission: null, key: 403, user: 200 },
  // The body is empty because the account has no password.
  "POST /account/two-factor": { anonymous: 401, permission: null, key: 403, user: 400, body: () => ({}) },
  ...Object.fromEntries(
    ["confirm", "recovery-codes", "disable"].map((step) => [
      `POST /account/two-factor/${step}`,
      { anonymous: 401, permission: null, key: 403, user: 409, body: () => ({ code: "123456" }) },
    ]),
  ),
  "GET /files": { anonymous: 200, permission: "files:read", key: 200, user: 200 },
  "GET /download-file": {
    anonymous: 200,
    permission: "files:read",
    key: 200,
    user: 200,
    path: () => `/download-file?file_id=${file.id}`,
  },
  "GET /downloads": {
    anonymous: 403,
    permission: "files:read",
    key: 403,
    user: 403,
    path: () => "/downloads?token=none",
  },
  "GET /cart": { anonymous: 401, permission: "carts:read", key: 200, user: 200 },
  "POST /cart": {
    anonymous: 401,
    permission: "carts:write",
    key: 201,
    user: 201,
    body: () => ({ product_id: product.id }),
  },
  "DELETE /cart": { anonymous: 401, permission: "carts:write", key: 204, user: 204 },
  "PUT /cart/items/:id": {
    anonymous: 401,
    permission: "carts:write",
    key: 404,
    user: 404,
    path: () => "/cart/items/999",
    body: () => ({ quantity: 1 }),
  },
  "DELETE /cart/items/:id": {
    anonymous: 401,
    permission: "carts:write",
    key: 404,
    user: 404,
    path: () => "/cart/items/999",
  },
};

it("has exactly the routes of the contract", async () => {
  const routes = (await app.routes())
    .filter(
      ({ method, path }) =>
        method !== "ALL" &&
        !/^((\/api\/v1)?\/admin|\/account|\/oauth|\/ucp|\/\.well-known\/(ucp|oauth-[a-z-]+))(\/|$)/.test(path),
    )
    .map(({ method, path }) => `${method} ${path}`);
  const contract = Object.keys(endpoints).map((line) => line.replace(" ", " /api/v1/user"));
  const beside = [
    "GET /",
    "GET /health",
    "GET /metrics",
    "GET /.well-known/jwks.json",
    "GET /feeds/:file",
    "GET /images/:name",
    "GET /docs/*",
    "POST /mcp",
    "POST /mcp/admin",
    "POST /api/v1/webhooks/:provider{stripe|paypal|test}",
  ];
  expect(new Set(routes)).toEqual(new Set([...contract, ...beside]));
});

it("is documented, route by route, with the permission that a key needs", () => {
  const permissionOf = Object.entries(endpoints).map(([line, { permission }]) => [line, permission]);
  expect(documentedPermissions("/api/v1/user")).toEqual(Object.fromEntries(permissionOf));
});

describe.each(Object.entries(endpoints))("%s", (line, { anonymous, permission, key, user, path, body }) => {
  const ask = (as?: string) => call(path ? `${line.split(" ")[0]} ${path()}` : line, { as, body: body?.() });
  const granted = permission === null ? permissions : [permission];

  it("answers without a credential", async () => {
    const { status, headers } = await ask();
    expect(status).toBe(anonymous);
    if (permission === null) expect(headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
  });

  it("refuses an API key with every permission except the required one", async () => {
    const others = permissions.filter((each) => permission === null || !permits([each], permission));
    const { status, body: answer } = await ask((await aKey({ permissions: others })).key);
    expect(status).toBe(403);
    if (permission) expect(answer.message).toContain(permission);
  });

  it("accepts an API key with only that permission", async () => {
    expect((await ask((await aKey({ permissions: granted })).key)).status).toBe(key);
  });

  it("accepts a user", async () => {
    expect((await ask((await aUser()).token)).status).toBe(user);
  });

  it.each([
    ["a forged API key", `sfk_${"x".repeat(33)}`],
    ["a forged token", "eyJhbGciOiJFZERTQSJ9.e30.AAAA"],
    ["no token at all", "nonsense"],
  ])("refuses %s", async (_, credential) => {
    const { status, headers, body: answer } = await ask(credential);
    expect(status).toBe(401);
    expect(headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
    expect(answer).toEqual(aRefusal("invalid_token"));
  });
});
