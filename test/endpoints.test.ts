import { beforeAll, describe, expect, it } from "vitest";
import { app } from "../src/app.ts";
import { type Permission, permissions, permits } from "../src/platform/auth/roles.ts";
import { call } from "./support/call.ts";
import { shared } from "./support/callers.ts";
import { documentedPermissions } from "./support/documented-permissions.ts";
import { aRefusal } from "./support/refusal.ts";
import { ADDRESS, aFile, aKey, aProduct, aUser, orderOf } from "./support/shop.ts";

/**
 * Status without a credential; the permission that an API key needs, or null if no key may call the route; statuses with
 * a key that holds the permission, and with a user token; and a valid body.
 */
type Endpoint = [anonymous: number, permission: Permission | null, key: number, user: number, body?: () => unknown];

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
const noLink = () => ({ token: "none" });

/** Paths that exist, for routes whose pattern does not tell one. */
const paths: Record<string, () => string> = {
  "GET /products/:id": () => `/products/${product.id}`,
  "GET /download-file": () => `/download-file?file_id=${file.id}`,
  "GET /downloads": () => "/downloads?token=none",
  "DELETE /account/sessions/:id": () => `/account/sessions/${crypto.randomUUID()}`,
};

const pathOf = (line: string): string =>
  paths[line]?.() ??
  String(line.split(" ")[1])
    .replace(/:(id|orderId)\b/, "999")
    .replace(":format", "pdf")
    .replace(":slug", "imprint");

/**
 * The contract: exactly these routes exist, with exactly these callers. The OpenAPI document names the same
 * permissions.
 */
