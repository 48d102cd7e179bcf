import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { resealTotpSecrets } from "../../../src/accounts/users/two-factor/two-factor.ts";
import { hashSecret } from "../../../src/platform/auth/secrets.ts";
import * as tables from "../../../src/platform/db/schema.ts";
import { everyMinute } from "../../../src/scheduled.ts";
import { anAccount, aSession, PASSWORD } from "../../support/accounts.ts";
import { call, callWith } from "../../support/call.ts";
import { failing, fault } from "../../support/faults.ts";
import { aRefusal } from "../../support/refusal.ts";
import { aKey, aProduct, db, settings } from "../../support/shop.ts";
import {
  anAccountWithFactor,
  challengeOf,
  codeOf,
  RECOVERY_CODES,
  SECRET,
  wrongCodeOf,
} from "../../support/two-factor.ts";

const [RECOVERY = ""] = RECOVERY_CODES;

const complete = (challenge: string, code: string, more: object = {}, as?: string) =>
  call("POST /auth/login/two-factor", { as, body: { challenge, code, ...more } });
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted();
const sessionsOf = (userId: number) => db.select().from(tables.sessions).where(eq(tables.sessions.userId, userId));

it("returns a challenge and no session for the right password, and the session for the code", async () => {
  const { email, id } = await anAccountWithFactor();
  const { status, body } = await call("POST /auth/login", { body: { email, password: PASSWORD } });
  expect([status, body.data]).toEqual([
    200,
    {
      two_factor_required: true,
      challenge: expect.stringMatching(/^sfl_[\w-]{43}$/),
      expires_at: expect.stringMatching(/Z$/),
    },
  ]);
  expect(await sessionsOf(id)).toHaveLength(1);
  const { body: completed } = await complete(body.data.challenge, codeOf(SECRET));
  expect(completed.data.user).toMatchObject({ id, email });
  expect((await call("GET /account/profile", { as: completed.data.token })).status).toBe(200);
  expect((await sessionsOf(id)).map(({ twoFactor }) => twoFactor).toSorted()).toEqual([false, true]);
});

it("accepts a code with the space that apps show, and keeps the guest's cart", async () => {
  const { email } = await anAccountWithFactor();
  const guest = await call("POST /cart", { as: (await aKey()).key, body: { product_id: (await aProduct()).id } });
  const code = codeOf(SECRET).replace(/(...)/, "$1 ");
  const { body } = await complete(await challengeOf(email), code, { cart_token: guest.body.data.token });
  expect(body.data.cart_merge).not.toBe(null);
});

describe("a code works once", () => {
  it("when it is sent again with another challenge, and an earlier one after it", async () => {
    const { email } = await anAccountWithFactor();
    const [earlier, later] = [codeOf(SECRET), codeOf(SECRET, 1)];
    expect((await complete(await challengeOf(email), later)).status).toBe(200);
    const challenge = await challengeOf(email);
    for (const code of [later, earlier]) {
      const { status, body } = await complete(challenge, code);
      expect([status, body]).toEqual([401, aRefusal("invalid_code")]);
    }
  });

  it.each([
    ["of the app", () => codeOf(SECRET)],
    ["for recovery", () => RECOVERY],
  ])("of two simultaneous challenges: one %s", async (_, codeNow) => {
    const { email, id } = await anAccountWithFactor();
    const [one, other] = [await challengeOf(email), await challengeOf(email)];
    const code = codeNow();
    const answers = await Promise.all([complete(one, code), complete(other, code)]);
    expect(statusesOf(answers)).toEqual([200, 401]);
    expect(await sessionsOf(id)).toHaveLength(2);
  });

  it("and so does the challenge, of two simultaneous codes", async () => {
    const { email, id } = await anAccountWithFactor();
    const challenge = await challengeOf(email);
    const answers = await Promise.all([complete(challenge, codeOf(SECRET)), complete(challenge, RECOVERY)]);
    expect(statusesOf(answers)).toEqual([200, 401]);
    expect(await sessionsOf(id)).toHaveLength(2);
    expect((await complete(challenge, codeOf(SECRET, 1))).body.code).toBe("invalid_challenge");
  });
});

it("accepts a recovery code once, however it is typed, and counts the remaining ones", async () => {
  const { email } = await anAccountWithFactor();
  const typed = RECOVERY.toUpperCase().replaceAll("-", " ");
  const { body } = await complete(await challengeOf(email), typed);
  const status = await call("GET /account/two-factor", { as: body.data.token });
  expect(status.body.data.recovery_codes_left).toBe(1);
  expect((await complete(await challengeOf(email), RECOVERY)).body.code).toBe("invalid_code");
});

it("refuses somebody else's recovery code", async () => {
  const [one, other] = [await anAccountWithFactor(), await anAccountWithFactor()];
  await complete(await challengeOf(one.email), RECOVERY);
  expect((await complete(await challengeOf(other.email), RECOVERY)).status).toBe(200);
});

