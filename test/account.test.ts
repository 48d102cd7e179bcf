import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { verifyPassword } from "../src/accounts/users/sign-in/passwords.ts";
import { forgetUser } from "../src/platform/auth/user-limiter.ts";
import * as tables from "../src/platform/db/schema.ts";
import { accountNow, anAccount, aSession, PASSWORD, profileStatus } from "./support/accounts.ts";
import { type Answer, call, callWith } from "./support/call.ts";
import { aMailbox, delivered, MAIL_FROM } from "./support/emails.ts";
import { interleaved } from "./support/faults.ts";
import { aRefusal, expectRefusal } from "./support/refusal.ts";
import { aKey, aUser, db } from "./support/shop.ts";

const LINES = ["GET /account/profile", "PUT /account/profile"];

const change = (as: string, body: unknown) => call("PUT /account/profile", { as, body });
const logIn = async (email: string, password: string) =>
  (await call("POST /auth/login", { body: { email, password } })).status;

/** Every response in this file either passes through here or is compared as a whole. */
function expectNoSecret({ body }: Answer) {
  expect(JSON.stringify(body)).not.toMatch(/scrypt|hash|password/i);
}

it("shows the whole profile without any password data", async () => {
  const user = await aUser({ wallet: 1250, name: "Ada Lovelace" });
  const answer = await call("GET /account/profile", { as: user.token });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    status: "success",
    message: expect.any(String),
    data: {
      id: user.id,
      email: user.email,
      email_verified_at: new Date(Number(user.emailVerifiedAt)).toISOString(),
      pending_email: null,
      name: "Ada Lovelace",
      role: "customer",
      erase_at: null,
      phone: null,
      company: null,
      accepts_marketing: false,
      tax_exempt_reason: null,
      metadata: {},
      wallet_balance: 12.5,
      wallet_locked_until: null,
      currency: "USD",
      created_at: new Date(user.createdAt).toISOString(),
      updated_at: new Date(user.updatedAt).toISOString(),
    },
  });
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  expectNoSecret(answer);
});

it("changes only the name, without a password, and shows it from then on", async () => {
  const user = await aUser({ wallet: 500 });
  const before = await accountNow(user.id);
  const answer = await change(user.token, { name: "  Grace Hopper " });
  expect(answer.status).toBe(200);
  expect(answer.body.data).toMatchObject({ id: user.id, name: "Grace Hopper", email: user.email, wallet_balance: 5 });
  expect((await call("GET /account/profile", { as: user.token })).body.data).toEqual(answer.body.data);
  const after = await accountNow(user.id);
  expect(after).toEqual({ ...before, name: "Grace Hopper", sortName: "Grace Hopper", updatedAt: after.updatedAt });
  expect(after.updatedAt).toBeGreaterThanOrEqual(before.updatedAt);
  expectNoSecret(answer);
});

describe("a change is refused", () => {
  it.each<[body: unknown, field: string]>([
    [{ current_password: PASSWORD }, "body"],
    [{ name: "New", email: "new@shop.test" }, "current_password"],
    [{ name: "New", current_password: "a wrong one" }, "current_password"],
  ])("%j, on %s, and changes nothing", async (body, field) => {
    const user = await anAccount();
    const other = await aSession(user.id);
    const before = await accountNow(user.id);
    const answer = await change(user.token, body);
    expectRefusal(answer, 400, field);
    expect(Object.keys(answer.body.errors)).toEqual([field]);
    expect(await accountNow(user.id)).toEqual(before);
    expect(await profileStatus(other.token)).toBe(200);
  });

  it("to an address that is taken, in any case, together with the other fields sent", async () => {
    const [user, other] = [await anAccount(), await aUser()];
    const session = await aSession(user.id);
    const before = await accountNow(user.id);
    const body = { name: "New", email: other.email.toUpperCase(), password: "a new one", current_password: PASSWORD };
    const answer = await change(user.token, body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual({ email: ["is already registered"] });
    expect(await accountNow(user.id)).toEqual(before);
    expect(await profileStatus(session.token)).toBe(200);
  });
});

it("changes the address if the password is right, keeps sessions, and accepts the current address", async () => {
  const user = await anAccount();
  const other = await aSession(user.id);
  for (const [email, pending_email] of [
    [user.email, null],
    [`New-${user.email}`, `new-${user.email}`],
  ]) {
    const answer = await change(user.token, { email, current_password: PASSWORD });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ email: user.email, pending_email });
    expectNoSecret(answer);
  }
  expect([await profileStatus(user.token), await profileStatus(other.token)]).toEqual([200, 200]);
  expect([await logIn(user.email, PASSWORD), await logIn(`new-${user.email}`, PASSWORD)]).toEqual([200, 401]);
});

