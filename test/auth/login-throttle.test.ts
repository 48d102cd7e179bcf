import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { hashSecret } from "../../src/platform/auth/secrets.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { type Answer, anAddress, call, callWith } from "../support/call.ts";
import { delivered, tokenIn } from "../support/emails.ts";
import { failing, fault } from "../support/faults.ts";
import { aVisitor } from "../support/panel.ts";
import { aRefusal } from "../support/refusal.ts";
import { aKey, aUser, db } from "../support/shop.ts";

const WRONG = "not the password";

type Way = { as?: string | undefined; from?: string; through?: string };

/** A login attempt, by default from an unused address. `through` is the address that a server passes on. */
function logIn(email: string, password: string, { as, from = anAddress(), through }: Way = {}) {
  const headers = { "CF-Connecting-IP": from, ...(through && { "X-Client-Address": through }) };
  return call("POST /auth/login", { as, body: { email, password }, headers });
}

const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status);
const countOf = (answers: Answer[], status: number) => statusesOf(answers).filter((each) => each === status).length;

/** Sends wrong passwords, each from another address, until strangers have to wait. */
const guess = (email: string, count = 6) => Promise.all(Array.from({ length: count }, () => logIn(email, WRONG)));

function expectTooMany({ status, headers, body }: Answer) {
  expect(status).toBe(429);
  expect(Number(headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  expect(Number(headers.get("Retry-After"))).toBeLessThanOrEqual(30);
  expect(body).toEqual(aRefusal("too_many_attempts", expect.stringContaining("Too many wrong passwords")));
}

const GUESSES = 60;

describe("many wrong passwords for one account at once", () => {
  const ways: [who: string, way: (n: number, key: string) => Way][] = [
    ["a premium key, for as many shoppers", (n, key) => ({ as: key, through: `198.51.100.${n}` })],
    ["a premium key, for shoppers it does not name", (_, key) => ({ as: key })],
    ["nobody, from as many addresses", () => ({})],
  ];

  it.each(ways)("by %s: at most 15 are hashed, and the right one is refused too", async (_, way) => {
    const [{ key }, { email }] = [await aKey({ tier: "premium" }), await anAccount()];
    const answers = await Promise.all(Array.from({ length: GUESSES }, (_, n) => logIn(email, WRONG, way(n, key))));
    expect(countOf(answers, 401)).toBeLessThanOrEqual(15);
    expect(countOf(answers, 401) + countOf(answers, 429)).toBe(GUESSES);
    expectTooMany(await logIn(email, PASSWORD, way(GUESSES, key)));
  });

  it("by keys, users and anonymous callers together: at most 15 are hashed", async () => {
    const [{ key }, { email }] = [await aKey({ tier: "premium" }), await anAccount()];
    const users = await Promise.all(Array.from({ length: 4 }, () => aUser()));
    const answers = await Promise.all(
      Array.from({ length: GUESSES }, (_, n) =>
        logIn(email, WRONG, { as: [key, users[n % 4]?.token, undefined][n % 3] }),
      ),
    );
    expect(countOf(answers, 401)).toBeLessThanOrEqual(15);
  });
});

it("gives the same response for an unknown address, attempt by attempt", async () => {
  const { email } = await anAccount();
  const [some, none] = [await inTurn(email), await inTurn("nobody-at-all@shop.test")];
  expect(some).toEqual(none);
  expect(some.slice(4)).toEqual([401, 429, 429]);

  async function inTurn(address: string) {
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) statuses.push((await logIn(address, WRONG)).status);
    return statuses;
  }
});

it("treats an address as the same in any case, and counts others separately", async () => {
  const [{ email }, other] = [await anAccount(), await anAccount()];
  await guess(email.toUpperCase());
  expectTooMany(await logIn(` ${email} `, PASSWORD));
  expect((await logIn(other.email, PASSWORD)).status).toBe(200);
});

describe("an origin that signed in before", () => {
  it.each<[string, (key: string) => Way]>([
    ["its own", () => ({ from: "203.0.113.7" })],
    ["that of its /64", () => ({ from: "2001:db8:7777:7::1" })],
    ["one that a server passes on", (key) => ({ as: key, through: "203.0.113.8" })],
    ["that of a server which passes none on", (key) => ({ as: key })],
  ])("signs in while strangers guess: %s", async (_, wayOf) => {
    const [{ key }, { email }] = [await aKey(), await anAccount()];
    const way = wayOf(key);
    expect((await logIn(email, PASSWORD, way)).status).toBe(200);
    await guess(email, 12);
    expectTooMany(await logIn(email, PASSWORD));
    expect((await logIn(email, WRONG, way)).status).toBe(401);
    expect((await logIn(email, PASSWORD, way)).status).toBe(200);
  });

  it("includes the one that signed up", async () => {
    const email = "signed-up-at-home@shop.test";
    const headers = { "CF-Connecting-IP": "203.0.113.9" };
    await call("POST /auth/signup", { body: { email, password: PASSWORD, name: "New" }, headers });
    await guess(email);
    expect((await logIn(email, PASSWORD, { from: "203.0.113.9" })).status).toBe(200);
  });

  it("is still known after its object was evicted, and so are the failures", async () => {
    const { email } = await anAccount();
    await logIn(email, PASSWORD, { from: "203.0.113.10" });
    await guess(email);
    await evictDurableObject(env.LOGIN_THROTTLE.getByName(hashSecret(email)));
    expectTooMany(await logIn(email, PASSWORD));
    expect((await logIn(email, PASSWORD, { from: "203.0.113.10" })).status).toBe(200);
  });
});

describe("somebody who opened an account with another person's address", () => {
  const from = "203.0.113.11";
  const squatter = { "CF-Connecting-IP": from, "Idempotency-Key": "squatted" };
  const squat = (email: string) =>
    call("POST /auth/signup", { body: { email, password: PASSWORD, name: "Eve" }, headers: squatter });

  async function aProvenAccount() {
    const email = `squatted-${crypto.randomUUID()}@shop.test`;
    await squat(email);
    const [sent = { text: "" }] = await delivered(email);
    const { body } = await call("POST /auth/verify-email", { body: { token: tokenIn(sent) } });
    expect(body.data.new_password_needed).toBe(true);
    return email;
  }

  it("gets no more attempts by repeating the sign-up", async () => {
    const email = await aProvenAccount();
    await guess(email);
    expectTooMany(await logIn(email, WRONG, { from }));
    expect((await squat(email)).headers.get("Idempotent-Replayed")).toBe("true");
    expectTooMany(await logIn(email, WRONG, { from }));
  });

  it("counts as a stranger once the owner has proved the address, or has opened an account with it", async () => {
    const proven = await aProvenAccount();
    await guess(proven);
    expectTooMany(await logIn(proven, WRONG, { from }));
    const left = `left-${crypto.randomUUID()}@shop.test`;
    await squat(left);
    await db
      .update(tables.users)
      .set({ email: `elsewhere-${left}` })
      .where(eq(tables.users.email, left));
    await call("POST /auth/signup", { body: { email: left, password: PASSWORD, name: "Owner" } });
    await guess(left);
    expectTooMany(await logIn(left, WRONG, { from }));
  });
});

it("resets four failures when the fifth attempt succeeds", async () => {
  const { email } = await anAccount();
  const from = "203.0.113.20";
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 4; n++) expect((await logIn(email, WRONG, { from })).status).toBe(401);
    expect((await logIn(email, PASSWORD, { from })).status).toBe(200);
  }
});

