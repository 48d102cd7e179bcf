import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq, like } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { runAll } from "../../src/platform/db/client.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { anAccount, aSession, PASSWORD, profileStatus } from "../support/accounts.ts";
import { type Answer, anAddress, call, requestTo } from "../support/call.ts";
import { aMailbox, delivered, MAIL_FROM, scheduledAt, tokenIn } from "../support/emails.ts";
import { expectRefusal } from "../support/refusal.ts";
import { runsOf } from "../support/runs.ts";
import { aKey, aUser, db } from "../support/shop.ts";
import { anAccountWithFactor, challengeOf, codeOf, SECRET, wrongCodeOf } from "../support/two-factor.ts";

const NEW = "a new and better password";
const MINUTE_MS = 60_000;

const forgot = (email: string, headers: Record<string, string> = {}) =>
  call("POST /auth/forgot-password", { body: { email }, headers });
const reset = (token: string, password = NEW) => call("POST /auth/reset-password", { body: { token, password } });
const logIn = async (email: string, password: string) =>
  (await call("POST /auth/login", { body: { email, password } })).status;

/** Requests a recovery link and returns it from the e-mail. */
async function linkFor(email: string): Promise<string> {
  await forgot(email);
  const [sent] = (await delivered(email)).filter(({ subject }) => subject.startsWith("Reset your password"));
  if (!sent) throw new Error("no e-mail came");
  return tokenIn(sent);
}

function expectEnded(answer: Answer) {
  expectRefusal(answer, 400);
  expect(answer.body.details).toEqual([{ field: "token", code: "link_ended" }]);
}

const age = (hoursOrMs: number) => db.update(tables.linkTokens).set({ expiresAt: Date.now() - hoursOrMs });

beforeEach(async () => {
  await delivered();
});

it("sends a link by which the account gets a new password and a new session, and loses all old ones", async () => {
  const account = await anAccount();
  const other = await aSession(account.id);
  const answer = await reset(await linkFor(account.email));
  expect(answer.status).toBe(200);
  expect(answer.body.data.user).toMatchObject({ id: account.id, email: account.email });
  expect(await profileStatus(answer.body.data.token)).toBe(200);
  expect([await profileStatus(account.token), await profileStatus(other.token)]).toEqual([401, 401]);
  expect((await call("POST /auth/refresh", { body: { refresh_token: other.refreshToken } })).status).toBe(401);
  const refreshed = await call("POST /auth/refresh", { body: { refresh_token: answer.body.data.refresh_token } });
  expect(refreshed.status).toBe(200);
  expect([await logIn(account.email, PASSWORD), await logIn(account.email, NEW)]).toEqual([401, 200]);
});

it("opens no session of an account with a second factor without a code, and ends the old ones", async () => {
  const account = await anAccountWithFactor();
  const waiting = await challengeOf(account.email);
  const token = await linkFor(account.email);
  const { status, body } = await reset(token);
  expect(status).toBe(200);
  expect(Object.keys(body.data).toSorted()).toEqual(["challenge", "expires_at", "two_factor_required"]);
  expect(await profileStatus(account.token)).toBe(401);
  const sessions = await db.select().from(tables.sessions).where(eq(tables.sessions.userId, account.id));
  expect(sessions.filter(({ endedAt }) => endedAt === null)).toEqual([]);
  expectEnded(await reset(token, "yet another password"));
  const complete = (challenge: string, code: string) =>
    call("POST /auth/login/two-factor", { body: { challenge, code } });
  expect((await complete(body.data.challenge, wrongCodeOf(SECRET))).body.code).toBe("invalid_code");
  expect((await complete(waiting, codeOf(SECRET))).body.code).toBe("invalid_challenge");
  const completed = await complete(body.data.challenge, codeOf(SECRET));
  expect(await profileStatus(completed.body.data.token)).toBe(200);
  expect([await logIn(account.email, PASSWORD), await logIn(account.email, NEW)]).toEqual([401, 200]);
});

it("notifies the account of the new password by e-mail", async () => {
  const account = await anAccount();
  await reset(await linkFor(account.email));
  expect(await delivered(account.email)).toMatchObject([{ subject: "Your password for Storefront was changed" }]);
});

it("stores the token only as a hash", async () => {
  const account = await anAccount();
  const token = await linkFor(account.email);
  expect(token).toMatch(/^sfl_[\w-]{43}$/);
  const rows = [await db.select().from(tables.linkTokens), await db.select().from(tables.emails)];
  expect(JSON.stringify(rows)).not.toContain(token.slice(4));
});