const endpoints: Record<string, Endpoint> = {
  "GET /products": [401, "products:read", 200, 200],
  "GET /products/:id": [401, "products:read", 200, 200],
  "GET /categories": [401, "products:read", 200, 200],
  "GET /pages": [401, "products:read", 200, 200],
  "GET /pages/:slug": [401, "products:read", 404, 404],
  "POST /orders": [401, "checkout:write", 201, 201, order("paypal")],
  "POST /checkout/quote": [401, "checkout:write", 200, 200, quoted],
  "GET /account/orders": [401, "checkout:read", 200, 200],
  "GET /account/orders/:orderId": [401, "checkout:read", 404, 404],
  "POST /account/orders/:orderId/cancel": [401, "checkout:write", 404, 404],
  "GET /account/subscriptions": [401, "checkout:read", 200, 200],
  "POST /account/subscriptions/:id/cancel": [401, "checkout:write", 404, 404],
  "POST /account/subscriptions/:id/portal": [401, "checkout:write", 404, 404],
  "GET /account/invoices": [401, "checkout:read", 200, 200],
  "GET /account/invoices/:id/:format": [401, "checkout:read", 404, 404],
  "GET /account/returns": [401, "checkout:read", 200, 200],
  "POST /account/orders/:orderId/returns": [401, "checkout:write", 404, 404, () => ({})],
  // Shops without a home country do not offer withdrawal.
  "POST /withdrawals": [
    404,
    "checkout:write",
    404,
    404,
    () => ({ name: "Ada", email: "ada@endpoints.test", order: "#1" }),
  ],
  "POST /orders/link": [404, "checkout:read", 404, 404, noLink],
  "POST /orders/link/rotate": [404, "checkout:read", 404, 404, noLink],
  "POST /orders/link/downloads": [404, "checkout:read", 404, 404, () => ({ ...noLink(), file_id: 1 })],
  "GET /account/packages": [401, null, 403, 200],
  "GET /account/license-keys": [401, "checkout:read", 200, 200],
  "POST /licenses/activate": [200, "checkout:read", 200, 200, () => ({ license_key: "none", instance_name: "Laptop" })],
  "POST /licenses/validate": [200, "checkout:read", 200, 200, () => ({ license_key: "none" })],
  "POST /licenses/deactivate": [200, "checkout:read", 200, 200, () => ({ license_key: "none", instance_id: "none" })],
  "GET /account/gift-cards": [401, "checkout:read", 200, 200],
  "POST /account/gift-cards/redeem": [401, null, 403, 400, () => ({ code: "none" })],
  "GET /account/transactions": [401, "checkout:read", 200, 200],
  "POST /auth/signup": [201, "sessions:write", 201, 201, signup],
  // A failed login is 401 too, but not because a credential is missing.
  "POST /auth/login": [401, "sessions:write", 401, 401, () => noLogin],
  "POST /auth/login/two-factor": [401, "sessions:write", 401, 401, () => ({ challenge: "none", code: "123456" })],
  "POST /auth/reauthenticate": [401, null, 403, 409, () => ({ code: "123456" })],
  "POST /auth/refresh": [401, "sessions:write", 401, 401, () => ({ refresh_token: "none" })],
  "POST /auth/logout": [204, "sessions:write", 204, 204, () => ({ refresh_token: "none" })],
  "POST /auth/forgot-password": [
    200,
    "sessions:write",
    200,
    200,
    () => ({ email: `${crypto.randomUUID()}@shop.test` }),
  ],
  "POST /auth/reset-password": [
    400,
    "sessions:write",
    400,
    400,
    () => ({ token: "none", password: "a password for nobody" }),
  ],
  "POST /auth/verify-email": [400, "sessions:write", 400, 400, noLink],
  "POST /auth/revert-email": [400, "sessions:write", 400, 400, noLink],
  "POST /auth/verify-email/resend": [401, null, 403, 200],
  "GET /account/profile": [401, null, 403, 200],
  "PUT /account/profile": [401, null, 403, 200, () => ({ name: "Renamed" })],
  "GET /account/addresses": [401, null, 403, 200],
  "POST /account/addresses": [401, null, 403, 201, () => ADDRESS],
  "GET /account/addresses/:id": [401, null, 403, 404],
  "PUT /account/addresses/:id": [401, null, 403, 404, () => ({ city: "Bath" })],
  "DELETE /account/addresses/:id": [401, null, 403, 404],
  "GET /account/sessions": [401, null, 403, 200],
  "DELETE /account/sessions": [401, null, 403, 204],
  "DELETE /account/sessions/:id": [401, null, 403, 404],
  "GET /account/export": [401, null, 403, 200],
  "DELETE /account": [401, null, 403, 400, () => ({ current_password: "" })],
  "POST /account/restore": [401, null, 403, 200],
  "GET /account/two-factor": [401, null, 403, 200],
  // The body is empty because the account has no password.
  "POST /account/two-factor": [401, null, 403, 400, () => ({})],
  ...Object.fromEntries(
    ["confirm", "recovery-codes", "disable"].map((step) => [
      `POST /account/two-factor/${step}`,
      [401, null, 403, 409, () => ({ code: "123456" })] satisfies Endpoint,
    ]),
  ),
  "GET /files": [200, "files:read", 200, 200],
  "GET /download-file": [200, "files:read", 200, 200],
  "GET /downloads": [403, "files:read", 403, 403],
  "GET /cart": [401, "carts:read", 200, 200],
  "POST /cart": [401, "carts:write", 201, 201, () => ({ product_id: product.id })],
  "DELETE /cart": [401, "carts:write", 204, 204],
  "PUT /cart/items/:id": [401, "carts:write", 404, 404, () => ({ quantity: 1 })],
  "DELETE /cart/items/:id": [401, "carts:write", 404, 404],
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
  const permissionOf = Object.entries(endpoints).map(([line, [, permission]]) => [line, permission]);
  expect(documentedPermissions("/api/v1/user")).toEqual(Object.fromEntries(permissionOf));
});

const keys = new Map<string, () => ReturnType<typeof aKey>>();

/** A key with these permissions, which the routes share. */
function aKeyWith(granted: string[]) {
  const name = granted.join();
  const known = keys.get(name) ?? shared(() => aKey({ permissions: granted }));
  keys.set(name, known);
  return known();
}

describe.each(Object.entries(endpoints))("%s", (line, [anonymous, permission, key, user, body]) => {
  const ask = (as?: string) => call(`${line.split(" ")[0]} ${pathOf(line)}`, { as, body: body?.() });
  const granted = permission === null ? permissions : [permission];

  it("answers without a credential", async () => {
    const { status, headers } = await ask();
    expect(status).toBe(anonymous);
    if (permission === null) expect(headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
  });

  it("refuses an API key with every permission except the required one", async () => {
    const others = permissions.filter((each) => permission === null || !permits([each], permission));
    const { status, body: answer } = await ask((await aKeyWith(others)).key);
    expect(status).toBe(403);
    if (permission) expect(answer.message).toContain(permission);
  });

  it("accepts an API key with only that permission", async () => {
    expect((await ask((await aKeyWith(granted)).key)).status).toBe(key);
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