it("does not reveal administrators' passwords to a key through its count", async () => {
  const [{ key }, { email }] = [await aKey(), await anAccount({ role: "admin" })];
  const statuses: number[] = [];
  for (const password of [WRONG, WRONG, PASSWORD, WRONG, WRONG, WRONG]) {
    statuses.push((await logIn(email, password, { as: key, through: "203.0.113.30" })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
});

it("counts the passwords required to change a profile", async () => {
  const { email, token } = await anAccount();
  const change = (current_password: string) =>
    call("PUT /account/profile", { as: token, body: { email: `new-${email}`, current_password } });
  const answers = await Promise.all(Array.from({ length: 8 }, () => change(WRONG)));
  expect([countOf(answers, 400), countOf(answers, 429)]).toEqual([5, 3]);
  expectTooMany(await change(PASSWORD));
  expectTooMany(await logIn(email, PASSWORD));
  expect((await call("PUT /account/profile", { as: token, body: { name: "Renamed" } })).status).toBe(200);
});

it("counts the panel's attempts, and shows its page again with advice", async () => {
  const { email } = await anAccount({ role: "admin" });
  const signIn = (password: string) => aVisitor().post("/admin/sign-in", { email, password });
  for (let n = 0; n < 5; n++) expect((await signIn(WRONG)).status).toBe(401);
  const refused = await signIn(PASSWORD);
  expect(refused.status).toBe(429);
  expect(refused.html).toContain("Too many wrong passwords");
  expectTooMany(await logIn(email, PASSWORD));
});

it("stores nothing about an account whose failures have expired", async () => {
  const email = "forgotten@shop.test";
  await logIn(email, WRONG);
  const throttle = env.LOGIN_THROTTLE.getByName(hashSecret(email));
  const stored = () => runInDurableObject(throttle, async (_, { storage }) => (await storage.list()).size);
  expect(await stored()).toBe(1);
  await runDurableObjectAlarm(throttle);
  expect(await stored()).toBe(1);
  const old = { failures: [["", { count: 9, lastAt: 1 }]], known: [] };
  await runInDurableObject(throttle, (_, { storage }) => storage.put("attempts", old));
  await evictDurableObject(throttle);
  expect(await runDurableObjectAlarm(throttle)).toBe(true);
  expect(await stored()).toBe(0);
});

it("accepts a login uncounted if its object cannot answer, but never without the password", async () => {
  const { email } = await anAccount();
  const bindings = { LOGIN_THROTTLE: failing(env.LOGIN_THROTTLE, [fault()]).namespace };
  const attempt = (password: string) => callWith(bindings, "POST /auth/login", { body: { email, password } });
  expect(statusesOf([await attempt(WRONG), await attempt(PASSWORD)])).toEqual([401, 200]);
});
