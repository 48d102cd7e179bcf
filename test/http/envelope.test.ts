import { exports } from "cloudflare:workers";
import { createLocalJWKSet, jwtVerify } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { paymentMethods } from "../../src/domain/payment-methods.ts";
import { call, ORIGIN, requestTo } from "../support/call.ts";
import { aRefusal, expectRefusal } from "../support/refusal.ts";
import { aKey, aProduct, aUser, orderOf, settings } from "../support/shop.ts";

let key: string;
let product: { id: number };

beforeAll(async () => {
  ({ key } = await aKey({ tier: "premium" }));
  product = await aProduct();
});

const KEYS = `${ORIGIN}/.well-known/jwks.json`;
const url = (path: string) => `${ORIGIN}${path}`;

it.each([
  "/api",
  "/api/v1",
  "/api/v1/user",
  "/api/v1/user/nothing",
  "/api/v1/user/products/1/reviews",
  "/api/v1/user/Products",
  "/api/v2/user/products",
  "/api/v1/user/%E0%A4%A",
  "/api/v1/user/../../etc/passwd",
  "/.env",
  "/favicon.ico",
  "/health/more",
])("answers 404 in the envelope for %s, with a credential and without", async (path) => {
  for (const as of [undefined, key]) {
    const { status, body, headers } = await call(`GET ${url(path)}`, { as });
    expect([status, body]).toEqual([404, aRefusal("not_found")]);
    expect(headers.get("Content-Type")).toContain("application/json");
  }
});

it.each([
  ["PATCH", "/api/v1/user/products", "GET, HEAD"],
  ["POST", "/api/v1/user/products", "GET, HEAD"],
  ["DELETE", "/api/v1/user/products/1", "GET, HEAD"],
  ["GET", "/api/v1/user/orders", "POST"],
  ["HEAD", "/api/v1/user/orders", "POST"],
  ["PUT", "/api/v1/user/account/orders", "GET, HEAD"],
  ["DELETE", "/api/v1/user/account/orders/1", "GET, HEAD"],
  ["GET", "/api/v1/user/auth/login", "POST"],
  ["PATCH", "/api/v1/user/account/profile", "GET, HEAD, PUT"],
  ["PATCH", "/api/v1/user/cart", "DELETE, GET, HEAD, POST"],
  ["GET", "/api/v1/user/cart/items/1", "DELETE, PUT"],
  ["POST", "/health", "GET, HEAD"],
  ["DELETE", "/.well-known/jwks.json", "GET, HEAD"],
])("answers 405 to %s %s, and Allow says %s", async (method, path, allowed) => {
  for (const as of [undefined, key]) {
    const answer = await exports.default.fetch(requestTo(`${method} ${url(path)}`, { as }));
    expect(answer.status).toBe(405);
    expect(answer.headers.get("Allow")?.split(", ").toSorted().join(", ")).toBe(allowed);
    const body = await answer.text();
    if (method === "HEAD") expect(body).toBe("");
    else expect(JSON.parse(body)).toEqual(aRefusal("method_not_allowed"));
  }
});

it("keeps Content-Type and Allow correct if a wrong method has a body", async () => {
  const answer = await call("PATCH /cart", { as: key, body: { product_id: product.id } });
  expectRefusal(answer, 405);
  expect(answer.headers.get("Content-Type")).toContain("application/json");
});

describe("HEAD", () => {
  const varying = ["x-request-id", "ratelimit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-d1-bookmark"];
  const headersOf = ({ headers }: Response) => [...headers].filter(([name]) => !varying.includes(name));

  it.each([
    ["/api/v1/user/products", 200],
    ["/api/v1/user/products?page=2&per_page=1", 200],
    ["/api/v1/user/products/999999", 404],
    ["/api/v1/user/products?per_page=0", 400],
    ["/api/v1/user/account/orders", 200],
    ["/api/v1/user/account/profile", 403],
    ["/api/v1/user/cart", 200],
    ["/api/v1/user/files", 200],
    ["/api/v1/user/nothing", 404],
    ["/health", 200],
    ["/.well-known/jwks.json", 200],
  ])("answers %s as GET does, without a body", async (path, status) => {
    const got = await exports.default.fetch(requestTo(`GET ${url(path)}`, { as: key }));
    const head = await exports.default.fetch(requestTo(`HEAD ${url(path)}`, { as: key }));
    expect([got.status, head.status]).toEqual([status, status]);
    expect(await got.text()).not.toBe("");
    expect(await head.text()).toBe("");
    expect(headersOf(head)).toEqual(headersOf(got));
  });

  it("is refused without a credential as GET is", async () => {
    const { status, headers } = await exports.default.fetch(requestTo("HEAD /products"));
    expect([status, headers.get("WWW-Authenticate")]).toEqual([401, expect.stringMatching(/^Bearer/)]);
  });
});

