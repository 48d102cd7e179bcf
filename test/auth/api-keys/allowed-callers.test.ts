import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiKeyHome } from "../../../src/platform/auth/api-keys/home.ts";
import { findApiKey } from "../../../src/platform/auth/api-keys/key-record.ts";
import { connect } from "../../../src/platform/db/client.ts";
import { call, callWith, ORIGIN } from "../../support/call.ts";
import { counted } from "../../support/counting.ts";
import { failing, fault } from "../../support/faults.ts";
import { limiterOf } from "../../support/limiters.ts";
import { orderNow, pay } from "../../support/orders.ts";
import { aRefusal } from "../../support/refusal.ts";
import { aKey, aProduct, aUser, orderOf } from "../../support/shop.ts";

const [OFFICE, ELSEWHERE] = ["203.0.113.7", "198.51.100.7"];
const LINE = "GET /products";

const SHOP = "https://shop.example";

const from = (address: string, as: string, line = LINE, headers = {}) =>
  call(line, { as, headers: { "CF-Connecting-IP": address, ...headers } });

const usesOf = async (start: string) => {
  const minutes = await limiterOf(start).lastHour();
  return minutes.reduce((sum, { admitted, refused }) => sum + admitted + refused, 0);
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a key with allowed addresses", () => {
  it("works from these and is refused from all others, without revealing the list", async () => {
    const { key } = await aKey({ allowedAddresses: [OFFICE, "2001:db8::/32"] });
    for (const address of [OFFICE, `::ffff:${OFFICE}`, "2001:db8:1::1"]) {
      expect((await from(address, key)).status, address).toBe(200);
    }
    for (const address of [ELSEWHERE, `::ffff:${ELSEWHERE}`, "2001:db9::1", "unknown"]) {
      const { status, headers, body } = await from(address, key);
      expect([address, status]).toEqual([address, 403]);
      expect(body).toEqual(aRefusal("address_not_allowed", "The API key may not be used from this address"));
      expect(headers.get("Cache-Control")).toBe("no-store");
    }
  });

  it("is checked by its connection, not by the address its server passes on", async () => {
    const { key } = await aKey({ allowedAddresses: [OFFICE] });
    const forwarded = { "X-Client-Address": OFFICE, "X-Forwarded-For": OFFICE, "X-Real-IP": OFFICE };
    expect((await from(ELSEWHERE, key, LINE, forwarded)).status).toBe(403);
    expect((await from(OFFICE, key, LINE, { "X-Client-Address": ELSEWHERE })).status).toBe(200);
  });

  it("is refused on every route, including those that need no credential", async () => {
    const { key } = await aKey({ allowedAddresses: [OFFICE] });
    for (const line of ["GET /files", "POST /orders", "GET /admin/orders", "GET /nothing"]) {
      expect((await from(ELSEWHERE, key, line, {})).status, line).toBe(403);
    }
  });

  it("loses none of its requests to a stranger, whose address is limited", async () => {
    const { key, start } = await aKey({ allowedAddresses: [OFFICE] });
    const answers = [];
    for (let count = 0; count < 21; count++) answers.push((await from("198.51.100.21", key)).status);
    expect(answers).toEqual([...Array(20).fill(403), 429]);
    expect(await usesOf(start)).toBe(0);
    expect((await from(OFFICE, key)).headers.get("X-RateLimit-Remaining")).toBe("99");
  });

  it("takes one call and reads one row like any other key, and nothing when cached", async () => {
    const asks = vi.spyOn(ApiKeyHome.prototype, "ask");
    const allowedAddresses = Array.from({ length: 50 }, (_, index) => `203.0.113.${index}`);
    const { key, start } = await aKey({ allowedAddresses });
    for (const _ of ["first", "second"]) {
      const { bindings, trips } = counted();
      await callWith(bindings, "GET /nothing", { as: key, headers: { "CF-Connecting-IP": OFFICE } });
      expect(trips).toEqual({ d1: 0, durableObjects: 1, r2: 0 });
    }
    expect(asks).toHaveBeenCalledTimes(1);
    const { bindings, trips, work } = counted();
    await findApiKey(connect(bindings.DB), start);
    expect([trips.d1, work]).toEqual([1, { statements: 1, rowsRead: 1, rowsWritten: 0 }]);
  });

  it("keeps its list when it is rotated, also for the old value, and loses it only by an edit", async () => {
    const [{ id, key }, { token }] = [await aKey({ allowedAddresses: [OFFICE] }), await aUser({ role: "admin" })];
    const { body } = await call(`POST /admin/api-keys/${id}/rotate`, { as: token, body: { grace_seconds: 60 } });
    expect(body.data.allowed_addresses).toEqual([OFFICE]);
    for (const value of [key, body.data.key]) {
      expect((await from(OFFICE, value)).status).toBe(200);
      expect((await from(ELSEWHERE, value)).status).toBe(403);
    }
    expect((await call(`PUT /admin/api-keys/${id}`, { as: token, body: { name: "Renamed" } })).status).toBe(200);
    expect((await from(ELSEWHERE, body.data.key)).status).toBe(403);
    await call(`PUT /admin/api-keys/${id}`, { as: token, body: { allowed_addresses: [] } });
    expect((await from(ELSEWHERE, body.data.key)).status).toBe(200);
  });

  it("works at once from an address added after a refusal, in each region", async () => {
    const [{ id, key }, { token }] = [await aKey({ allowedAddresses: [OFFICE] }), await aUser({ role: "admin" })];
    const everywhere = [{ continent: "EU" }, { continent: "OC" }];
    const ask = () =>
      Promise.all(everywhere.map((cf) => call(LINE, { as: key, cf, headers: { "CF-Connecting-IP": ELSEWHERE } })));
    expect((await ask()).map(({ status }) => status)).toEqual([403, 403]);
    const body = { allowed_addresses: [OFFICE, ELSEWHERE] };
    expect((await call(`PUT /admin/api-keys/${id}`, { as: token, body })).status).toBe(200);
    expect((await ask()).map(({ status }) => status)).toEqual([200, 200]);
  });

  it("is restricted to its list while its limiter is down", async () => {
    const { key } = await aKey({ allowedAddresses: [OFFICE] });
    const { namespace } = failing(env.API_KEY_LIMITER, [fault()]);
    const without = (address: string) =>
      callWith({ API_KEY_LIMITER: namespace }, LINE, { as: key, headers: { "CF-Connecting-IP": address } });
    expect((await without(ELSEWHERE)).status).toBe(403);
    expect((await without(OFFICE)).status).toBe(200);
  });
});

