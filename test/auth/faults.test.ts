import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { mintApiKey } from "../../src/platform/auth/api-keys/format.ts";
import { hashSecret } from "../../src/platform/auth/secrets.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { accountNow, anAccount, aSession, PASSWORD } from "../support/accounts.ts";
import { type Answer, callWith } from "../support/call.ts";
import { failing, fault } from "../support/faults.ts";
import { faultyDatabase } from "../support/faulty.ts";
import { aRefusal } from "../support/refusal.ts";
import { aKey, aUser, db, settings } from "../support/shop.ts";

const BROKEN = fault();
const PASSING = fault({ retryable: true });
const OVERLOADED = fault({ overloaded: true });

/** Both limiters that check a credential, failing in the same way. */
function limiters(...faults: (Error | null)[]) {
  const keys = failing(env.API_KEY_LIMITER, faults);
  const users = failing(env.USER_LIMITER, faults);
  return {
    bindings: { API_KEY_LIMITER: keys.namespace, USER_LIMITER: users.namespace },
    opened: () => keys.opened() + users.opened(),
  };
}

const kinds: [kind: string, credential: () => Promise<string>][] = [
  ["an API key", async () => (await aKey()).key],
  ["a user", async () => (await aUser()).token],
];

const rateHeaders = ({ headers }: Answer) => [...headers.keys()].filter((name) => name.includes("ratelimit"));

