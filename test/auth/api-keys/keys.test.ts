import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { mintApiKey } from "../../../src/platform/auth/api-keys/format.ts";
import { forgetApiKey } from "../../../src/platform/auth/api-keys/home.ts";
import { type Permission, resources } from "../../../src/platform/auth/roles.ts";
import { hashSecret } from "../../../src/platform/auth/secrets.ts";
import * as tables from "../../../src/platform/db/schema.ts";
import { type Answer, call, ORIGIN } from "../../support/call.ts";
import { shared } from "../../support/callers.ts";
import { LONG } from "../../support/long.ts";
import { anError, aRefusal, lacking } from "../../support/refusal.ts";
import { aKey, aProduct, db, orderOf, settings } from "../../support/shop.ts";

const MINUTE = 60_000;
const remaining = ({ headers }: Answer) => Number(headers.get("X-RateLimit-Remaining"));
const keyNow = (id: number) => db.select().from(tables.apiKeys).where(eq(tables.apiKeys.id, id)).get();

async function change({ id, start }: { id: number; start: string }, to: Partial<typeof tables.apiKeys.$inferInsert>) {
  await db.update(tables.apiKeys).set(to).where(eq(tables.apiKeys.id, id));
  await forgetApiKey(env, start);
}

async function rotate(key: Awaited<ReturnType<typeof aKey>>, graceMs: number) {
  const next = mintApiKey(settings.apiKeySecrets, key.start);
  const previous = { previousHash: hashSecret(key.key), previousExpiresAt: Date.now() + graceMs };
  await change(key, { hash: hashSecret(next), ...previous });
  return next;
}

function expectRefusal({ status, headers, body }: Answer, reason: string) {
  expect(status).toBe(401);
  expect(headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
  expect(body).toEqual(aRefusal("invalid_token", expect.stringContaining(reason)));
}

const routes = (await app.routes()).filter(({ method, path }) => method !== "ALL" && path.startsWith("/api/"));

it("refuses a key that was minted here but is not stored, on every route", LONG, async () => {
  const caller = shared(async () => ({ key: mintApiKey(settings.apiKeySecrets) }));
  for (const { method, path } of routes) {
    const line = `${method} ${ORIGIN}${path}`;
    const body = method === "POST" || method === "PUT" ? {} : undefined;
    const answer = await call(line, { as: (await caller()).key, body });
    expect([line, answer.status]).toEqual([line, 401]);
    expectRefusal(answer, "unknown");
  }
});

it("refuses a revoked or expired key, including where no credential is needed", async () => {
  const [revoked, expired] = [await aKey({ revokedAt: Date.now() }), await aKey({ expiresAt: Date.now() - 1 })];
  for (const line of ["GET /files", "GET /products", "GET /account/profile", "GET /nothing"]) {
    expectRefusal(await call(line, { as: revoked.key }), "revoked");
    expectRefusal(await call(line, { as: expired.key }), "expired");
  }
  expect((await call("GET /files", { as: (await aKey({ expiresAt: Date.now() + MINUTE })).key })).status).toBe(200);
});

it.each([
  ["another scheme", (key: string) => `Basic ${key}`],
  ["no scheme", (key: string) => key],
  ["two credentials", (key: string) => `Bearer ${key} ${key}`],
  ["no credential", () => "Bearer "],
])("refuses an Authorization header with %s", async (_, header) => {
  const { key } = await aKey();
  expectRefusal(await call("GET /files", { headers: { Authorization: header(key) } }), "Bearer <credential>");
});

describe("rotation", () => {
  it("accepts the old and the new key during the grace period, both under one limit", async () => {
    const old = await aKey();
    expect(remaining(await call("GET /products", { as: old.key }))).toBe(99);
    const next = await rotate(old, MINUTE);
    const answers = [await call("GET /products", { as: next }), await call("GET /products", { as: old.key })];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(remaining)).toEqual([98, 97]);
  });

  it("ends the old key at once without a grace period, and otherwise with it", async () => {
    const [one, other] = [await aKey(), await aKey()];
    const [next] = [await rotate(one, 0), await rotate(other, MINUTE)];
    expectRefusal(await call("GET /products", { as: one.key }), "unknown");
    expect((await call("GET /products", { as: next })).status).toBe(200);
    expect((await call("GET /products", { as: other.key })).status).toBe(200);
    await change(other, { previousExpiresAt: Date.now() - 1 });
    expectRefusal(await call("GET /products", { as: other.key }), "unknown");
  });

  it("revokes the old key together with the new one", async () => {
    const old = await aKey();
    const next = await rotate(old, MINUTE);
    await change(old, { revokedAt: Date.now() });
    expectRefusal(await call("GET /products", { as: old.key }), "revoked");
    expectRefusal(await call("GET /products", { as: next }), "revoked");
  });
});