describe("a key with allowed origins", () => {
  const ofPage = (as: string, headers: Record<string, string>, line = LINE) => call(line, { as, headers });

  it("works for their pages, and for nobody else", async () => {
    const { key } = await aKey({ allowedOrigins: [SHOP, "https://*.shop.example"] });
    for (const Origin of [SHOP, "https://nl.shop.example"]) {
      expect((await ofPage(key, { Origin })).status, Origin).toBe(200);
    }
    const strangers = ["https://evil.example", "http://shop.example", `${SHOP}:8443`, "null", `${SHOP}.evil.example`];
    for (const headers of [{}, ...strangers.map((Origin) => ({ Origin }))]) {
      const { status, body } = await ofPage(key, headers);
      expect([headers, status, body.code]).toEqual([headers, 403, "origin_not_allowed"]);
    }
  });

  it("works for reads from a page's own origin, which browsers send without Origin", async () => {
    const { key } = await aKey({ allowedOrigins: [ORIGIN] });
    expect((await ofPage(key, { "Sec-Fetch-Site": "same-origin" })).status).toBe(200);
    expect((await ofPage(key, { Referer: `${ORIGIN}/basket?id=1` })).status).toBe(200);
    expect((await ofPage(key, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
    expect((await ofPage(key, { "Sec-Fetch-Site": "none", Referer: "about:client" })).status).toBe(403);
    expect((await ofPage(key, { Origin: "https://evil.example", Referer: `${ORIGIN}/` })).status).toBe(403);
    expect((await ofPage(key, { Origin: "https://evil.example", "Sec-Fetch-Site": "same-origin" })).status).toBe(403);
  });

  it("shows and cancels no guest's order, because every visitor of the page has the key", async () => {
    const permissions = ["checkout:read", "checkout:write"];
    const { key } = await aKey({ allowedOrigins: [SHOP], permissions });
    const visitor = (line: string, body?: unknown) => call(line, { as: key, headers: { Origin: SHOP }, body });
    const guest = { customer: { email: "guest@example.test", name: "Greta Guest" }, payment_method: "paypal" };
    const placed = await visitor("POST /orders", orderOf(await aProduct(), 1, guest));
    expect(placed.status).toBe(201);
    const order = `/account/orders/${placed.body.data.id}`;
    expect((await visitor(`GET ${order}`)).status).toBe(404);
    expect((await visitor(`POST ${order}/cancel`, {})).status).toBe(404);
    await pay(placed.body.data.id);
    for (const list of ["orders", "transactions"]) {
      expect((await visitor(`GET /account/${list}`)).body.data, list).toEqual([]);
    }
    expect((await orderNow(placed.body.data.id))?.status).toBe("processing");
  });

  it("follows a preflight that any page may make, and the page can read a refusal", async () => {
    const { key } = await aKey({ allowedOrigins: [SHOP] });
    const Origin = "https://evil.example";
    const asked = { "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization" };
    const preflight = await call("OPTIONS /products", { headers: { Origin, ...asked } });
    expect([preflight.status, preflight.headers.get("Access-Control-Allow-Origin")]).toEqual([204, "*"]);
    const { status, headers } = await ofPage(key, { Origin });
    expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([403, "*"]);
    expect(headers.get("Cache-Control")).toBe("no-store");
  });

  it("is refused a cached catalogue response that another page may have", async () => {
    const { key } = await aKey({ allowedOrigins: [SHOP] });
    const { status, headers } = await ofPage(key, { Origin: SHOP });
    expect([status, headers.get("Cache-Control")]).toEqual([200, "private, no-cache"]);
    const ETag = headers.get("ETag") ?? "";
    expect((await ofPage(key, { Origin: SHOP, "If-None-Match": ETag })).status).toBe(304);
    expect((await ofPage(key, { Origin: "https://evil.example", "If-None-Match": ETag })).status).toBe(403);
  });

  it("cannot pass on shoppers' addresses, because everybody who opens the page has the key", async () => {
    const { key } = await aKey({ allowedOrigins: [SHOP], permissions: ["sessions:write"] });
    const statuses = [];
    for (let count = 0; count < 21; count++) {
      const headers = { Origin: SHOP, "CF-Connecting-IP": "198.51.100.99", "X-Client-Address": `203.0.113.${count}` };
      const body = { email: `nobody${count}@shop.example`, password: "wrong password" };
      statuses.push((await call("POST /auth/login", { as: key, headers, body })).status);
    }
    expect(statuses).toEqual([...Array(20).fill(401), 429]);
  });

  it("is also restricted to its addresses", async () => {
    const { key } = await aKey({ allowedOrigins: [SHOP], allowedAddresses: [OFFICE] });
    expect((await from(OFFICE, key, LINE, { Origin: SHOP })).status).toBe(200);
    expect((await from(ELSEWHERE, key, LINE, { Origin: SHOP })).body.code).toBe("address_not_allowed");
    expect((await from(OFFICE, key)).body.code).toBe("origin_not_allowed");
  });
});
