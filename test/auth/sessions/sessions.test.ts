import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import * as tables from "../../../src/platform/db/schema.ts";
import { everyMinute } from "../../../src/scheduled.ts";
import { anAccount, aSession, PASSWORD, profileStatus } from "../../support/accounts.ts";
import { call, callWith } from "../../support/call.ts";
import { counted } from "../../support/counting.ts";
import { aRefusal } from "../../support/refusal.ts";
import { aKey, aUser, db } from "../../support/shop.ts";

const HOME = { "CF-Connecting-IP": "203.0.113.7", "User-Agent": "Firefox at home" };
const AWAY = { "CF-Connecting-IP": "198.51.100.8", "User-Agent": `Phone ${"x".repeat(400)}` };

const list = async (as: string, query = "") => (await call(`GET /account/sessions${query}`, { as })).body;
const minutesAgo = (n: number) => Date.now() - n * 60_000;

/** Makes a session look as if it was opened and last used this long ago. */
const age = (id: string, minutes: number) =>
  db
    .update(tables.sessions)
    .set({ createdAt: minutesAgo(minutes), lastUsedAt: minutesAgo(minutes) })
    .where(eq(tables.sessions.id, id));

it("shows when, where and how an account signed in, the last used session first", async () => {
  const { email, sessionId } = await anAccount();
  await age(sessionId, 60);
  const { body } = await call("POST /auth/login", { body: { email, password: PASSWORD }, headers: HOME });
  const { data, pagination } = await list(body.data.token);
  expect(data).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created_at: expect.stringMatching(/Z$/),
      last_used_at: data[0].created_at,
      address: "203.0.113.7",
      user_agent: "Firefox at home",
      app: null,
      current: true,
    },
    expect.objectContaining({ id: sessionId, address: null, user_agent: null, current: false }),
  ]);
  expect(pagination.total_items).toBe(2);
  expect((await list(body.data.token, "?page=2&per_page=1")).data).toEqual([data[1]]);
});

it("updates a session's last use when it is refreshed, and not with each request", async () => {
  const { email, sessionId, token } = await anAccount();
  const { body } = await call("POST /auth/login", { body: { email, password: PASSWORD }, headers: HOME });
  const [{ id }] = (await list(body.data.token)).data;
  await age(id, 30);
  await age(sessionId, 60);
  const before = (await list(token)).data;
  expect(before.map((each: { id: string }) => each.id)).toEqual([id, sessionId]);
  await age(sessionId, 20);
  await call("POST /auth/refresh", { body: { refresh_token: body.data.refresh_token }, headers: AWAY });
  const [refreshed, other] = (await list(token)).data;
  expect(refreshed).toMatchObject({ id, created_at: before[0].created_at, address: "198.51.100.8" });
  expect(refreshed.user_agent).toBe(AWAY["User-Agent"].slice(0, 300));
  expect(Date.parse(refreshed.last_used_at)).toBeGreaterThan(minutesAgo(1));
  expect(Date.parse(other.last_used_at)).toBeLessThan(minutesAgo(19));
});

it("shows the shopper's device if a server with a key passes it on, and ignores it from others", async () => {
  const [{ email }, { key }] = [await anAccount(), await aKey()];
  const headers = { "X-Client-User-Agent": "Firefox of a shopper".padEnd(400, "."), "User-Agent": "node" };
  const logIn = async (as?: string) => {
    const { body } = await call("POST /auth/login", {
      ...(as && { as }),
      body: { email, password: PASSWORD },
      headers,
    });
    return body.data;
  };
  const { token, refresh_token } = await logIn(key);
  const agentOf = async (of: string) =>
    (await list(of)).data.find(({ current }: { current: boolean }) => current).user_agent;
  expect(await agentOf(token)).toBe(headers["X-Client-User-Agent"].slice(0, 300));
  const moved = { "X-Client-User-Agent": "Firefox, updated" };
  const { body } = await call("POST /auth/refresh", { as: key, body: { refresh_token }, headers: moved });
  expect(await agentOf(body.data.token)).toBe("Firefox, updated");
  expect(await agentOf((await logIn()).token)).toBe("node");
});

