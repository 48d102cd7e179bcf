import { exports } from "cloudflare:workers";
import { createLocalJWKSet, jwtVerify } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { call, ORIGIN, requestTo } from "../support/call.ts";
import { aRefusal, expectRefusal } from "../support/refusal.ts";
import { aKey, aProduct, settings } from "../support/shop.ts";

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

it("refuses a bad credential before it reveals which routes exist", async () => {
  for (const line of ["GET /nothing", "PATCH /products"]) expectRefusal(await call(line, { as: "nonsense" }), 401);
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
    const { body } = await call(`GET ${KEYS}`);
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
