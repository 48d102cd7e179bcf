import { eq } from "drizzle-orm";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import * as tables from "../../../src/platform/db/schema.ts";
import { anAccount, aSession, logIn, PASSWORD, profileStatus } from "../../support/accounts.ts";
import { entriesOf } from "../../support/administration.ts";
import { call } from "../../support/call.ts";
import { delivered } from "../../support/emails.ts";
import { anAdministrator } from "../../support/panel.ts";
import { noRules, settleShop } from "../../support/pricing.ts";
import { aRefusal } from "../../support/refusal.ts";
import { aUser, db } from "../../support/shop.ts";
import {
  anAccountWithFactor,
  challengeOf,
  codeOf,
  giveFactor,
  RECOVERY_CODES,
  SECRET,
  wrongCodeOf,
} from "../../support/two-factor.ts";

const begin = (as: string, current_password = PASSWORD) =>
  call("POST /account/two-factor", { as, body: { current_password } });
const confirm = (as: string, code: string) => call("POST /account/two-factor/confirm", { as, body: { code } });
const renew = (as: string, code: string) => call("POST /account/two-factor/recovery-codes", { as, body: { code } });
const disable = (as: string, code: string) => call("POST /account/two-factor/disable", { as, body: { code } });
const statusOf = async (as: string) => (await call("GET /account/two-factor", { as })).body.data;

const rowOf = (userId: number) =>
  db.select().from(tables.totpSecrets).where(eq(tables.totpSecrets.userId, userId)).get();

describe("enabling", () => {
  it("requires the password, then a first code, and returns ten recovery codes", async () => {
    const { token, email } = await anAccount();
    expect(await statusOf(token)).toEqual({ enabled: false, enabled_at: null, recovery_codes_left: 0 });
    const { data } = (await begin(token)).body;
    expect(data.uri).toContain(`:${encodeURIComponent(email)}?`);
    expect(data.uri).toContain(`secret=${data.secret}&`);
    expect(data.qr_code).toMatch(/^<svg /);
    expect((await logIn(email)).body.data).toHaveProperty("token");
    const { status, body } = await confirm(token, codeOf(data.secret));
    expect(status).toBe(200);
    expect(new Set(body.data.recovery_codes).size).toBe(10);
    for (const code of body.data.recovery_codes) expect(code).toMatch(/^([0-9a-z]{4}-){3}[0-9a-z]{4}$/);
    expect(await statusOf(token)).toEqual({ enabled: true, enabled_at: expect.any(String), recovery_codes_left: 10 });
    expect((await logIn(email)).body.data.two_factor_required).toBe(true);
  });

  it("gives the app the shop's name", async () => {
    const { token } = await anAccount();
    expect((await begin(token)).body.data.uri).toContain("issuer=Storefront&");
    await settleShop({ name: "Lamp & Co" });
    expect((await begin(token)).body.data.uri).toContain("issuer=Lamp%20%26%20Co&");
    await noRules();
  });

  it("stores neither the secret nor a recovery code in plain text", async () => {
    const { token, id } = await anAccount();
    const { secret } = (await begin(token)).body.data;
    const codes: string[] = (await confirm(token, codeOf(secret))).body.data.recovery_codes;
    const stored = JSON.stringify([
      await rowOf(id),
      await db.select().from(tables.recoveryCodes).where(eq(tables.recoveryCodes.userId, id)),
    ]);
    for (const value of [secret, ...codes, ...codes.map((code) => code.replaceAll("-", ""))]) {
      expect(stored).not.toContain(value);
    }
  });

  it("ends every session except the current one", async () => {
    const { token, id } = await anAccount();
    const other = await aSession(id);
    expect((await call("GET /account/profile", { as: other.token })).status).toBe(200);
    const { secret } = (await begin(token)).body.data;
    await confirm(token, codeOf(secret));
    expect((await call("GET /account/profile", { as: other.token })).status).toBe(401);
    expect((await call("GET /account/profile", { as: token })).status).toBe(200);
  });

  it("cannot start without the password", async () => {
    const { token, id } = await anAccount();
    expect((await begin(token, "not the password")).body.code).toBe("wrong_password");
    expect(await rowOf(id)).toBe(undefined);
  });

  it("refuses a wrong code, and starts again with another secret", async () => {
    const { token } = await anAccount();
    const first = (await begin(token)).body.data.secret;
    expect((await confirm(token, wrongCodeOf(first))).status).toBe(400);
    const second = (await begin(token)).body.data.secret;
    expect(second).not.toBe(first);
    expect((await confirm(token, codeOf(first))).body.code).toBe("wrong_code");
    expect((await confirm(token, codeOf(second))).status).toBe(200);
  });

  it("distinguishes two secrets of the same millisecond, so that neither is confirmed for the other", async () => {
    const { token, id } = await anAccount();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    await begin(token);
    const first = await rowOf(id);
    await begin(token);
    expect((await rowOf(id))?.createdAt).toBe((first?.createdAt ?? 0) + 1);
  });

  it("is confirmed by one of two simultaneous requests, and can then be neither started nor confirmed again", async () => {
    const { token } = await anAccount();
    const { secret } = (await begin(token)).body.data;
    const answers = await Promise.all([confirm(token, codeOf(secret)), confirm(token, codeOf(secret))]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await begin(token)).body.code).toBe("two_factor_enabled");
    expect((await confirm(token, codeOf(secret, 1))).body.code).toBe("two_factor_enabled");
  });

  it("does not sign in with the code that confirmed it", async () => {
    const { token, email } = await anAccount();
    const { secret } = (await begin(token)).body.data;
    const code = codeOf(secret);
    await confirm(token, code);
    const { challenge } = (await logIn(email)).body.data;
    expect((await call("POST /auth/login/two-factor", { body: { challenge, code } })).body.code).toBe("invalid_code");
  });
});

