import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { verifyPassword } from "../../src/accounts/users/sign-in/passwords.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { accountNow, anAccount, logIn, PASSWORD } from "../support/accounts.ts";
import { call, callWith } from "../support/call.ts";
import { interleaved } from "../support/faults.ts";
import { PASSWORD_COST } from "../support/password-cost.ts";
import { hashOf } from "../support/password-hash.ts";
import { aRefusal } from "../support/refusal.ts";
import { aKey, aUser, db } from "../support/shop.ts";
import { anAccountWithFactor, challengeOf, codeOf, RECOVERY_CODES, SECRET } from "../support/two-factor.ts";

let newcomers = 0;
const newcomer = () => ({ email: `newcomer-${++newcomers}@shop.test`, password: PASSWORD, name: "Ada Lovelace" });
const accountsOf = (email: string) => db.select().from(tables.users).where(eq(tables.users.email, email));

const WRONG = aRefusal("invalid_credentials", "The e-mail address or the password is not correct");

it("signs up, which also signs in, and signs in again with the address in any case", async () => {
  const { email } = newcomer();
  const signup = { email: `  ${email.toUpperCase()} `, password: PASSWORD, name: " Ada Lovelace " };
  const signedUp = await call("POST /auth/signup", { body: signup });
  const loggedIn = await logIn(email.replace("newcomer", "NewComer"), PASSWORD);
  expect([signedUp.status, loggedIn.status]).toEqual([201, 200]);
  for (const { body } of [signedUp, loggedIn]) {
    expect(body).toEqual({
      status: "success",
      message: expect.any(String),
      data: {
        token: expect.any(String),
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
        refresh_token: expect.stringMatching(/^sfr_[\w-]{43}$/),
        user: { id: expect.any(Number), email, name: "Ada Lovelace", role: "customer" },
        cart_merge: null,
      },
    });
    const { data } = await call("GET /account/profile", { as: body.data.token }).then((answer) => answer.body);
    expect(data).toMatchObject(body.data.user);
  }
  expect(loggedIn.body.data.user).toEqual(signedUp.body.data.user);
  expect(loggedIn.body.data.refresh_token).not.toBe(signedUp.body.data.refresh_token);
});

describe("signup", () => {
  it("reports all errors at once", async () => {
    const { body } = await call("POST /auth/signup", { body: {} });
    expect(body.errors).toEqual({ email: ["is required"], password: ["is required"], name: ["is required"] });
  });

  it("gives an address one account in any case, also for two simultaneous requests", async () => {
    const { email, ...rest } = newcomer();
    const answers = await Promise.all(
      [email, email.toUpperCase()].map((each) => call("POST /auth/signup", { body: { email: each, ...rest } })),
    );
    const refused = answers.find(({ status }) => status !== 201);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400]);
    expect(refused?.body.errors).toEqual({ email: ["is already registered"] });
    expect(await accountsOf(email)).toHaveLength(1);
  });
});