it("shows the shopper's address that a server passes on, not the server's own", async () => {
  const [{ email }, { key }] = [await anAccount(), await aKey()];
  const headers = { "X-Client-Address": "192.0.2.9", "User-Agent": "node" };
  const { body } = await call("POST /auth/login", { as: key, body: { email, password: PASSWORD }, headers });
  expect((await list(body.data.token)).data[0]).toMatchObject({ address: "192.0.2.9", user_agent: null });
});

it("ends one session at once, and leaves the others", async () => {
  const user = await aUser();
  const [lost, kept] = [await aSession(user.id), await aSession(user.id)];
  expect(await profileStatus(lost.token)).toBe(200);
  expect((await call(`DELETE /account/sessions/${lost.id}`, { as: user.token })).status).toBe(204);
  expect([await profileStatus(lost.token), await profileStatus(kept.token), await profileStatus(user.token)]).toEqual([
    401, 200, 200,
  ]);
  const refresh = await call("POST /auth/refresh", { body: { refresh_token: lost.refreshToken } });
  expect(refresh.status).toBe(401);
  expect((await list(user.token)).data.map(({ id }: { id: string }) => id)).not.toContain(lost.id);
  expect((await call(`DELETE /account/sessions/${lost.id}`, { as: user.token })).body).toEqual(aRefusal("not_found"));
});

it("ends the current session, as signing out does", async () => {
  const user = await aUser();
  expect((await call(`DELETE /account/sessions/${user.sessionId}`, { as: user.token })).status).toBe(204);
  expect(await profileStatus(user.token)).toBe(401);
});

it("ends all sessions except the current one, and nobody else's", async () => {
  const [user, stranger] = [await aUser(), await aUser()];
  const others = [await aSession(user.id), await aSession(user.id)];
  for (const { token } of others) expect(await profileStatus(token)).toBe(200);
  expect((await call("DELETE /account/sessions", { as: user.token })).status).toBe(204);
  for (const { token } of others) expect(await profileStatus(token)).toBe(401);
  expect([await profileStatus(user.token), await profileStatus(stranger.token)]).toEqual([200, 200]);
});

it("neither shows nor ends somebody else's session", async () => {
  const [user, stranger] = [await aUser(), await aUser()];
  expect((await list(user.token)).data).toHaveLength(1);
  const { status, body } = await call(`DELETE /account/sessions/${stranger.sessionId}`, { as: user.token });
  expect([status, body]).toEqual([404, aRefusal("not_found")]);
  expect(await profileStatus(stranger.token)).toBe(200);
});

it("shows no session whose refresh tokens have all expired", async () => {
  const user = await aUser();
  const { id } = await aSession(user.id);
  await db.update(tables.refreshTokens).set({ expiresAt: 1 }).where(eq(tables.refreshTokens.sessionId, id));
  await everyMinute(env, Date.now());
  expect((await list(user.token)).data.map((each: { id: string }) => each.id)).toEqual([user.sessionId]);
});

it("reads one row for a page of one session, in addition to those it counts", async () => {
  const user = await aUser();
  const others = Array.from({ length: 50 }, (_, n) => ({ id: crypto.randomUUID(), userId: user.id, lastUsedAt: n }));
  for (const other of others) await db.insert(tables.sessions).values({ ...other, createdAt: 1 });
  const { bindings, work } = counted();
  const { body } = await callWith(bindings, "GET /account/sessions?per_page=1", { as: user.token });
  expect([body.data.length, body.pagination.total_items]).toEqual([1, others.length + 1]);
  expect(work.rowsRead).toBeLessThan(1.5 * others.length);
});

const logOut = (options: Parameters<typeof call>[1]) => call("POST /auth/logout", options);
const refresh = async (refresh_token: string) => (await call("POST /auth/refresh", { body: { refresh_token } })).status;

/** A session whose access token was used, so that its limiter has it in memory. */
async function used(userId: number) {
  const session = await aSession(userId);
  expect(await profileStatus(session.token)).toBe(200);
  return session;
}