describe("the limiter is notified of a change, and the very next request sees it", () => {
  it.each<[string, Partial<typeof tables.apiKeys.$inferInsert>, number]>([
    ["revoked", { revokedAt: 1 }, 401],
    ["expired", { expiresAt: 1 }, 401],
    ["robbed of its permission", { permissions: ["orders:write"] }, 403],
  ])("%s", async (_, to, status) => {
    const key = await aKey();
    expect((await call("GET /products", { as: key.key })).status).toBe(200);
    await change(key, to);
    expect((await call("GET /products", { as: key.key })).status).toBe(status);
  });

  it("permission granted", async () => {
    const key = await aKey({ permissions: [] });
    expect((await call("GET /products", { as: key.key })).status).toBe(403);
    await change(key, { permissions: ["products:read"] });
    expect((await call("GET /products", { as: key.key })).status).toBe(200);
  });

  it("deleted", async () => {
    const key = await aKey();
    expect((await call("GET /products", { as: key.key })).status).toBe(200);
    await db.delete(tables.apiKeys).where(eq(tables.apiKeys.id, key.id));
    await forgetApiKey(env, key.start);
    expectRefusal(await call("GET /products", { as: key.key }), "unknown");
  });
});

describe("last_used_at", () => {
  it("is written when a key is used, but not again within a minute", async () => {
    const since = Date.now();
    const [first, recent, older] = [
      await aKey(),
      await aKey({ lastUsedAt: since - MINUTE / 2 }),
      await aKey({ lastUsedAt: since - MINUTE - 1 }),
    ];
    // Waiting for the last write is enough: the others were sent to the same database before it.
    for (const { key } of [first, first, recent, recent, older]) await call("GET /products", { as: key });
    await vi.waitFor(async () => expect((await keyNow(older.id))?.lastUsedAt).toBeGreaterThanOrEqual(since));
    expect((await keyNow(first.id))?.lastUsedAt).toBeGreaterThanOrEqual(since);
    expect((await keyNow(recent.id))?.lastUsedAt).toBe(since - MINUTE / 2);
  });

  it("is not written for a refused key", async () => {
    const [revoked, good] = [await aKey({ revokedAt: Date.now() }), await aKey()];
    for (const { key } of [revoked, good]) await call("GET /products", { as: key });
    await vi.waitFor(async () => expect((await keyNow(good.id))?.lastUsedAt).not.toBeNull());
    expect((await keyNow(revoked.id))?.lastUsedAt).toBeNull();
  });
});

const every = resources.flatMap((name): Permission[] => [`${name}:read`, `${name}:write`]);

describe("a key without the permission", () => {
  it.each<[line: string, Permission, granted: string[]]>([
    ["GET /products", "products:read", ["orders:write"]],
    ["POST /orders", "checkout:write", ["read", "orders:read"]],
    ["GET /account/orders", "checkout:read", ["orders:write"]],
    ["POST /auth/login", "sessions:write", ["users:read"]],
    ["GET /files", "files:read", ["READ"]],
    ["DELETE /cart", "carts:write", []],
  ])("is told by %s that it lacks %s", async (line, needed, granted) => {
    const { key } = await aKey({ permissions: granted });
    const { status, headers, body } = await call(line, { as: key });
    expect(status).toBe(403);
    expect(body).toEqual({
      ...anError,
      message: expect.stringContaining(needed),
      code: "insufficient_scope",
      details: [lacking(needed)],
    });
    expect(headers.get("WWW-Authenticate")).toContain(`error="insufficient_scope", scope="${needed}"`);
    expect(headers.get("X-RateLimit-Remaining")).toBe("99");
  });

  it("is refused before its input is validated, and nothing is done", async () => {
    const product = await aProduct();
    const { key } = await aKey({ permissions: ["read"] });
    const body = orderOf(product, 1, { payment_method: "paypal" });
    expect((await call("POST /orders", { as: key, body })).status).toBe(403);
    expect((await call("POST /orders", { as: key, body: "{" })).status).toBe(403);
    const { body: seen } = await call(`GET /products/${product.id}`, { as: key });
    expect(seen.data.stock_quantity).toBe(100);
  });

  it("gets no permission error for an account's profile, which no key can have", async () => {
    const { key } = await aKey({ permissions: ["read", "write", ...every] });
    for (const [line, body] of [["GET /account/profile"], ["PUT /account/profile", { name: "New" }]] as const) {
      expect((await call(line, { as: key, body })).status).toBe(403);
    }
  });
});

const madeUp = `sfk_${"x".repeat(33)}`;

it("answers all requests of a flood of forged keys alike, each with its request id", async () => {
  const first = await call("GET /products", { as: madeUp });
  const named = { as: madeUp, headers: { "X-Request-Id": "mine" } };
  const flood = await Promise.all(Array.from({ length: 30 }, () => call("GET /cart", { as: madeUp })));
  flood.push(await call("POST /orders", { ...named, body: {} }));
  const rest = ({ headers }: { headers: Headers }) => [...headers].filter(([name]) => name !== "x-request-id");
  for (const answer of flood) {
    expect([answer.status, answer.body, rest(answer)]).toEqual([401, first.body, rest(first)]);
  }
  expect(new Set(flood.map(({ headers }) => headers.get("X-Request-Id"))).size).toBe(31);
  expect(flood.at(-1)?.headers.get("X-Request-Id")).toBe("mine");
});

it("lets a genuine key through during the flood", async () => {
  const { key } = await aKey();
  const flood = Array.from({ length: 30 }, () => call("GET /products", { as: madeUp }));
  expect((await call("GET /products", { as: key })).status).toBe(200);
  expect((await Promise.all(flood)).map(({ status }) => status)).toEqual(Array(30).fill(401));
});

it("answers a preflight without checking a key", async () => {
  await call("GET /products", { as: madeUp });
  expect((await call("OPTIONS /products", { as: madeUp })).status).toBe(204);
});
