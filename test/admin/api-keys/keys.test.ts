import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { isMinted } from "../../../src/platform/auth/api-keys/format.ts";
import { permissions } from "../../../src/platform/auth/roles.ts";
import { hashSecret } from "../../../src/platform/auth/secrets.ts";
import { apiKeys, auditLog } from "../../../src/platform/db/schema.ts";
import { administration, entriesOf } from "../../support/administration.ts";
import { call, callWith } from "../../support/call.ts";
import { counted } from "../../support/counting.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { aKey, db, settings } from "../../support/shop.ts";

const HOUR = 3_600_000;
const inAnHour = () => new Date(Date.now() + HOUR).toISOString();

const { admin, ask } = administration();
let made = 0;

const aNew = (fields: Record<string, unknown> = {}) => ({
  name: `Made ${++made}`,
  permissions: ["products:read"],
  ...fields,
});

const create = (fields?: Record<string, unknown>) => ask("POST /admin/api-keys", aNew(fields));

const rowOf = (id: number) => db.select().from(apiKeys).where(eq(apiKeys.id, id)).get();

const shop = async (key: string, line = "GET /products") => (await call(line, { as: key })).status;

describe("creating a key", () => {
  it("returns the whole record and the value, which works at once", async () => {
    const { status, headers, body } = await create({ name: "Storefront", permissions: ["products:read"] });
    expect(status).toBe(201);
    expect(headers.get("Cache-Control")).toBe("no-store");
    const { key, ...record } = body.data;
    expect(isMinted(key, settings.apiKeySecrets)).toBe(true);
    expect(record).toEqual({
      id: expect.any(Number),
      name: "Storefront",
      start: key.slice(0, 12),
      permissions: ["products:read"],
      tier: "standard",
      test: false,
      allowed_addresses: [],
      allowed_origins: [],
      state: "active",
      expires_at: null,
      previous_expires_at: null,
      last_used_at: null,
      unused_since: null,
      revoked_at: null,
      created_by: admin.id,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await shop(key)).toBe(200);
    expect(await shop(key, "GET /account/orders")).toBe(403);
  });

  it("accepts a tier and an expiry, and applies the tier's limit", async () => {
    const expires_at = inAnHour();
    const { body } = await create({ tier: "premium", expires_at });
    expect(body.data).toMatchObject({ tier: "premium", expires_at });
    const answer = await call("GET /products", { as: body.data.key });
    expect(answer.headers.get("X-RateLimit-Limit")).toBe("1000");
  });

  it("stores each address and range once, in canonical form", async () => {
    const allowed_addresses = [" 203.0.113.7/32 ", "::FFFF:203.0.113.7", "2001:DB8::/32", "198.51.100.0/24"];
    const { id, key, ...made } = (await create({ allowed_addresses })).body.data;
    expect(made.allowed_addresses).toEqual(["203.0.113.7", "2001:db8::/32", "198.51.100.0/24"]);
    expect((await entriesOf(id))[0]?.after).toMatchObject({ allowed_addresses: made.allowed_addresses });
    const from = (address: string) => call("GET /products", { as: key, headers: { "CF-Connecting-IP": address } });
    expect([(await from("203.0.113.7")).status, (await from("203.0.113.8")).status]).toEqual([200, 403]);
  });

  it("stores each permission once in any order; read and write include everything", async () => {
    const sent = ["write", "orders:read", "read", "write", "orders:read"];
    expect((await create({ permissions: sent })).body.data.permissions).toEqual(["read", "write", "orders:read"]);
    const all = await create({ permissions: [...permissions].reverse() });
    expect(all.body.data.permissions).toEqual(permissions);
  });

  it("shows the value once: never again in the record, the list, the log or the row", async () => {
    const { key, id } = (await create()).body.data;
    for (const line of [`GET /admin/api-keys/${id}`, "GET /admin/api-keys", "GET /admin/audit-log"]) {
      const answer = JSON.stringify((await ask(line)).body);
      expect(answer).not.toContain(key.slice(13));
      expect(answer).not.toContain(hashSecret(key));
    }
    expect(JSON.stringify(await rowOf(id))).not.toContain(key.slice(13));
  });

  it("logs who made it and its permissions", async () => {
    const { id, start, name } = (await create()).body.data;
    const entries = await entriesOf(id);
    expect(entries).toMatchObject([{ actor: `user:${admin.id}`, action: "api_key.create", before: null }]);
    const fields = {
      name,
      permissions: ["products:read"],
      tier: "standard",
      test: false,
      allowed_addresses: [],
      allowed_origins: [],
      expires_at: null,
      start,
    };
    expect(entries[0]?.after).toEqual(fields);
  });

  it.each([
    ["name", { name: "" }],
    ["name", { name: "x".repeat(101) }],
    ["name", { name: "two\nlines" }],
    ["permissions", { permissions: [] }],
    ["permissions", { permissions: "read" }],
    ["permissions", { permissions: Array(101).fill("read") }],
    ["permissions.1", { permissions: ["read", "admin"] }],
    ["permissions.0", { permissions: ["api-keys:write"] }],
    ["permissions.0", { permissions: ["*"] }],
    ["tier", { tier: "unlimited" }],
    ["allowed_addresses", { allowed_addresses: "203.0.113.7" }],
    ["allowed_addresses", { allowed_addresses: Array(51).fill("203.0.113.7") }],
    ["allowed_addresses.1", { allowed_addresses: ["203.0.113.7", "203.0.113.7/24"] }],
    ["allowed_addresses.0", { allowed_addresses: [{ "203.0.113.7": 24 }] }],
    ["allowed_addresses.0", { allowed_addresses: ["1".repeat(100_000)] }],
    ["allowed_origins", { allowed_origins: Array(51).fill("https://shop.example") }],
    ["allowed_origins.1", { allowed_origins: ["https://shop.example", "shop.example"] }],
    ["allowed_origins.0", { allowed_origins: [`https://${"a".repeat(100_000)}.example`] }],
    ["expires_at", { expires_at: "tomorrow" }],
    ["expires_at", { expires_at: "2020-01-01T00:00:00Z" }],
    ["expires_at", { expires_at: new Date().toISOString() }],
    ["key", { key: "sfk_mine" }],
    ["start", { start: "sfk_mine" }],
    ["revoked_at", { revoked_at: null }],
  ])("refuses a wrong %s: %j", async (field, fields) => {
    const sent = aNew({ name: `Refused ${++made}`, ...fields });
    const logged = await db.$count(auditLog);
    expectRefusal(await ask("POST /admin/api-keys", sent), 400, field);
    expect(await db.select().from(apiKeys).where(eq(apiKeys.name, sent.name)).all()).toEqual([]);
    expect(await db.$count(auditLog)).toBe(logged);
  });

  it("requires a name and permissions", async () => {
    const answer = await ask("POST /admin/api-keys", {});
    expectRefusal(answer, 400, "name");
    expectRefusal(answer, 400, "permissions");
  });

  it("keeps a script in a name as text", async () => {
    const name = '<script>alert("x")</script>=HYPERLINK("evil")';
    expect((await create({ name })).body.data.name).toBe(name);
  });
});

describe("the list of keys", () => {
  const list = async (query: string) =>
    (await ask(`GET /admin/api-keys?${query}`)).body.data.map(({ id }: { id: number }) => id);

  it("is newest first, in pages", async () => {
    const [one, two] = [await aKey({ name: "Paged one" }), await aKey({ name: "Paged two" })];
    const first = await ask("GET /admin/api-keys?search=paged&per_page=1");
    expect(first.body.data.map(({ id }: { id: number }) => id)).toEqual([two.id]);
    expect(first.body.pagination).toEqual({ current_page: 1, total_pages: 2, total_items: 2, total_items_exact: true });
    expect(await list("search=paged&per_page=1&page=2")).toEqual([one.id]);
  });

  it("finds by part of the name in any case, by the first characters, and by a whole key", async () => {
    const { id, key, start } = await aKey({ name: "The Warehouse's own" });
    for (const search of ["warehouse", "WAREHOUSE'S", " the w", start, start.slice(0, 9), key]) {
      expect(await list(`search=${encodeURIComponent(search)}`), search).toEqual([id]);
    }
    expect(await list(`search=${start.slice(4)}`)).toEqual([]);
  });

  it("treats any search as text", async () => {
    const { id } = await aKey({ name: "100%_sure '; DROP TABLE" });
    for (const search of ["100%_s", "'; drop table", "%_"]) {
      expect(await list(`search=${encodeURIComponent(search)}`), search).toEqual([id]);
    }
    for (const search of ["%", "_", "*", '"', "\\"]) {
      const answer = await ask(`GET /admin/api-keys?search=${encodeURIComponent(search)}`);
      expect(answer.status).toBe(200);
    }
    expect(await list(`search=${encodeURIComponent("%sure%nothing")}`)).toEqual([]);
  });

  it("shows which active keys have been unused for 90 days", async () => {
    const [now, day] = [Date.now(), 86_400_000];
    const [createdAt, lastUsedAt] = [now - 200 * day, now - 91 * day];
    const name = "Dusty";
    const [never, once] = [await aKey({ name, createdAt }), await aKey({ name, createdAt, lastUsedAt })];
    await aKey({ name, createdAt, lastUsedAt: now - 89 * day });
    await aKey({ name, createdAt, lastUsedAt, expiresAt: now - day });
    await aKey({ name, createdAt, lastUsedAt, revokedAt: now - day });
    await aKey({ name });
    expect(await list("search=dusty&unused=true")).toEqual([once.id, never.id]);
    const all = (await ask("GET /admin/api-keys?search=dusty")).body.data;
    const since = all.map(({ unused_since }: { unused_since: string | null }) => unused_since);
    const [ofOnce, ofNever] = [lastUsedAt, createdAt].map((at) => new Date(at).toISOString());
    expect(since).toEqual([null, null, null, null, ofOnce, ofNever]);
    expectRefusal(await ask("GET /admin/api-keys?unused=no"), 400, "unused");
    await call("GET /products", { as: once.key });
    await vi.waitFor(async () => expect(await list("search=dusty&unused=true")).toEqual([never.id]));
  });

  it("is filtered by state and tier, and shows each key's state", async () => {
    const name = "Narrowed";
    const active = await aKey({ name });
    const premium = await aKey({ name, tier: "premium", expiresAt: Date.now() + HOUR });
    const expired = await aKey({ name, expiresAt: Date.now() - 1 });
    const revoked = await aKey({ name, revokedAt: Date.now(), expiresAt: Date.now() - 1 });
    const states = (await ask("GET /admin/api-keys?search=narrowed")).body.data;
    expect(states.map(({ state }: { state: string }) => state)).toEqual(["revoked", "expired", "active", "active"]);
    expect(await list("search=narrowed&state=active")).toEqual([premium.id, active.id]);
    expect(await list("search=narrowed&state=expired")).toEqual([expired.id]);
    expect(await list("search=narrowed&state=revoked")).toEqual([revoked.id]);
    expect(await list("search=narrowed&tier=premium")).toEqual([premium.id]);
    expect(await list("search=narrowed&tier=premium&state=revoked")).toEqual([]);
  });

  it.each([
    ["state", "state=gone"],
    ["tier", "tier=gold"],
    ["search", `search=${"x".repeat(201)}`],
    ["per_page", "per_page=101"],
    ["sort", "sort=name"],
  ])("refuses a wrong %s", async (field, query) => {
    expectRefusal(await ask(`GET /admin/api-keys?${query}`), 400, field);
  });

  it("is read in one round trip", async () => {
    const { bindings, trips } = counted();
    await callWith(bindings, "GET /admin/api-keys?search=a&state=active", { as: admin.token });
    expect(trips.d1).toBeLessThanOrEqual(1);
  });
});

describe("editing a key", () => {
  it("changes only the fields that are sent", async () => {
    const { key: _, ...before } = await aKey({ permissions: ["read"] });
    const { status, headers, body } = await ask(`PUT /admin/api-keys/${before.id}`, { name: "Renamed" });
    expect([status, body.data.name]).toEqual([200, "Renamed"]);
    expect(headers.get("ETag")).toBeTruthy();
    expect(await rowOf(before.id)).toEqual({ ...before, name: "Renamed", updatedAt: expect.any(Number) });
  });

  it("logs the difference", async () => {
    const { id, name } = await aKey({ permissions: ["read"] });
    await ask(`PUT /admin/api-keys/${id}`, { name, tier: "premium", permissions: ["read", "write"] });
    expect(await entriesOf(id)).toMatchObject([
      {
        action: "api_key.update",
        before: { permissions: ["read"], tier: "standard" },
        after: { permissions: ["read", "write"], tier: "premium" },
      },
    ]);
  });

  it.each([
    ["body", "nothing_to_change", {}],
    ["permissions", "too_small", { permissions: [] }],
    ["expires_at", "in_the_past", { name: "New", expires_at: "2020-01-01T00:00:00Z" }],
    ["revoked_at", "read_only", { revoked_at: "2030-01-01T00:00:00Z" }],
    ["hash", "unknown_field", { hash: "0" }],
  ] as const)("refuses a wrong %s as %s and leaves the key unchanged", async (field, code, change) => {
    const { key: _, ...before } = await aKey();
    expectRefusal(await ask(`PUT /admin/api-keys/${before.id}`, change), 400, field, code);
    expect(await rowOf(before.id)).toEqual(before);
    expect(await entriesOf(before.id)).toEqual([]);
  });

  it("reactivates an expired key with a later expiry, or with none", async () => {
    const { id, key } = await aKey({ expiresAt: Date.now() - 1 });
    expect(await shop(key)).toBe(401);
    expect((await ask(`PUT /admin/api-keys/${id}`, { expires_at: inAnHour() })).body.data.state).toBe("active");
    expect(await shop(key)).toBe(200);
    expect((await ask(`PUT /admin/api-keys/${id}`, { expires_at: null })).body.data.expires_at).toBeNull();
  });

  it("reads in one round trip and writes in one", async () => {
    const { id } = await aKey();
    for (const [line, body] of [
      [`PUT /admin/api-keys/${id}`, { name: "Counted" }],
      [`POST /admin/api-keys/${id}/rotate`, {}],
      [`DELETE /admin/api-keys/${id}`, undefined],
    ] as const) {
      await call("GET /account/profile", { as: admin.token });
      const { bindings, trips } = counted();
      await callWith(bindings, line, { as: admin.token, body });
      expect(trips, line).toEqual({ d1: 2, durableObjects: 3, r2: 0 });
    }
  });
});

describe("two people editing one key", () => {
  it("cannot both rotate the version they saw: one gets a value, and that value works", async () => {
    const { id } = await aKey();
    const headers = { "If-Match": String((await ask(`GET /admin/api-keys/${id}`)).headers.get("ETag")) };
    const rotate = () => ask(`POST /admin/api-keys/${id}/rotate`, {}, headers);
    const answers = await Promise.all(Array.from({ length: 8 }, rotate));
    for (const { status } of answers) expect([200, 409, 412]).toContain(status);
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(await shop(won[0]?.body.data.key)).toBe(200);
    expect(await entriesOf(id)).toHaveLength(1);
  });

  it("may use the key meanwhile, which is not an edit", async () => {
    const { id, key } = await aKey();
    const etag = String((await ask(`GET /admin/api-keys/${id}`)).headers.get("ETag"));
    await shop(key);
    expect((await ask(`PUT /admin/api-keys/${id}`, { name: "Mine" }, { "If-Match": etag })).status).toBe(200);
  });
});

it("the database refuses to reactivate a revoked key, but accepts its last use", async () => {
  const { id } = await aKey({ revokedAt: Date.now() });
  const set = (columns: string) => env.DB.prepare(`UPDATE api_keys SET ${columns} WHERE id = ?`).bind(id).run();
  for (const columns of ["revoked_at = NULL", "hash = 'x'", "expires_at = 1", "permissions = '[]'", "name = 'x'"]) {
    await expect(set(columns), columns).rejects.toThrow("revoked_api_key_is_final");
  }
  await set("last_used_at = 5");
  expect((await rowOf(id))?.lastUsedAt).toBe(5);
});
