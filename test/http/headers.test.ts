import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { type Answer, anAddress, call, ORIGIN, requestTo } from "../support/call.ts";
import { aFile, aKey, aProduct, aUser } from "../support/shop.ts";

const KEYS = `${ORIGIN}/.well-known/jwks.json`;

/** One response of every kind, by what it contains. */
const answers: Record<string, [status: number, ask: () => Promise<Answer>]> = {
  "a list": [200, async () => call("GET /products", { as: (await aKey()).key })],
  "a product, from what is kept": [
    200,
    async () => {
      const [{ key }, { id }] = [await aKey(), await aProduct()];
      const ask = () => call(`GET /products/${id}`, { as: key, headers: { "x-d1-bookmark": "" } });
      await ask();
      return ask();
    },
  ],
  "a file's bytes": [
    200,
    async () => {
      const file = await aFile({ content: "x".repeat(70_000) });
      const { body } = await call(`GET /download-file?file_id=${file.id}`);
      return call(`GET ${body.data.url}`);
    },
  ],
  "what was created": [
    201,
    async () => call("POST /cart", { as: (await aUser()).token, body: { product_id: (await aProduct()).id } }),
  ],
  "what was deleted": [204, async () => call("DELETE /cart", { as: (await aUser()).token })],
  "a file's text": [200, async () => call(`GET /download-file?file_id=${(await aFile()).id}`)],
  "a profile": [200, async () => call("GET /account/profile", { as: (await aUser()).token })],
  "a bad request": [400, async () => call("GET /products?page=0", { as: (await aKey()).key })],
  "a malformed body": [400, () => call("POST /auth/login", { body: "{" })],
  "no credential": [401, () => call("GET /cart")],
  "a bad credential": [401, () => call("GET /products", { as: "nonsense" })],
  "a missing permission": [403, async () => call("GET /cart", { as: (await aKey({ permissions: [] })).key })],
  "a bad link": [403, () => call("GET /downloads?token=none")],
  "a missing product": [404, async () => call("GET /products/999999", { as: (await aKey()).key })],
  "an unknown address": [404, () => call("GET /nothing")],
  "a wrong method": [405, () => call("PATCH /products")],
  "a body of another type": [
    415,
    () => call("POST /auth/login", { body: "a=1", headers: { "Content-Type": "text/plain" } }),
  ],
  "too large a body": [413, () => call("POST /auth/login", { body: " ".repeat(1024 * 1024 + 1) })],
  "one request too many": [
    429,
    async () => {
      const headers = { "CF-Connecting-IP": anAddress() };
      const ask = () => call("POST /auth/login", { body: {}, headers });
      const all = await Promise.all(Array.from({ length: 21 }, ask));
      return all.find(({ status }) => status === 429) ?? (await ask());
    },
  ],
  "the service's health": [200, () => call(`GET ${ORIGIN}/health`)],
  "the public keys": [200, () => call(`GET ${KEYS}`)],
};

const namesIn = (header: string | null) => header?.toLowerCase().split(/,\s*/) ?? [];
const lower = (names: string[]) => names.map((name) => name.toLowerCase());

describe.each(Object.entries(answers))("%s", (_, [expected, ask]) => {
  it("has the headers of every response", async () => {
    const { status, headers } = await ask();
    expect(status).toBe(expected);
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
    expect(headers.get("Access-Control-Expose-Headers")).toBe("*");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Content-Security-Policy")).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get("Strict-Transport-Security")).toMatch(/^max-age=\d{7,}$/);
    expect(headers.get("X-Request-Id")).toMatch(/^[\w-]{36}$/);
    expect(headers.get("X-Powered-By")).toBeNull();
    expect(headers.get("Set-Cookie")).toBeNull();
  });

  it("is stored by no shared cache, unless it is public", async () => {
    const { headers } = await ask();
    if (ask === answers["the public keys"]?.[1]) expect(headers.get("Cache-Control")).toMatch(/^public, max-age=\d+$/);
    else expect(headers.get("Cache-Control")).toMatch(/no-store|private/);
  });
});