it("ends every session except the current one when the password changes", async () => {
  const [user, stranger] = [await anAccount(), await aUser()];
  const [own, other] = [await aSession(user.id), await aSession(user.id)];
  // Use every token once, so that each limiter has a session in memory.
  for (const { token } of [own, other, user, stranger]) expect(await profileStatus(token)).toBe(200);
  const answer = await change(own.token, { password: "a new password", current_password: PASSWORD });
  expect(answer.status).toBe(200);
  expectNoSecret(answer);
  const after = await Promise.all([own, other, user, stranger].map(({ token }) => profileStatus(token)));
  expect(after).toEqual([200, 401, 401, 200]);
  const refreshed = await Promise.all(
    [own, other].map(({ refreshToken }) => call("POST /auth/refresh", { body: { refresh_token: refreshToken } })),
  );
  expect(refreshed.map(({ status }) => status)).toEqual([200, 401]);
  expect([await logIn(user.email, PASSWORD), await logIn(user.email, "a new password")]).toEqual([401, 200]);
});

it.each(LINES)("%s is only for users", async (line) => {
  const body = line.startsWith("PUT") ? { name: "New" } : undefined;
  const anonymous = await call(line, { body });
  expect(anonymous.status).toBe(401);
  expect(anonymous.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
  const key = await call(line, { as: (await aKey()).key, body });
  expect(key.status).toBe(403);
  for (const [{ body }, code] of [
    [anonymous, "unauthorized"],
    [key, "user_token_required"],
  ] as const) {
    expect(body).toEqual(aRefusal(code, expect.stringContaining("user token")));
  }
});

it("refuses the token of a disabled or deleted user, at once if their limiter was notified", async () => {
  const [disabled, gone] = [await aUser(), await aUser()];
  for (const { token } of [disabled, gone]) expect(await profileStatus(token)).toBe(200);
  await db.update(tables.users).set({ disabledAt: Date.now() }).where(eq(tables.users.id, disabled.id));
  await db.delete(tables.users).where(eq(tables.users.id, gone.id));
  for (const { id, token } of [disabled, gone]) {
    await forgetUser(env, id);
    for (const line of [...LINES, "GET /files"]) {
      const { status, headers } = await call(line, {
        as: token,
        body: line.startsWith("PUT") ? { name: "New" } : undefined,
      });
      expect(status, line).toBe(401);
      expect(headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
    }
  }
  expect((await accountNow(disabled.id)).name).toBe(disabled.name);
});

it("writes nothing if the verified password was replaced in the meantime", async () => {
  const user = await anAccount();
  const thief = await aSession(user.id);
  let changed = 0;
  // The owner sets a new password right after the account was read to verify the old one.
  const DB = interleaved(env.DB, async () => {
    changed = (await change(user.token, { password: "a new password", current_password: PASSWORD })).status;
  });
  const body = { email: "thief@shop.test", password: "the thief's own", current_password: PASSWORD };
  const { status } = await callWith({ DB }, "PUT /account/profile", { as: thief.token, body });
  expect([changed, status]).toEqual([200, 409]);
  const { email, passwordHash } = await accountNow(user.id);
  expect([email, (await verifyPassword("a new password", passwordHash)).ok]).toEqual([user.email, true]);
  expect(await profileStatus(user.token)).toBe(200);
});

it("e-mails a notice of a new password after the response, and none for refused changes", async () => {
  await delivered();
  const account = await anAccount();
  const mailbox = aMailbox();
  const bindings = { EMAIL: mailbox.EMAIL, MAIL_FROM };
  const headers = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "CF-Connecting-IP": "192.0.2.77",
  };
  const put = (current_password: string) =>
    callWith(bindings, "PUT /account/profile", {
      as: account.token,
      headers,
      body: { password: "another password", current_password },
    });
  expect((await put("not the password")).status).toBe(400);
  expect(mailbox.delivered).toEqual([]);
  expect((await put(PASSWORD)).status).toBe(200);
  expect(mailbox.delivered).toMatchObject([{ to: account.email, subject: "Your password for Storefront was changed" }]);
  expect(mailbox.delivered[0]?.text).toContain("IP address: 192.0.2.77\nDevice: Firefox on Linux");
  expect(await delivered(account.email)).toEqual([]);
});