it("works once", async () => {
  const account = await anAccount();
  const token = await linkFor(account.email);
  expect((await reset(token)).status).toBe(200);
  expectEnded(await reset(token, "yet another password"));
  expect(await logIn(account.email, NEW)).toBe(200);
});

it("works for one of two at the same instant", async () => {
  const account = await anAccount();
  const token = await linkFor(account.email);
  const answers = await Promise.all([reset(token, "the one password"), reset(token, "the other password")]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const winner = answers[0]?.status === 200 ? "the one password" : "the other password";
  expect(await logIn(account.email, winner)).toBe(200);
  const open = await db.select().from(tables.sessions).where(eq(tables.sessions.userId, account.id));
  // The session of the winner, and that of the login above.
  expect(open.filter(({ endedAt }) => endedAt === null)).toHaveLength(2);
});

it("works only until a newer link is sent", async () => {
  const account = await anAccount();
  const older = await linkFor(account.email);
  const newer = await linkFor(account.email);
  expectEnded(await reset(older));
  expect((await reset(newer)).status).toBe(200);
});

it("works for half an hour, after which its row is deleted", async () => {
  const account = await anAccount();
  const token = await linkFor(account.email);
  const [row] = await db.select().from(tables.linkTokens).where(eq(tables.linkTokens.userId, account.id));
  expect(Number(row?.expiresAt) - Number(row?.createdAt)).toBe(30 * MINUTE_MS);
  await age(1);
  expectEnded(await reset(token));
  await scheduledAt(Date.now(), aMailbox());
  expect(await db.select().from(tables.linkTokens).where(eq(tables.linkTokens.userId, account.id))).toEqual([]);
});

it.each(["", "sfl_unknown", "a".repeat(201)])("refuses an unknown token: %j", async (token) => {
  const answer = await reset(token);
  expect(answer.status).toBe(400);
  expect(answer.body.details[0].field).toBe("token");
});

it("applies the usual rules to the new password, and leaves the link valid", async () => {
  const account = await anAccount();
  const token = await linkFor(account.email);
  const answer = await reset(token, "password");
  expect(answer.body.details).toMatchObject([{ field: "password", code: "too_common" }]);
  expect((await reset(token)).status).toBe(200);
});

it("does not work for an account that was disabled, or whose address has changed", async () => {
  const [disabled, moved] = [await anAccount(), await anAccount()];
  const tokens = [await linkFor(disabled.email), await linkFor(moved.email)];
  await db.update(tables.users).set({ disabledAt: 1 }).where(eq(tables.users.id, disabled.id));
  await db
    .update(tables.users)
    .set({ email: `moved-${moved.id}@shop.test` })
    .where(eq(tables.users.id, moved.id));
  for (const token of tokens) expectEnded(await reset(token));
});

it("resets the wrong passwords that were tried before", async () => {
  const account = await anAccount();
  for (let tried = 0; tried < 6; tried++) await logIn(account.email, "wrong password");
  expect(await logIn(account.email, PASSWORD)).toBe(429);
  const headers = { "CF-Connecting-IP": "2001:db8:feed::1" };
  const token = await linkFor(account.email);
  const answer = await call("POST /auth/reset-password", { body: { token, password: NEW }, headers });
  expect(answer.status).toBe(200);
  const again = await call("POST /auth/login", { body: { email: account.email, password: NEW }, headers });
  expect(again.status).toBe(200);
});

it("is audited for staff, and out of reach of API keys", async () => {
  const admin = await anAccount({ role: "admin" });
  const key = await aKey({ permissions: ["sessions:write"] });
  const token = await linkFor(admin.email);
  expectEnded(await call("POST /auth/reset-password", { as: key.key, body: { token, password: NEW } }));
  expect((await reset(token)).status).toBe(200);
  const { token: as } = await aUser({ role: "admin" });
  const { data } = (await call(`GET /admin/audit-log?subject=user&subject_id=${admin.id}`, { as })).body;
  expect(data).toMatchObject([{ action: "user.reset_password", actor: `user:${admin.id}` }]);
});

describe("the limits", () => {
  it("allow three requests an hour for an account, from anywhere", async () => {
    const { email } = await anAccount();
    const statuses = [];
    for (let asked = 0; asked < 4; asked++) statuses.push((await forgot(email)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await delivered(email)).toHaveLength(3);
  });

  it("allow three requests an hour from an address, for any accounts, and name the wait", async () => {
    const headers = { "CF-Connecting-IP": "192.0.2.50" };
    for (let asked = 0; asked < 3; asked++) expect((await forgot(`a${asked}@limits.test`, headers)).status).toBe(200);
    const refused = await forgot("a4@limits.test", headers);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(3500);
  });

  it("count users and the shoppers of a server like anybody else", async () => {
    const headers = { "CF-Connecting-IP": "192.0.2.51" };
    const { token } = await aUser();
    const ask = (n: number) =>
      call("POST /auth/forgot-password", { as: token, body: { email: `b${n}@limits.test` }, headers });
    for (let asked = 0; asked < 3; asked++) expect((await ask(asked)).status).toBe(200);
    expect((await ask(4)).status).toBe(429);
    const { key } = await aKey({ permissions: ["sessions:write"] });
    const served = (n: number) =>
      call("POST /auth/forgot-password", {
        as: key,
        body: { email: `c${n}@limits.test` },
        headers: { "X-Client-Address": "192.0.2.52" },
      });
    for (let asked = 0; asked < 3; asked++) expect((await served(asked)).status).toBe(200);
    expect((await served(4)).status).toBe(429);
  });
});

describe("an address without an account", () => {
  it("is answered like one with an account, and gets no e-mail", async () => {
    const { email } = await anAccount();
    const [known, unknown] = [await forgot(email), await forgot("nobody@recovery.test")];
    expect(unknown.status).toBe(known.status);
    expect(unknown.body).toEqual(known.body);
    expect([...unknown.headers.keys()].sort()).toEqual([...known.headers.keys()].sort());
    expect((await delivered()).map(({ to }) => to)).toEqual([email]);
    expect(await db.select().from(tables.emails).where(like(tables.emails.recipient, "nobody%"))).toEqual([]);
  });

  it("gets none while its account is disabled, either", async () => {
    const { email } = await anAccount({ disabledAt: 1 });
    expect((await forgot(email)).status).toBe(200);
    expect(await delivered(email)).toEqual([]);
  });

  it("takes equally long, by a rank test of many attempts each", { timeout: 120_000 }, async () => {
    const { EMAIL, delivered } = aMailbox();
    const bindings = { EMAIL, MAIL_FROM };
    const known = Array.from({ length: runsOf(200) }, (_, nth) => `somebody-${nth}@times.test`);
    const account = {
      name: "Somebody",
      foldedWords: null,
      role: "customer" as const,
      passwordHash: "none",
      emailVerifiedAt: 1,
      createdAt: 1,
      updatedAt: 1,
    };
    await runAll(
      db,
      known.map((email) =>
        db
          .insert(tables.users)
          .values({ ...account, email })
          .getSQL(),
      ),
    );
    const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
    const ask = async (kind: "known" | "unknown", email: string, headers: Record<string, string>) => {
      const context = createExecutionContext();
      const request = requestTo("POST /auth/forgot-password", { body: { email }, headers });
      const from = performance.now();
      await (await app.fetch(request, { ...env, ...bindings }, context)).text();
      times[kind].push(performance.now() - from);
      await waitOnExecutionContext(context);
    };
    for (const [index, email] of known.entries()) {
      const order = index % 2 === 0 ? (["known", "unknown"] as const) : (["unknown", "known"] as const);
      // Both requests of a pair share one address. The first opens the address's counter, so each kind comes first
      // equally often.
      const headers = { "CF-Connecting-IP": anAddress() };
      for (const kind of order) await ask(kind, kind === "known" ? email : `nobody-${index}@times.test`, headers);
    }
    expect(Math.abs(rankSum(times.known, times.unknown))).toBeLessThan(4);
    expect(delivered).toHaveLength(known.length);
  });
});

/** Difference between the ranks of two samples, in standard deviations (Mann–Whitney). */
function rankSum(a: number[], b: number[]): number {
  const [n, m] = [a.length, b.length];
  const all = [...a, ...b];
  // The clock has millisecond resolution, so many times are equal. A tie counts as half.
  const u = a.reduce((sum, one) => sum + b.reduce((more, other) => more + (Math.sign(one - other) + 1) / 2, 0), 0);
  const ties = all.reduce((sum, one) => sum + all.filter((other) => other === one).length ** 2 - 1, 0);
  const deviation = Math.sqrt(((n * m) / 12) * (n + m + 1 - ties / ((n + m) * (n + m - 1))));
  return (u - (n * m) / 2) / deviation;
}