describe("a preflight", () => {
  const preflight = (line: string, method: string, headers: string) =>
    exports.default.fetch(
      requestTo(line, {
        headers: {
          Origin: "https://storefront.test",
          "Access-Control-Request-Method": method,
          "Access-Control-Request-Headers": headers,
        },
      }),
    );
  const read = ["Authorization", "Content-Type", "If-None-Match", "If-Range", "Range", "X-Cart-Token", "X-Request-Id"];
  /** Headers that proxies and tracing tools add to the requests of a page. */
  const added = ["Cache-Control", "X-Requested-With", "traceparent", "tracestate", "baggage", "sentry-trace"];

  it.each(["/products", "/orders", "/cart/items/1", "/downloads?token=x"])(
    "allows every origin, method and header that the API reads on %s",
    async (path) => {
      const { status, headers } = await preflight(`OPTIONS ${path}`, "PUT", "authorization,content-type");
      expect(status).toBe(204);
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
      const methods = namesIn(headers.get("Access-Control-Allow-Methods"));
      expect(methods).toEqual(expect.arrayContaining(["get", "head", "post", "put", "delete"]));
      expect(namesIn(headers.get("Access-Control-Allow-Headers"))).toEqual(
        expect.arrayContaining(lower([...read, ...added])),
      );
      expect(Number(headers.get("Access-Control-Max-Age"))).toBeGreaterThan(0);
      expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
    },
  );

  it("allows the headers of clients of the Model Context Protocol, which some pages are", async () => {
    const { headers } = await preflight("OPTIONS https://shop.test/mcp/admin", "POST", "mcp-protocol-version");
    expect(namesIn(headers.get("Access-Control-Allow-Headers"))).toEqual(
      expect.arrayContaining(["mcp-protocol-version", "mcp-method", "mcp-name"]),
    );
  });

  it("does not count against a caller's quota and needs no credential", async () => {
    const { key } = await aKey();
    await preflight("OPTIONS /cart", "GET", "authorization");
    expect((await call("GET /cart", { as: key })).headers.get("X-RateLimit-Remaining")).toBe("99");
  });
});

describe("X-Request-Id", () => {
  const idOf = async (sent: string) =>
    (await call("GET /files", { headers: { "X-Request-Id": sent } })).headers.get("X-Request-Id");

  it.each(["checkout-42", "0f8fad5b-d9cb-469f-a165-70867728950e", "A_b-9=", "x".repeat(255)])(
    "is kept if it is %s",
    async (id) => expect(await idOf(id)).toBe(id),
  );

  it.each(["", "two words", "a,b", "a;b", '{"level":"error"}', "<script>", "../x", "x".repeat(256), "x".repeat(8192)])(
    "is replaced if it is %s",
    async (id) => expect(await idOf(id)).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
  );

  it("differs from request to request", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => call("GET /nothing")));
    expect(new Set(ids.map(({ headers }) => headers.get("X-Request-Id"))).size).toBe(20);
  });
});

describe("the rate limit", () => {
  it.each<[number, string]>([
    [200, "GET /cart"],
    [204, "DELETE /cart"],
    [400, "GET /cart?x=1 with a bad X-Cart-Token"],
    [400, "GET /files?page=0"],
    [403, "GET /products"],
    [404, "GET /nothing"],
    [404, "DELETE /cart/items/999"],
    [405, "PATCH /cart"],
    [415, "POST /cart as text"],
  ])("is included with a %i (%s)", async (expected, line) => {
    const { key } = await aKey({ permissions: ["carts:read", "carts:write", "files:read"] });
    const { status, headers } = await call(line.split(" ").slice(0, 2).join(" "), {
      as: key,
      ...(expected === 415 && { body: "text", headers: { "Content-Type": "text/plain" } }),
      ...(line.endsWith("X-Cart-Token") && { headers: { "X-Cart-Token": "bad" } }),
    });
    expect(status).toBe(expected);
    expect(headers.get("RateLimit-Policy")).toBe('"standard";q=100;w=60');
    expect(headers.get("RateLimit")).toBe('"standard";r=99;t=60');
    expect(headers.get("X-RateLimit-Limit")).toBe("100");
    expect(headers.get("X-RateLimit-Remaining")).toBe("99");
    expect(headers.get("X-RateLimit-Reset")).toMatch(/^\d{10}$/);
    expect(headers.get("Retry-After")).toBeNull();
  });

  it("is not included for callers who are not counted", async () => {
    for (const answer of [
      await call("GET /cart"),
      await call("GET /cart", { as: "nonsense" }),
      await call(`GET ${KEYS}`),
    ]) {
      expect([...answer.headers.keys()].filter((name) => name.includes("ratelimit"))).toEqual([]);
    }
  });
});