describe("with the access token alone", () => {
  it("ends its session: the very next request is refused everywhere, and so is its refresh token", async () => {
    const { token, refreshToken } = await used((await aUser()).id);
    const { status, body, headers } = await logOut({ as: token });
    expect([status, body]).toEqual([204, ""]);
    expect(headers.get("X-RateLimit-Remaining")).toBe("98");
    for (const line of ["GET /account/profile", "GET /files", "GET /products", "POST /auth/logout"]) {
      const answer = await call(line, { as: token });
      expect(answer.status, line).toBe(401);
      expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
      expect(answer.body).toEqual(aRefusal("invalid_token", expect.stringContaining("ended")));
    }
    expect(await refresh(refreshToken)).toBe(401);
  });

  it.each<[string, Parameters<typeof call>[1]]>([
    ["an empty object", { body: {} }],
    // Part 5 of the specification lists the header for every request, with or without a body.
    ["no body but its type", { headers: { "Content-Type": "application/json" } }],
  ])("treats %s as no token", async (_, options) => {
    const { token } = await used((await aUser()).id);
    expect((await logOut({ as: token, ...options })).status).toBe(204);
    expect(await profileStatus(token)).toBe(401);
  });

  it("ends every access token of the session, and no other session", async () => {
    const [user, stranger] = [await aUser(), await aUser()];
    const [one, other, theirs] = [await used(user.id), await used(user.id), await used(stranger.id)];
    const refreshed = await call("POST /auth/refresh", { body: { refresh_token: one.refreshToken } });
    expect(await profileStatus(refreshed.body.data.token)).toBe(200);
    await logOut({ as: one.token });
    expect([await profileStatus(one.token), await profileStatus(refreshed.body.data.token)]).toEqual([401, 401]);
    expect(await refresh(refreshed.body.data.refresh_token)).toBe(401);
    expect([
      await profileStatus(other.token),
      await profileStatus(user.token),
      await profileStatus(theirs.token),
    ]).toEqual([200, 200, 200]);
    expect([await refresh(other.refreshToken), await refresh(theirs.refreshToken)]).toEqual([200, 200]);
  });
});

describe("with a refresh token", () => {
  it("ends its session without a credential", async () => {
    const { token, refreshToken } = await used((await aUser()).id);
    const other = await used((await aUser()).id);
    expect((await logOut({ body: { refresh_token: refreshToken } })).status).toBe(204);
    expect([await profileStatus(token), await refresh(refreshToken)]).toEqual([401, 401]);
    expect(await profileStatus(other.token)).toBe(200);
  });

  it("ends its session even if the token was exchanged in the meantime", async () => {
    const { token, refreshToken } = await used((await aUser()).id);
    const { body } = await call("POST /auth/refresh", { body: { refresh_token: refreshToken } });
    expect((await logOut({ body: { refresh_token: refreshToken } })).status).toBe(204);
    expect([await profileStatus(token), await profileStatus(body.data.token)]).toEqual([401, 401]);
    expect(await refresh(body.data.refresh_token)).toBe(401);
  });

  it("ends its session for a shop, through its key", async () => {
    const { key } = await aKey({ permissions: ["users:write"] });
    const { token, refreshToken } = await used((await aUser()).id);
    expect((await logOut({ as: key, body: { refresh_token: refreshToken } })).status).toBe(204);
    expect(await profileStatus(token)).toBe(401);
  });

  it("succeeds if the token is unknown or its session has ended already", async () => {
    const { refreshToken } = await used((await aUser()).id);
    for (const refresh_token of ["none", refreshToken, refreshToken]) {
      expect((await logOut({ body: { refresh_token } })).status).toBe(204);
    }
  });

  it("ends the access token too, even if the refresh token is unknown", async () => {
    const { token } = await used((await aUser()).id);
    expect((await logOut({ as: token, body: { refresh_token: "long forgotten" } })).status).toBe(204);
    expect(await profileStatus(token)).toBe(401);
  });
});

it.each<[string, () => Promise<string | undefined>]>([
  ["anonymous", async () => undefined],
  ["an API key", async () => (await aKey()).key],
])("requires a refresh token from %s", async (_, credential) => {
  for (const body of [undefined, {}]) {
    const { status, body: answer } = await logOut({ as: await credential(), body });
    expect([status, Object.keys(answer.errors)]).toEqual([400, ["refresh_token"]]);
  }
});

it("ends only that session when two requests sign out of it at once", async () => {
  const user = await aUser();
  const { token, refreshToken } = await used(user.id);
  const answers = await Promise.all([logOut({ as: token }), logOut({ body: { refresh_token: refreshToken } })]);
  for (const { status } of answers) expect([204, 401]).toContain(status);
  expect([await profileStatus(token), await profileStatus(user.token)]).toEqual([401, 200]);
});