it("answers /health to anybody, whatever they send", async () => {
  for (const as of [undefined, key, "nonsense"]) {
    const { status, body, headers } = await call(`GET ${url("/health")}`, { as });
    expect([status, body]).toEqual([
      200,
      {
        status: "success",
        message: expect.any(String),
        data: { version: expect.any(String), release: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
      },
    ]);
    expect(headers.get("Cache-Control")).toBe("no-store");
  }
});

describe("/.well-known/jwks.json", () => {
  it("contains only public members", async () => {
    const { body, headers } = await call(`GET ${KEYS}`);
    expect(headers.get("Cache-Control")).toMatch(/^public/);
    expect(body).toEqual({ keys: expect.any(Array) });
    for (const key of body.keys) {
      expect(key).toEqual({
        kty: "OKP",
        crv: "Ed25519",
        use: "sig",
        alg: "EdDSA",
        x: expect.stringMatching(/^[\w-]{43}$/),
        kid: expect.any(String),
      });
    }
  });

  it("is enough for a storefront to verify a shopper's token", async () => {
    const account = { email: "shopper@shop.test", password: "correct horse" };
    await call("POST /auth/signup", { body: { ...account, name: "Shopper" } });
    const { data } = (await call("POST /auth/login", { body: account })).body;
    const keys = createLocalJWKSet((await call(`GET ${KEYS}`)).body);
    const expected = { issuer: settings.tokenIssuer, audience: "storefront-api", algorithms: ["EdDSA"] };
    const { payload } = await jwtVerify(data.token, keys, expected);
    expect(payload.sub).toBe(String(data.user.id));
    expect(new Date((payload.exp ?? 0) * 1000).toISOString()).toBe(data.expires_at);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
    expect(payload.sid).toEqual(expect.any(String));
  });
});

describe("a machine-readable error", () => {
  const refusal = async (...request: Parameters<typeof call>) => {
    const { body } = await call(...request);
    return { code: body.code, details: body.details };
  };

  it("states the current price and the remaining stock, each at its field", async () => {
    const { token } = await aUser({ wallet: 100_000 });
    const product = await aProduct({ price: 1250, stock: 2 });
    const order = (quantity: number, price: number) =>
      refusal("POST /orders", {
        as: token,
        body: { ...orderOf(product), items: [{ product_id: product.id, quantity, price }] },
      });
    const price = { field: "items.0.price", code: "price_changed", price: 12.5 };
    const quantity = { field: "items.0.quantity", code: "insufficient_stock", available: 2 };
    expect(await order(1, 12)).toEqual({ code: "price_changed", details: [price] });
    expect(await order(3, 12.5)).toEqual({ code: "insufficient_stock", details: [quantity] });
    expect(await order(3, 12)).toEqual({ code: "validation_failed", details: [price, quantity] });
  });

  it("distinguishes missing from invalid fields, with the reason", async () => {
    const { key } = await aKey();
    const body = { items: [{ quantity: 0, price: 1.005, colour: "red" }], payment_method: "barter", customer: 7 };
    expect(await refusal("POST /orders", { as: key, body })).toEqual({
      code: "validation_failed",
      details: expect.arrayContaining([
        { field: "items.0.product_id", code: "required" },
        { field: "items.0.quantity", code: "too_small", limit: 1 },
        { field: "items.0.price", code: "too_precise" },
        { field: "items.0.colour", code: "unknown_field" },
        { field: "payment_method", code: "invalid_value", allowed: [...paymentMethods] },
        { field: "customer", code: "invalid_type", expected: "object" },
      ]),
    });
  });

  it("names only a field if the request as a whole is invalid", async () => {
    const { key } = await aKey();
    expect(await refusal("GET /products?per_page=101", { as: key })).toEqual({
      code: "validation_failed",
      details: [{ field: "per_page", code: "too_big", limit: 100 }],
    });
  });

  it("states the expected form of a body", async () => {
    const { key } = await aKey();
    const types = { field: "body", code: "unsupported_media_type", allowed: ["application/json"] };
    const headers = { "Content-Type": "text/plain" };
    expect(await refusal("POST /cart", { as: key, headers, body: "x" })).toMatchObject({ details: [types] });
    expect(await refusal("POST /cart", { as: key, body: "{" })).toMatchObject({ code: "invalid_json" });
    const long = { field: "body", code: "payload_too_large", limit: 1024 * 1024 };
    expect(await refusal("POST /cart", { as: key, body: { x: "x".repeat(2_000_000) } })).toMatchObject({
      details: [long],
    });
  });
});
