import { env } from "cloudflare:workers";
import { and, eq, isNull } from "drizzle-orm";
import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import { checkRefreshToken, type RefreshState } from "../../../src/accounts/users/sessions/sessions.ts";
import { hashSecret } from "../../../src/platform/auth/secrets.ts";
import { forgetUser } from "../../../src/platform/auth/user-limiter.ts";
import * as tables from "../../../src/platform/db/schema.ts";
import { accountNow, aSession, profileStatus } from "../../support/accounts.ts";
import { type Answer, call, callWith } from "../../support/call.ts";
import { interleaved } from "../../support/faults.ts";
import { aRefusal } from "../../support/refusal.ts";
import { aKey, aUser, db } from "../../support/shop.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const refresh = (refresh_token: string, as?: string) => call("POST /auth/refresh", { as, body: { refresh_token } });

const stored = (token: string) =>
  db
    .select()
    .from(tables.refreshTokens)
    .where(eq(tables.refreshTokens.hash, hashSecret(token)))
    .get();

const alter = (token: string, to: Partial<typeof tables.refreshTokens.$inferInsert>) =>
  db
    .update(tables.refreshTokens)
    .set(to)
    .where(eq(tables.refreshTokens.hash, hashSecret(token)));

function expectRefusal({ status, headers, body }: Answer) {
  expect(status).toBe(401);
  expect(headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
  expect(body).toEqual(aRefusal("invalid_refresh_token", expect.stringContaining("Sign in again")));
}

it("exchanges a refresh token for a new one and a new access token of the same session", async () => {
  const user = await aUser();
  const { id, refreshToken, now } = await aSession(user.id);
  const { status, body } = await refresh(refreshToken);
  expect(status).toBe(200);
  expect(body.data.user).toEqual({ id: user.id, email: user.email, name: user.name, role: "customer" });
  expect(decodeJwt(body.data.token)).toMatchObject({ sub: String(user.id), sid: id });
  expect(Date.parse(body.data.expires_at)).toBe((decodeJwt(body.data.token).exp ?? 0) * 1000);
  expect(await profileStatus(body.data.token)).toBe(200);
  const [spent, next] = [await stored(refreshToken), await stored(body.data.refresh_token)];
  expect(spent?.spentAt).toBeGreaterThanOrEqual(now);
  expect(next).toMatchObject({ sessionId: id, spentAt: null });
  expect((next?.expiresAt ?? 0) - (next?.createdAt ?? 0)).toBe(30 * DAY_MS);
  expect((await refresh(body.data.refresh_token)).status).toBe(200);
});

it("stores nothing from which a refresh token could be read", async () => {
  const { refreshToken } = await aSession((await aUser()).id);
  const row = await stored(refreshToken);
  expect(row?.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(row)).not.toContain(refreshToken.slice(4));
});

it("refreshes for a shop through its key, and for a user", async () => {
  const user = await aUser();
  const { key } = await aKey({ permissions: ["users:write"] });
  const { refreshToken } = await aSession(user.id);
  const next = await refresh(refreshToken, key);
  expect([next.status, (await refresh(next.body.data.refresh_token, user.token)).status]).toEqual([200, 200]);
});

describe("a used token", () => {
  it("may be sent again within the grace period, because its response may have been lost", async () => {
    const { refreshToken, token } = await aSession((await aUser()).id);
    const answers = [await refresh(refreshToken), await refresh(refreshToken)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const tokens = answers.map(({ body }) => body.data.refresh_token);
    expect(tokens[0]).not.toBe(tokens[1]);
    // The first response's token has been replaced: a session has only one valid token.
    expectRefusal(await refresh(tokens[0]));
    expect((await refresh(tokens[1])).status).toBe(200);
    expect(await profileStatus(token)).toBe(200);
  });

  it("leaves one valid chain of twenty that are sent at the same moment", async () => {
    const { id, refreshToken, token } = await aSession((await aUser()).id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const next = await Promise.all(answers.map(({ body }) => refresh(body.data.refresh_token)));
    expect(next.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(401)]);
    const unspent = await db
      .select()
      .from(tables.refreshTokens)
      .where(and(eq(tables.refreshTokens.sessionId, id), isNull(tables.refreshTokens.spentAt)));
    expect(unspent).toHaveLength(1);
    expect(await profileStatus(token)).toBe(200);
  });

  it("ends the session even within the grace period, once its successor was exchanged", async () => {
    const { refreshToken, token } = await aSession((await aUser()).id);
    const first = (await refresh(refreshToken)).body.data;
    const second = (await refresh(first.refresh_token)).body.data;
    expectRefusal(await refresh(refreshToken));
    expectRefusal(await refresh(second.refresh_token));
    expect(await profileStatus(token)).toBe(401);
  });

  it("does not replace a token that another exchange has replaced meanwhile", async () => {
    const { refreshToken } = await aSession((await aUser()).id);
    const { refresh_token: first } = (await refresh(refreshToken)).body.data;
    let second = "";
    // Right after `first` was accepted, the previous token is sent again and replaces it.
    const DB = interleaved(env.DB, async () => {
      second = (await refresh(refreshToken)).body.data.refresh_token;
    });
    expectRefusal(await callWith({ DB }, "POST /auth/refresh", { body: { refresh_token: first } }));
    expect((await refresh(second)).status).toBe(200);
  });

  it("does not restart its grace period when it is sent again", async () => {
    const { refreshToken } = await aSession((await aUser()).id);
    await refresh(refreshToken);
    const spentAt = Date.now() - 9_000;
    await alter(refreshToken, { spentAt });
    expect((await refresh(refreshToken)).status).toBe(200);
    expect((await stored(refreshToken))?.spentAt).toBe(spentAt);
  });

  it("ends the whole session after the grace period, at once and for good, and no other", async () => {
    const user = await aUser();
    const { refreshToken, token } = await aSession(user.id);
    const other = await aSession(user.id);
    const newest = (await refresh(refreshToken)).body.data;
    expect([await profileStatus(token), await profileStatus(newest.token)]).toEqual([200, 200]);
    await alter(refreshToken, { spentAt: Date.now() - 10_001 });
    expectRefusal(await refresh(refreshToken));
    expect([await profileStatus(token), await profileStatus(newest.token)]).toEqual([401, 401]);
    expectRefusal(await refresh(newest.refresh_token));
    expectRefusal(await refresh(refreshToken));
    expect([await profileStatus(other.token), (await refresh(other.refreshToken)).status]).toEqual([200, 200]);
  });
});

describe("a session", () => {
  const DAYS = 90 * DAY_MS;
  const begun = async (ago: number) => {
    const session = await aSession((await aUser()).id);
    const createdAt = Date.now() - ago;
    await db.update(tables.sessions).set({ createdAt }).where(eq(tables.sessions.id, session.id));
    return { ...session, endsAt: createdAt + DAYS };
  };

  it("ends for good after ninety days, with all of its tokens", async () => {
    const { refreshToken, endsAt } = await begun(DAYS - 600_000);
    const { status, body } = await refresh(refreshToken);
    expect([status, (await stored(body.data.refresh_token))?.expiresAt]).toEqual([200, endsAt]);
    expect(Date.parse(body.data.expires_at)).toBe(Math.floor(endsAt / 1000) * 1000);
  });

  it("that has ended cannot be refreshed, however new its last token is", async () => {
    const { refreshToken } = await begun(DAYS);
    expectRefusal(await refresh(refreshToken));
  });
});

describe("a refresh token is refused", () => {
  it.each(["none", "sfr_", `sfr_${"A".repeat(43)}`])("that is unknown: %s", async (token) => {
    expectRefusal(await refresh(token));
  });

  it("that has expired, and its session continues", async () => {
    const { refreshToken, token } = await aSession((await aUser()).id);
    await alter(refreshToken, { expiresAt: Date.now() });
    expectRefusal(await refresh(refreshToken));
    expect(await profileStatus(token)).toBe(200);
  });

  it("of a disabled or deleted user", async () => {
    const [disabled, gone] = [await aUser(), await aUser()];
    const tokens = [await aSession(disabled.id), await aSession(gone.id)].map(({ refreshToken }) => refreshToken);
    await db.update(tables.users).set({ disabledAt: Date.now() }).where(eq(tables.users.id, disabled.id));
    await db.delete(tables.users).where(eq(tables.users.id, gone.id));
    for (const token of tokens) expectRefusal(await refresh(token));
  });

  it("that is an access token, and vice versa", async () => {
    const { token, refreshToken } = await aSession((await aUser()).id);
    expectRefusal(await call("POST /auth/refresh", { body: { refresh_token: token.slice(0, 200) } }));
    expect(await profileStatus(refreshToken)).toBe(401);
  });
});

it("opens nothing when the session ends while it is refreshed", async () => {
  const { token, refreshToken } = await aSession((await aUser()).id);
  const DB = interleaved(env.DB, () => call("POST /auth/logout", { as: token }));
  const { body } = await callWith({ DB }, "POST /auth/refresh", { body: { refresh_token: refreshToken } });
  expect(await profileStatus(body.data?.token ?? "none")).toBe(401);
  expectRefusal(await refresh(body.data?.refresh_token ?? "none"));
});

it("gives a new token the account's current role", async () => {
  // The last administrator cannot be demoted to customer.
  const [user] = [await aUser({ role: "admin" }), await aUser({ role: "admin" })];
  const { refreshToken } = await aSession(user.id);
  await db.update(tables.users).set({ role: "customer" }).where(eq(tables.users.id, user.id));
  await forgetUser(env, user.id);
  const { body } = await refresh(refreshToken);
  expect(body.data.user.role).toBe("customer");
  expect((await accountNow(user.id)).role).toBe("customer");
});

describe("the rule", () => {
  const NOW = 1_700_000_000_000;
  const GRACE = 10_000;
  const good: RefreshState = {
    expiresAt: NOW + 1,
    spentAt: null,
    endedAt: null,
    endsAt: NOW + 1,
    user: { disabledAt: null },
  };

  it.each<[string, Partial<RefreshState>, ReturnType<typeof checkRefreshToken>]>([
    ["unspent", {}, "rotate"],
    ["spent just now", { spentAt: NOW }, "rotate"],
    ["spent within the grace", { spentAt: NOW - GRACE + 1 }, "rotate"],
    ["spent as long ago as the grace", { spentAt: NOW - GRACE }, "reuse"],
    ["spent long ago", { spentAt: 0 }, "reuse"],
    ["at its expiry", { expiresAt: NOW }, "refuse"],
    ["long after its expiry", { expiresAt: 0 }, "refuse"],
    ["of a session whose ninety days are over", { endsAt: NOW }, "refuse"],
    ["of an ended session", { endedAt: NOW }, "refuse"],
    ["of a session said to end later", { endedAt: NOW + 1 }, "refuse"],
    ["of a disabled user", { user: { disabledAt: NOW } }, "refuse"],
    ["spent within the grace, of an ended session", { spentAt: NOW, endedAt: NOW }, "refuse"],
    ["spent within the grace, of a disabled user", { spentAt: NOW, user: { disabledAt: NOW } }, "refuse"],
    ["spent long ago, of an ended session", { spentAt: 0, endedAt: NOW }, "refuse"],
  ])("a refresh token %s: $2", (_, change, outcome) => {
    expect(checkRefreshToken({ ...good, ...change }, NOW)).toBe(outcome);
  });
});