describe("new recovery codes", () => {
  it("require a code and replace the old ones", async () => {
    const { token, email } = await anAccountWithFactor();
    const { body } = await renew(token, codeOf(SECRET));
    expect(body.data.recovery_codes).toHaveLength(10);
    const { challenge } = (await logIn(email)).body.data;
    const complete = (code: unknown) => call("POST /auth/login/two-factor", { body: { challenge, code } });
    expect((await complete(RECOVERY_CODES[0])).status).toBe(401);
    expect((await complete(body.data.recovery_codes[0])).status).toBe(200);
  });

  it("are refused for a wrong code, which counts as a wrong password does", async () => {
    const { token } = await anAccountWithFactor();
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push((await renew(token, wrongCodeOf(SECRET))).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });
});

describe("disabling", () => {
  it.each([
    ["a code of the app", () => codeOf(SECRET)],
    ["a recovery code", () => RECOVERY_CODES[0] ?? ""],
  ])("accepts %s, and the password is enough from then on", async (_, code) => {
    const { token, email, id } = await anAccountWithFactor();
    expect((await disable(token, wrongCodeOf(SECRET))).body.code).toBe("wrong_code");
    expect((await disable(token, code())).status).toBe(204);
    expect(await rowOf(id)).toBe(undefined);
    expect((await logIn(email)).body.data).toHaveProperty("token");
    expect((await disable(token, code())).body.code).toBe("two_factor_not_enabled");
  });

  it("refuses a code that was used to sign in", async () => {
    const { token, email } = await anAccountWithFactor();
    const code = codeOf(SECRET);
    const { challenge } = (await logIn(email)).body.data;
    expect((await call("POST /auth/login/two-factor", { body: { challenge, code } })).status).toBe(200);
    expect((await disable(token, code)).body.code).toBe("wrong_code");
  });
});

it("audits changes that staff make to their own factor, and wrong guesses", async () => {
  const { token, id } = await anAccountWithFactor({ role: "admin" });
  await renew(token, wrongCodeOf(SECRET));
  await renew(token, codeOf(SECRET));
  await disable(token, codeOf(SECRET, 1));
  const { secret } = (await begin(token)).body.data;
  await confirm(token, codeOf(secret));
  const entries = await db.select().from(tables.auditLog).where(eq(tables.auditLog.subjectId, id));
  expect(entries.map(({ action }) => action)).toEqual([
    "user.code_refused",
    "user.renew_recovery_codes",
    "user.disable_two_factor",
    "user.enable_two_factor",
  ]);
  expect(JSON.stringify(entries)).not.toContain(secret);
});

const remove = (id: number, as: string) => call(`DELETE /admin/users/${id}/two-factor`, { as });
const codesOf = (id: number) => db.select().from(tables.recoveryCodes).where(eq(tables.recoveryCodes.userId, id));

const anAdmin = () => aUser({ role: "admin" });

it("accepts the password alone, ends every session, notifies the account, and is audited", async () => {
  const [admin, lost] = [await anAdmin(), await anAccountWithFactor()];
  expect((await remove(lost.id, admin.token)).status).toBe(204);
  expect(await profileStatus(lost.token)).toBe(401);
  expect(await codesOf(lost.id)).toEqual([]);
  const [told, ...more] = await delivered(lost.email);
  expect(told?.subject).toBe("Two-factor authentication was removed from your account at Storefront");
  expect([told?.text.includes("IP address"), more]).toEqual([false, []]);
  expect(await entriesOf(lost.id)).toMatchObject([{ actor: `user:${admin.id}`, action: "user.remove_two_factor" }]);
  expect((await logIn(lost.email)).body.data).toHaveProperty("token");
});

it("leaves everybody else's unchanged", async () => {
  const [lost, other] = [await anAccountWithFactor(), await anAccountWithFactor()];
  await remove(lost.id, (await anAdmin()).token);
  expect(await profileStatus(other.token)).toBe(200);
  expect(await codesOf(other.id)).toHaveLength(2);
  expect((await logIn(other.email)).body.data.two_factor_required).toBe(true);
});

it("ends a login that waits for its code", async () => {
  const { id, email } = await anAccountWithFactor();
  const challenge = await challengeOf(email);
  await remove(id, (await anAdmin()).token);
  const { body } = await call("POST /auth/login/two-factor", { body: { challenge, code: codeOf(SECRET) } });
  expect(body).toEqual(aRefusal("invalid_challenge"));
});

describe("is refused", () => {
  it("if there is none, or one that was only started, and then ends and notifies nothing", async () => {
    const admin = await anAdmin();
    const [without, begun] = [await anAccount(), await anAccount()];
    await call("POST /account/two-factor", { as: begun.token, body: { current_password: PASSWORD } });
    for (const { id, email, token } of [without, begun]) {
      const { status, body } = await remove(id, admin.token);
      expect([status, body]).toEqual([409, aRefusal("two_factor_not_enabled")]);
      expect(await profileStatus(token)).toBe(200);
      expect(await entriesOf(id)).toEqual([]);
      expect(await delivered(email)).toEqual([]);
    }
  });

  it("for an unknown user", async () => {
    expect((await remove(99_999_999, (await anAdmin()).token)).status).toBe(404);
  });

  it("for one's own account, which requires a code", async () => {
    const admin = await anAccountWithFactor({ role: "admin" });
    const { status, body } = await remove(admin.id, admin.token);
    expect([status, body]).toEqual([409, aRefusal("own_two_factor")]);
    expect(await codesOf(admin.id)).toHaveLength(2);
  });

  it("for one of two simultaneous requests", async () => {
    const [lost, ...admins] = [await anAccountWithFactor(), await anAdmin(), await anAdmin()];
    const answers = await Promise.all(admins.map(({ token }) => remove(lost.id, token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    expect(await entriesOf(lost.id)).toHaveLength(1);
  });
});

it("is not done to a member of staff whose role is changing", async () => {
  const member = await anAccountWithFactor({ role: "viewer", emailVerifiedAt: 1 });
  const body = { role: "support" };
  expect((await call(`PUT /admin/users/${member.id}`, { as: (await anAdmin()).token, body })).status).toBe(200);
  expect(await codesOf(member.id)).toHaveLength(2);
});

describe("the customer's page", () => {
  const BUTTON = "Remove second factor";

  it("has a button for it, only if there is a factor", async () => {
    const [admin, lost] = [await anAdministrator(), await anAccountWithFactor()];
    const path = `/admin/customers/${lost.id}`;
    expect((await admin.get(path)).html).toContain(BUTTON);
    const removed = await admin.post(`${path}/two-factor/remove`);
    expect([removed.status, removed.location]).toEqual([303, path]);
    const { html } = await admin.get(path);
    expect(html).toContain("The second factor was removed.");
    expect(html).not.toContain(BUTTON);
    expect(await delivered(lost.email)).toHaveLength(1);
    expect((await admin.post(`${path}/two-factor/remove`)).status).toBe(409);
  });

  it("has none for one's own account", async () => {
    const admin = await anAdministrator();
    await giveFactor(admin.id);
    const path = `/admin/customers/${admin.id}`;
    expect((await admin.get(path)).html).not.toContain(BUTTON);
    expect((await admin.post(`${path}/two-factor/remove`)).status).toBe(409);
  });

  it("has none for staff other than administrators, and refuses them", async () => {
    const [support, lost] = [await anAdministrator({ role: "support" }), await anAccountWithFactor()];
    const path = `/admin/customers/${lost.id}`;
    expect((await support.get(path)).html).not.toContain(BUTTON);
    expect((await support.post(`${path}/two-factor/remove`)).status).toBe(403);
    expect(await codesOf(lost.id)).toHaveLength(2);
  });
});
