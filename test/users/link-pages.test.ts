import { createExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { accountNow, anAccount, PASSWORD } from "../support/accounts.ts";
import { call, requestTo } from "../support/call.ts";
import { delivered, tokenIn } from "../support/emails.ts";
import { noRules, settleShop } from "../support/pricing.ts";
import { aUser, db } from "../support/shop.ts";
import { anAccountWithFactor, codeOf, SECRET } from "../support/two-factor.ts";

const ORIGIN = "https://shop.test";

async function open(path: string, bindings: Partial<Env> = {}) {
  const response = await app.fetch(
    requestTo(`GET ${ORIGIN}${path}`),
    { ...env, ...bindings },
    createExecutionContext(),
  );
  return { status: response.status, headers: response.headers, html: await response.text() };
}

async function send(
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { Origin: ORIGIN },
) {
  const request = requestTo(`POST ${ORIGIN}${path}`, {
    body: new URLSearchParams(fields).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
  });
  const response = await exports.default.fetch(request, { redirect: "manual" });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** The path of the link in the last e-mail to an address. */
async function linkTo(email: string) {
  const sent = (await delivered(email)).at(-1) ?? { text: "" };
  const [path = ""] = /\/account\/\w+\?token=\S+/.exec(sent.text) ?? [];
  return { path, page: path.split("?")[0] ?? "", token: tokenIn(sent) };
}

beforeEach(async () => {
  await delivered();
});

it("sends a link for a forgotten password on request, and gives the same answer for an unknown address", async () => {
  const { email } = await anAccount();
  const answers = [];
  for (const typed of [email, "nobody-has-this@addresses.test"]) {
    const { status, headers } = await send("/account/forgot", { email: typed, from: "panel" });
    answers.push([status, headers.get("Location")]);
  }
  expect(answers).toEqual(answers.map(() => [303, "/account/forgot/sent?from=panel"]));
  const sent = await open("/account/forgot/sent?from=panel");
  expect(sent.html).toContain("If the address belongs to an account");
  expect(sent.html).toContain('href="/admin/sign-in"');
  expect((await linkTo(email)).page).toBe("/account/reset");
  const wrong = await send("/account/forgot", { email: "no address", from: "panel" });
  expect(wrong.status).toBe(400);
  expect(wrong.html).toContain('value="no address"');
  expect(wrong.html).toContain('name="from" value="panel"');
});

it("requests a link at most three times an hour, whoever asks", async () => {
  const { email } = await anAccount();
  for (let asked = 0; asked < 3; asked++) expect((await send("/account/forgot", { email })).status).toBe(303);
  const refused = await send("/account/forgot", { email });
  expect(refused.status).toBe(429);
  expect(refused.html).toContain(`value="${email}"`);
});

it("ends with a way to sign in: staff in the panel, customers in the shop if its address is set", async () => {
  const [customer, support] = [await aUser(), await aUser({ role: "support" })];
  const linksAfterReset = async (email: string) => {
    await call("POST /auth/forgot-password", { body: { email } });
    const { page, token } = await linkTo(email);
    const { html } = await send(page, { token, password: "quite another password" });
    return [...html.matchAll(/<a class="button[^>]* href="([^"]+)"/g)].map(([, href]) => href);
  };
  expect(await linksAfterReset(support.email)).toEqual(["/admin/sign-in"]);
  expect(await linksAfterReset(customer.email)).toEqual([]);
  const { html } = await open("/account/forgot/sent", { ORDER_URL: "https://shop.example/orders/{reference}" });
  expect(html).toContain('href="https://shop.example">Go to Storefront</a>');
});

it("shows the shop's name instead of the panel's", async () => {
  await settleShop({ name: "Lamp & Co" });
  const [shown, missing] = [await open("/account/reset?token=none"), await open("/account/nothing")];
  await noRules();
  for (const { html } of [shown, missing]) {
    expect(html).toMatch(/<header class="brand">.*Lamp &amp; Co<\/header>/);
    expect(html).not.toContain("Storefront");
  }
});

it("lets people choose a new password without script, and stores no session for it", async () => {
  const account = await anAccount();
  await call("POST /auth/forgot-password", { body: { email: account.email } });
  const { path, page, token } = await linkTo(account.email);
  expect(page).toBe("/account/reset");
  const shown = await open(path);
  expect(shown.status).toBe(200);
  expect(shown.html).toContain(`<input type="hidden" name="token" value="${token}"/>`);
  expect(shown.headers.get("Cache-Control")).toBe("no-store");
  const weak = await send(page, { token, password: "password" });
  expect(weak.status).toBe(400);
  expect(weak.html).toContain("most common passwords");
  expect(weak.html).toContain(token);
  const done = await send(page, { token, password: "quite another password" });
  expect(done.status).toBe(200);
  expect(done.html).toContain("Password changed");
  expect((await call("GET /account/profile", { as: account.token })).status).toBe(401);
  const again = await send(page, { token, password: "quite another password" });
  expect(again.status).toBe(400);
  expect(again.html).toContain("no longer works");
});

it("changes the password of an account with a second factor, and opens no session", async () => {
  const account = await anAccountWithFactor();
  await call("POST /auth/forgot-password", { body: { email: account.email } });
  const { page, token } = await linkTo(account.email);
  const fields = { token, password: "quite another password" };
  const done = await send(page, fields);
  expect([done.status, done.headers.get("Set-Cookie")]).toEqual([200, null]);
  expect(done.html).toContain("Password changed");
  expect(done.html).not.toContain("sfl_");
  const sessions = await db.select().from(tables.sessions).where(eq(tables.sessions.userId, account.id));
  expect(sessions.map(({ endedAt }) => endedAt)).toEqual([expect.any(Number)]);
  expect((await send(page, fields)).html).toContain("no longer works");
  const body = { email: account.email, password: fields.password };
  const { challenge } = (await call("POST /auth/login", { body })).body.data;
  const completed = await call("POST /auth/login/two-factor", { body: { challenge, code: codeOf(SECRET) } });
  expect((await call("GET /account/profile", { as: completed.body.data.token })).status).toBe(200);
});

it("does nothing when the link is only opened, and verifies by a button", async () => {
  const email = "pages@addresses.test";
  const { body } = await call("POST /auth/signup", { body: { email, password: PASSWORD, name: "Pages" } });
  const { path, page, token } = await linkTo(email);
  expect(page).toBe("/account/verify");
  await open(path);
  expect((await accountNow(body.data.user.id)).emailVerifiedAt).toBeNull();
  expect((await send(page, { token, password: "not the right one" })).html).toContain("is not the password");
  expect((await accountNow(body.data.user.id)).emailVerifiedAt).toBeNull();
  expect((await send(page, { token, password: PASSWORD })).html).toContain(`${email} is the verified address`);
  expect((await accountNow(body.data.user.id)).emailVerifiedAt).not.toBeNull();
  expect((await call("GET /account/profile", { as: body.data.token })).status).toBe(200);
});

it("verifies an account without its password, which ends earlier credentials", async () => {
  const email = "opened-by-a-stranger@addresses.test";
  const { body } = await call("POST /auth/signup", { body: { email, password: PASSWORD, name: "Stranger" } });
  const { path, page, token } = await linkTo(email);
  expect((await open(path)).html).toContain("Verify without the password");
  expect((await send(page, { token })).html).toContain("a link to choose a new password");
  expect((await call("GET /account/profile", { as: body.data.token })).status).toBe(401);
  expect((await linkTo(email)).page).toBe("/account/reset");
});

it("confirms a new address, and returns to the former one", async () => {
  const account = await anAccount();
  const email = "moved@addresses.test";
  await call("PUT /account/profile", { as: account.token, body: { email, current_password: PASSWORD } });
  const confirm = await linkTo(email);
  expect(confirm.page).toBe("/account/confirm");
  expect((await open(confirm.path)).status).toBe(200);
  expect((await send(confirm.page, { token: confirm.token })).status).toBe(200);
  const revert = await linkTo(account.email);
  expect(revert.page).toBe("/account/revert");
  expect((await open(revert.path)).status).toBe(200);
  expect((await send(revert.page, { token: revert.token })).html).toContain("has this address again");
  expect((await accountNow(account.id)).email).toBe(account.email);
});

it("accepts no form of another site, and counts the attempts of an address", async () => {
  const fields = { token: "none" };
  expect((await send("/account/verify", fields, { Origin: "https://elsewhere.test" })).status).toBe(403);
  const headers = { Origin: ORIGIN, "CF-Connecting-IP": "192.0.2.90" };
  for (let tried = 0; tried < 20; tried++) expect((await send("/account/verify", fields, headers)).status).toBe(400);
  expect((await send("/account/verify", fields, headers)).status).toBe(429);
});

it("has no other pages", async () => {
  const { status, html } = await open("/account/nothing");
  expect(status).toBe(404);
  expect(html).not.toContain('/admin"');
});