describe.each(kinds)("%s whose limiter", (_, credential) => {
  it.each<[string, (Error | null)[], asked: number]>([
    ["fails", [BROKEN], 1],
    ["fails and says that it will pass, twice", [PASSING], 2],
    ["fails in another way when asked once more", [PASSING, BROKEN], 2],
  ])("%s is looked up and admitted uncounted, and the fault is logged", async (_, faults, asked) => {
    const errors = vi.spyOn(console, "error");
    const { bindings, opened } = limiters(...faults);
    const as = await credential();
    const answer = await callWith(bindings, "GET /products", { as });
    expect(answer.status).toBe(200);
    expect(rateHeaders(answer)).toEqual([]);
    expect(opened()).toBe(asked);
    const logged = errors.mock.calls.map(([line]) => String(line));
    expect(logged).toEqual([expect.stringContaining("the Durable Object cannot answer")]);
    expect(logged.join()).not.toContain(as);
    errors.mockRestore();
  });

  it("fails once with a retryable error is called again on a new stub, and counts", async () => {
    const { bindings, opened } = limiters(PASSING, null);
    const answer = await callWith(bindings, "GET /products", { as: await credential() });
    expect([answer.status, opened()]).toEqual([200, 2]);
    expect(answer.headers.get("X-RateLimit-Remaining")).toBe("99");
  });

  it.each<[string, (Error | null)[], asked: number]>([
    ["is overloaded", [OVERLOADED], 1],
    ["is overloaded and says that it will pass", [fault({ overloaded: true, retryable: true })], 1],
    ["is overloaded when asked once more", [PASSING, OVERLOADED], 2],
  ])("%s is 429", async (_, faults, asked) => {
    const { bindings, opened } = limiters(...faults);
    const { status, headers, body } = await callWith(bindings, "GET /products", { as: await credential() });
    expect(status).toBe(429);
    expect(Number(headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
    expect(body).toEqual(aRefusal("rate_limited", expect.stringContaining("Too many requests")));
    expect(opened()).toBe(asked);
  });

  it("fails while the database is down is 503, never admitted", async () => {
    const bindings = { ...limiters(BROKEN).bindings, DB: faultyDatabase("D1_ERROR: Network connection lost.") };
    const { status, headers, body } = await callWith(bindings, "GET /nothing", { as: await credential() });
    expect(status).toBe(503);
    expect(headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(body).toEqual(aRefusal("service_unavailable"));
  });
});

describe("without its limiter", () => {
  it.each<[string, Partial<typeof tables.apiKeys.$inferInsert>, number]>([
    ["a revoked key is refused", { revokedAt: 1 }, 401],
    ["an expired key is refused", { expiresAt: 1 }, 401],
    ["a key of another secret is refused", { hash: hashSecret("another") }, 401],
    ["a key without the permission is told so", { permissions: ["orders:write"] }, 403],
  ])("%s", async (_, columns, status) => {
    const { key } = await aKey(columns);
    expect((await callWith(limiters(BROKEN).bindings, "GET /products", { as: key })).status).toBe(status);
  });

  it("a key that is not stored is refused", async () => {
    const as = mintApiKey(settings.apiKeySecrets);
    expect((await callWith(limiters(BROKEN).bindings, "GET /products", { as })).status).toBe(401);
  });

  it("a key that was replaced is valid during the grace period, and no longer", async () => {
    const [before, key] = [mintApiKey(settings.apiKeySecrets), await aKey()];
    const as = mintApiKey(settings.apiKeySecrets, key.start);
    const ask = () => callWith(limiters(BROKEN).bindings, "GET /products", { as });
    const keep = (previousHash: string, previousExpiresAt: number) =>
      db.update(tables.apiKeys).set({ previousHash, previousExpiresAt }).where(eq(tables.apiKeys.id, key.id));
    await keep(hashSecret(as), Date.now() + 60_000);
    expect((await ask()).status).toBe(200);
    await keep(hashSecret(as), Date.now());
    expect((await ask()).status).toBe(401);
    await keep(hashSecret(before), Date.now() + 60_000);
    expect((await ask()).status).toBe(401);
  });

  it("a user who is disabled, deleted or whose session has ended is refused", async () => {
    const [gone, disabled, out] = [await aUser(), await aUser(), await aUser()];
    await db.delete(tables.users).where(eq(tables.users.id, gone.id));
    await db.update(tables.users).set({ disabledAt: Date.now() }).where(eq(tables.users.id, disabled.id));
    const ask = (line: string, { token }: { token: string }) =>
      callWith(limiters(BROKEN).bindings, line, { as: token });
    expect((await ask("POST /auth/logout", out)).status).toBe(204);
    for (const user of [gone, disabled, out]) expect((await ask("GET /files", user)).status).toBe(401);
  });

  it("a caller's address is admitted uncounted, and a refused key stays refused", async () => {
    const { namespace } = failing(env.ADDRESS_LIMITER, [BROKEN]);
    const bindings = { ADDRESS_LIMITER: namespace };
    const { refreshToken } = await aSession((await aUser()).id);
    const files = await callWith(bindings, "GET /files");
    const refresh = await callWith(bindings, "POST /auth/refresh", { body: { refresh_token: refreshToken } });
    const revoked = await callWith(bindings, "GET /files", { as: (await aKey({ revokedAt: 1 })).key });
    expect([files, refresh, revoked].map(({ status }) => status)).toEqual([200, 200, 401]);
    expect(rateHeaders(files)).toEqual([]);
  });
});

describe.each([
  ["fails", BROKEN],
  ["is overloaded", OVERLOADED],
])("when a user's limiter %s after it let the request in", (_, thrown) => {
  const told = () => ({ USER_LIMITER: failing(env.USER_LIMITER, [null, thrown]).namespace });

  it("a logout succeeds, and says so", async () => {
    const { id } = await aUser();
    const { token, refreshToken } = await aSession(id);
    expect((await callWith(told(), "POST /auth/logout", { as: token })).status).toBe(204);
    const refresh = await callWith({}, "POST /auth/refresh", { body: { refresh_token: refreshToken } });
    expect(refresh.status).toBe(401);
  });

  it("a new password is set, and the response says so", async () => {
    const { id, token } = await anAccount();
    const before = await accountNow(id);
    const body = { password: "a new password", current_password: PASSWORD };
    const { status } = await callWith(told(), "PUT /account/profile", { as: token, body });
    expect((await accountNow(id)).passwordHash).not.toBe(before.passwordHash);
    expect(status).toBe(200);
  });
});