describe("login", () => {
  it("gives the same error for a wrong password, an unknown address and a disabled account", async () => {
    const [user, disabled] = [await anAccount(), await anAccount({ disabledAt: Date.now() })];
    const answers = [
      await logIn(user.email, `${PASSWORD}.`),
      await logIn("nobody@shop.test", PASSWORD),
      await logIn(disabled.email, PASSWORD),
    ];
    for (const { status, headers, body } of answers) {
      expect(status).toBe(401);
      expect(headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
      expect(body).toEqual(WRONG);
    }
  });

  it("accepts exactly the password", async () => {
    const { email } = await anAccount();
    for (const password of [PASSWORD.toUpperCase(), ` ${PASSWORD}`, `${PASSWORD} `]) {
      expect((await logIn(email, password)).status, password).toBe(401);
    }
  });
});

describe("through an API key", () => {
  it("signs up and logs in for a shop that holds sessions:write", async () => {
    const { key } = await aKey({ permissions: ["sessions:write"] });
    const { email, password, name } = newcomer();
    expect((await call("POST /auth/signup", { as: key, body: { email, password, name } })).status).toBe(201);
    expect((await call("POST /auth/login", { as: key, body: { email, password } })).status).toBe(200);
  });

  it.each(["signup", "login", "refresh", "logout"])("needs sessions:write for %s", async (action) => {
    const { key } = await aKey({ permissions: ["read", "users:read", "orders:write"] });
    const { status, body } = await call(`POST /auth/${action}`, { as: key, body: {} });
    expect(status).toBe(403);
    expect(body.message).toContain("sessions:write");
  });
});

it("does not let a login with the old password undo or outlive a simultaneous change", async () => {
  const { id, email, token } = await anAccount();
  const body = { password: "quite another one", current_password: PASSWORD };
  let changed = 0;
  // Right after the login has read the old hash. Its cost is outdated, so the login is about to store a new hash.
  const DB = interleaved(env.DB, async () => {
    changed = (await call("PUT /account/profile", { as: token, body })).status;
  });
  const login = await callWith({ DB }, "POST /auth/login", { body: { email, password: PASSWORD } });
  expect(changed).toBe(200);
  const { passwordHash } = await accountNow(id);
  const session = await call("GET /account/profile", { as: login.body.data?.token ?? "none" });
  expect.soft((await verifyPassword(body.password, passwordHash)).ok).toBe(true);
  expect.soft(session.status).toBe(401);
});

const OLDER = { ...PASSWORD_COST, ln: PASSWORD_COST.ln - 1 };

const composed = "caf\u00e9 \u00c5ngstr\u00f6m";

it("treats equivalent characters from two keyboards as equal", async () => {
  const decomposed = composed.normalize("NFD");
  expect(decomposed).not.toBe(composed);
  const email = "unicode@shop.test";
  const signup = { email, password: decomposed, name: "Zo\u00eb" };
  expect((await call("POST /auth/signup", { body: signup })).status).toBe(201);
  expect((await logIn(email, composed)).status).toBe(200);
});

describe("an outdated hash", () => {
  it("is replaced at login, and the password still works", async () => {
    const older = hashOf("from long ago", OLDER);
    const { id, email } = await anAccount({ passwordHash: older });
    expect((await logIn(email, "from long ago")).status).toBe(200);
    const { passwordHash } = await accountNow(id);
    expect(passwordHash).not.toBe(older);
    expect((await logIn(email, "from long ago")).status).toBe(200);
    expect((await accountNow(id)).passwordHash).toBe(passwordHash);
  });

  it("stays unchanged if the password is wrong or the account disabled", async () => {
    const passwordHash = hashOf("from long ago", OLDER);
    const [user, disabled] = [await anAccount({ passwordHash }), await anAccount({ passwordHash, disabledAt: 1 })];
    expect((await logIn(user.email, "just a guess")).status).toBe(401);
    expect((await logIn(disabled.email, "from long ago")).status).toBe(401);
    for (const { id } of [user, disabled]) expect((await accountNow(id)).passwordHash).toBe(passwordHash);
  });
});

it.each(["password1", "Password123", "12345678", "qwertyuiop", "ILOVEYOU", "trustno1"])(
  "refuses %s at sign-up, in the profile and from an administrator",
  async (password) => {
    const [{ id, token }, admin] = [await anAccount(), await aUser({ role: "admin" })];
    const email = `common-${id}@shop.test`;
    const answers = [
      await call("POST /auth/signup", { body: { email, name: "Common", password } }),
      await call("PUT /account/profile", { as: token, body: { password, current_password: PASSWORD } }),
      await call(`PUT /admin/users/${id}`, { as: admin.token, body: { password } }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.details]).toEqual([400, [{ field: "password", code: "too_common" }]]);
    }
  },
);

it("still accepts users who chose such a password before", async () => {
  const password = "password1";
  const { email } = await anAccount({ passwordHash: hashOf(password, PASSWORD_COST) });
  expect((await call("POST /auth/login", { body: { email, password } })).status).toBe(200);
});

const noticesOf = async (userId: number) =>
  (await db.select().from(tables.emails).where(eq(tables.emails.userId, userId))).map(({ template }) => template);

const from = (address: string) => ({ "CF-Connecting-IP": address });
const logInFrom = (email: string, address: string, password = PASSWORD) =>
  call("POST /auth/login", { body: { email, password }, headers: from(address) });

it("announces a sign-in from a new place once, and no failed ones", async () => {
  const { id, email } = await anAccount();
  await logInFrom(email, "203.0.113.41", "wrong password");
  expect(await noticesOf(id)).toEqual([]);
  await logInFrom(email, "203.0.113.41");
  await logInFrom(email, "203.0.113.41");
  expect(await noticesOf(id)).toEqual(["new_sign_in"]);
  await logInFrom(email, "198.51.100.41");
  expect(await noticesOf(id)).toEqual(["new_sign_in", "new_sign_in"]);
});

it("knows the place of the sign-up", async () => {
  const headers = from("203.0.113.42");
  const account = { email: "at-home@notices.test", password: PASSWORD };
  const { body } = await call("POST /auth/signup", { body: { ...account, name: "New" }, headers });
  await logInFrom(account.email, "203.0.113.42");
  expect(await noticesOf(body.data.user.id)).not.toContain("new_sign_in");
});

it("announces a login with a code when it is complete", async () => {
  const { id, email } = await anAccountWithFactor();
  const challenge = await challengeOf(email);
  expect(await noticesOf(id)).toEqual([]);
  await call("POST /auth/login/two-factor", { body: { challenge, code: codeOf(SECRET) } });
  expect(await noticesOf(id)).toEqual(["new_sign_in"]);
});

it("notifies of a second factor that was enabled or disabled, but not of one that was only started", async () => {
  const [one, other] = [await anAccount(), await anAccountWithFactor()];
  const begun = await call("POST /account/two-factor", { as: one.token, body: { current_password: PASSWORD } });
  expect(await noticesOf(one.id)).toEqual([]);
  await call("POST /account/two-factor/confirm", { as: one.token, body: { code: codeOf(begun.body.data.secret) } });
  expect(await noticesOf(one.id)).toEqual(["two_factor_enabled"]);
  await call("POST /account/two-factor/disable", { as: other.token, body: { code: RECOVERY_CODES[0] } });
  expect(await noticesOf(other.id)).toEqual(["two_factor_disabled"]);
});