describe("guessing", () => {
  const withoutThrottle = { LOGIN_THROTTLE: failing(env.LOGIN_THROTTLE, [fault()]).namespace };

  it("locks the challenge after 15 wrong codes, even where nothing else counts them", async () => {
    const { email, id } = await anAccountWithFactor();
    const challenge = await challengeOf(email);
    const guess = (code: string) =>
      callWith(withoutThrottle, "POST /auth/login/two-factor", { body: { challenge, code } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => guess(wrongCodeOf(SECRET))));
    const codes = answers.map(({ body }) => body.code);
    expect(codes.filter((code) => code === "invalid_code")).toHaveLength(15);
    expect(codes.filter((code) => code === "invalid_challenge")).toHaveLength(5);
    expect((await guess(codeOf(SECRET))).body).toEqual(aRefusal("invalid_challenge"));
    expect(await sessionsOf(id)).toHaveLength(1);
    expect((await complete(await challengeOf(email), codeOf(SECRET))).status).toBe(200);
  });

  it("is slowed down as wrong passwords are, and a right password in between resets nothing", async () => {
    const { email } = await anAccountWithFactor();
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) {
      const { status, body } = await call("POST /auth/login", { body: { email, password: PASSWORD } });
      statuses.push(status);
      if (status === 200) statuses.push((await complete(body.data.challenge, wrongCodeOf(SECRET))).status);
    }
    expect(statuses).toEqual([200, 401, 200, 401, 200, 429]);
  });

  it("is forgotten once a code is right", async () => {
    const { email } = await anAccountWithFactor();
    const challenge = await challengeOf(email);
    for (let n = 0; n < 3; n++) await complete(challenge, wrongCodeOf(SECRET));
    expect((await complete(challenge, codeOf(SECRET))).status).toBe(200);
    for (let n = 0; n < 5; n++) {
      expect((await call("POST /auth/login", { body: { email, password: "wrong" } })).status).toBe(401);
    }
  });
});

describe("a challenge", () => {
  it.each(["", "sfl_none", "x".repeat(200)])("that is %j is invalid", async (challenge) => {
    expect([400, 401]).toContain((await complete(challenge, "123456")).status);
  });

  it("expires after ten minutes, and its row is deleted", async () => {
    const { email, id } = await anAccountWithFactor();
    const challenge = await challengeOf(email);
    const row = () => db.select().from(tables.loginChallenges).where(eq(tables.loginChallenges.userId, id)).get();
    const expiresAt = (await row())?.expiresAt ?? 0;
    expect(Math.round((expiresAt - Date.now()) / 60_000)).toBe(10);
    await everyMinute(env, expiresAt - 1);
    expect((await row())?.hash).toBe(hashSecret(challenge));
    await db.update(tables.loginChallenges).set({ expiresAt: Date.now() }).where(eq(tables.loginChallenges.userId, id));
    expect((await complete(challenge, codeOf(SECRET))).body.code).toBe("invalid_challenge");
    await everyMinute(env, Date.now());
    expect(await row()).toBe(undefined);
  });

  it("is invalid once the password has changed, or the factor or the account is disabled", async () => {
    const [changed, without, disabled] = [
      await anAccountWithFactor(),
      await anAccountWithFactor(),
      await anAccountWithFactor(),
    ];
    const challenges = [
      await challengeOf(changed.email),
      await challengeOf(without.email),
      await challengeOf(disabled.email),
    ];
    const body = { password: "another password", current_password: PASSWORD };
    expect((await call("PUT /account/profile", { as: changed.token, body })).status).toBe(200);
    await call("POST /account/two-factor/disable", { as: without.token, body: { code: RECOVERY } });
    await db.update(tables.users).set({ disabledAt: 1 }).where(eq(tables.users.id, disabled.id));
    for (const challenge of challenges) {
      expect((await complete(challenge, codeOf(SECRET))).body.code).toBe("invalid_challenge");
    }
  });

  it("of a member of staff cannot be completed by an API key", async () => {
    const { email } = await anAccountWithFactor({ role: "admin" });
    const challenge = await challengeOf(email);
    const { key } = await aKey();
    expect((await complete(challenge, codeOf(SECRET), {}, key)).body.code).toBe("invalid_challenge");
    expect((await complete(challenge, codeOf(SECRET))).status).toBe(200);
  });
});

it("audits staff's sign-ins with the code, and wrong codes", async () => {
  const { email, id } = await anAccountWithFactor({ role: "admin" });
  const challenge = await challengeOf(email);
  await complete(challenge, wrongCodeOf(SECRET));
  await complete(challenge, codeOf(SECRET));
  const entries = await db.select().from(tables.auditLog).where(eq(tables.auditLog.subjectId, id));
  expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
    ["anonymous", "user.code_refused"],
    [`user:${id}`, "user.sign_in"],
  ]);
});

it("never opens a session of such an account without a code, by any route", async () => {
  const { id } = await anAccountWithFactor();
  await expect(aSession(id)).rejects.toThrow();
  expect(await sessionsOf(id)).toHaveLength(1);
});

describe("a secret of the deployment that was rotated", () => {
  const other = "Zq8vN2kLx5Rw7Tb1Yc4Mf9Hj3Pd6Sg0A";

  it("seals every factor again, so that the older secret can be removed", async () => {
    const { id } = await anAccountWithFactor();
    await resealTotpSecrets(db, [other, ...settings.linkSecrets], Date.now());
    const LINK_SECRET = other;
    const { email } = await db
      .select()
      .from(tables.users)
      .where(eq(tables.users.id, id))
      .get()
      .then((row) => row ?? { email: "" });
    const challenge = await challengeOf(email);
    const body = { challenge, code: codeOf(SECRET) };
    expect((await callWith({ LINK_SECRET }, "POST /auth/login/two-factor", { body })).status).toBe(200);
  });

  it("leaves recovery codes valid if it was removed too soon", async () => {
    const { email } = await anAccountWithFactor();
    const challenge = await challengeOf(email);
    const ask = (code: string) =>
      callWith({ LINK_SECRET: other }, "POST /auth/login/two-factor", { body: { challenge, code } });
    expect([(await ask(codeOf(SECRET))).status, (await ask(RECOVERY)).status]).toEqual([401, 200]);
  });
});

it("requires no code of users without a second factor", async () => {
  const { email } = await anAccount();
  const { body } = await call("POST /auth/login", { body: { email, password: PASSWORD } });
  expect(body.data).toHaveProperty("token");
  expect(body.data).not.toHaveProperty("two_factor_required");
});
