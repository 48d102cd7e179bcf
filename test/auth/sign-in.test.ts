import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { verifyPassword } from "../../src/accounts/users/sign-in/passwords.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { accountNow, anAccount, logIn, PASSWORD } from "../support/accounts.ts";
import { call, callWith } from "../support/call.ts";
import { interleaved } from "../support/faults.ts";
import { aRefusal } from "../support/refusal.ts";
import { aKey, db } from "../support/shop.ts";

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
  it.each<[field: string, value: unknown]>([
    ["email", undefined],
    ["email", null],
    ["email", 7],
    ["email", "no address"],
    ["email", `${"x".repeat(250)}@shop.test`],
    ["password", undefined],
    ["password", "7 chars"],
    ["password", "x".repeat(129)],
    ["password", 12_345_678],
    ["name", undefined],
    ["name", " "],
    ["name", "x".repeat(101)],
    ["name", "two\nlines"],
    ["role", "admin"],
    ["wallet_balance", 1000],
    ["id", 1],
  ])("refuses %s %j on that field and creates no account", async (field, value) => {
    const { email, ...rest } = newcomer();
    const { status, body } = await call("POST /auth/signup", { body: { email, ...rest, [field]: value } });
    expect(status).toBe(400);
    expect(body.errors).toEqual({ [field]: [expect.any(String)] });
    expect(await accountsOf(email)).toEqual([]);
  });

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

  it.each([
    [{ password: PASSWORD }, "email"],
    [{ email: "nobody@shop.test" }, "password"],
    [{ email: "nobody@shop.test", password: "" }, "password"],
    [{ email: { $ne: null }, password: PASSWORD }, "email"],
    [{ email: "nobody@shop.test", password: "x".repeat(129) }, "password"],
  ])("refuses the body %j on %s", async (body, field) => {
    const answer = await call("POST /auth/login", { body });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
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
