import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { anAccount, aSession, PASSWORD, profileStatus } from "../support/accounts.ts";
import { entriesOf } from "../support/administration.ts";
import { failing, fault } from "../support/faults.ts";
import { anAdministrator, aVisitor, fieldsOf, type Page } from "../support/panel.ts";
import { aCategory, aUser } from "../support/shop.ts";
import { anAccountWithFactor, codeOf, giveFactor, RECOVERY_CODES, SECRET, wrongCodeOf } from "../support/two-factor.ts";

const ACCOUNT = "/admin/account";

async function signedIn(role: "viewer" | "support") {
  const [account, visitor] = [await anAccount({ role }), aVisitor()];
  await visitor.post("/admin/sign-in", { email: account.email, password: PASSWORD });
  return { account, visitor };
}

it.each(["viewer", "catalogue", "support", "admin"] as const)(
  "lets a member of staff, %s, change their name",
  async (role) => {
    const { get, post, id } = await anAdministrator({ role, name: "Ada" });
    expect(fieldsOf(await get(ACCOUNT), ACCOUNT).name).toEqual(["Ada"]);
    const refused = await post(ACCOUNT, { name: " " });
    expect([refused.status, refused.html.includes('aria-invalid="true"')]).toEqual([400, true]);
    expect((await post(ACCOUNT, { name: "Ada Lovelace" })).location).toBe(ACCOUNT);
    expect(fieldsOf(await get(ACCOUNT), ACCOUNT).name).toEqual(["Ada Lovelace"]);
    expect((await entriesOf(id)).map(({ action }) => action)).toEqual(["user.update"]);
  },
);

describe("a member of staff who changes their password", () => {
  const NEW = "another horse battery";

  it("signs in with the new one from then on, and ends their other sessions", async () => {
    const { visitor, account } = await signedIn("viewer");
    const other = await aSession(account.id);
    const shown = await visitor.get(ACCOUNT);
    for (const part of ["Profile", "Password", "Second factor", "Sessions"])
      expect(shown.html).toContain(`<h2>${part}`);
    const form = fieldsOf(shown, `${ACCOUNT}/password`);
    expect(Object.keys(form)).toEqual(expect.arrayContaining(["current_password", "password"]));
    const typed = { ...form, current_password: PASSWORD, password: NEW };
    const changed = await visitor.post(`${ACCOUNT}/password`, typed);
    expect([changed.status, changed.location]).toEqual([303, ACCOUNT]);
    const page = await visitor.get(ACCOUNT);
    expect([page.status, page.html.includes("Your password was changed")]).toEqual([200, true]);
    expect(await profileStatus(other.token)).toBe(401);
    const attempt = async (password: string) =>
      (await aVisitor().post("/admin/sign-in", { email: account.email, password })).status;
    expect([await attempt(PASSWORD), await attempt(NEW)]).toEqual([401, 303]);
  });

  it.each([
    ["a wrong password", { current_password: "not the password", password: NEW }, "is not the password of the account"],
    ["no password", { current_password: "", password: NEW }, "must have at least 1 character"],
    ["a common new password", { current_password: PASSWORD, password: "password1" }, "is one of the most common"],
    ["a short new password", { current_password: PASSWORD, password: "short" }, "must have at least 8 characters"],
  ])("is refused with %s, and keeps the sessions", async (_, fields, words) => {
    const { visitor, account } = await signedIn("support");
    const other = await aSession(account.id);
    const refused = await visitor.post(`${ACCOUNT}/password`, fields);
    expect(refused.status).toBe(400);
    expect(refused.html).toContain(words);
    expect(refused.html).not.toContain(NEW);
    expect(await profileStatus(other.token)).toBe(200);
  });
});

it("shows administrators their own sessions, and ends one or all others", async () => {
  const admin = await anAdministrator();
  const [one, other] = [await aSession(admin.id), await aSession(admin.id)];
  const page = await admin.get("/admin/account");
  expect(page.html).toContain("End all other sessions");
  expect(page.html).not.toContain(`sessions/${admin.sessionId}/end`);
  const ended = await admin.post(`/admin/account/sessions/${one.id}/end`);
  expect([ended.status, ended.location]).toEqual([303, "/admin/account"]);
  expect([await profileStatus(one.token), await profileStatus(other.token)]).toEqual([401, 200]);
  await admin.post("/admin/account/sessions/end");
  expect(await profileStatus(other.token)).toBe(401);
  const alone = await admin.get("/admin/account");
  expect(alone.status).toBe(200);
  expect(alone.html).not.toContain("End all other sessions");
});

it("cannot end somebody else's session by the form for one's own", async () => {
  const [admin, user] = [await anAdministrator(), await aUser()];
  expect((await admin.post(`/admin/account/sessions/${user.sessionId}/end`)).status).toBe(404);
  expect(await profileStatus(user.token)).toBe(200);
});

it("shows a customer's sessions, ends one or all, and audits it", async () => {
  const [admin, user] = [await anAdministrator(), await aUser()];
  const [one, other] = [await aSession(user.id), await aSession(user.id)];
  const path = `/admin/customers/${user.id}/sessions`;
  expect((await admin.get(path)).html).toContain(`${path}/${one.id}/end`);
  const ended = await admin.post(`${path}/${one.id}/end`);
  expect([ended.status, ended.location]).toEqual([303, path]);
  expect([await profileStatus(one.token), await profileStatus(other.token), await profileStatus(user.token)]).toEqual([
    401, 200, 200,
  ]);
  await admin.post(`${path}/end`);
  expect([await profileStatus(other.token), await profileStatus(user.token)]).toEqual([401, 401]);
  expect((await admin.get(path)).html).toContain("No active sessions");
  const entries = await entriesOf(user.id);
  expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
    [`user:${admin.id}`, "user.end_sessions"],
    [`user:${admin.id}`, "user.end_sessions"],
  ]);
});

it("audits nothing if there is nothing to end", async () => {
  const [admin, user, stranger] = [await anAdministrator(), await aUser(), await aUser()];
  const path = `/admin/customers/${user.id}/sessions`;
  expect((await admin.post(`${path}/${stranger.sessionId}/end`)).status).toBe(404);
  expect(await entriesOf(user.id)).toEqual([]);
  expect(await profileStatus(stranger.token)).toBe(200);
});

const SIGN_IN = "/admin/sign-in";
const TWO_FACTOR = "/admin/account/two-factor";

/** Sends the right password, after which the page asks for a code. */
async function halfway(columns: Parameters<typeof anAccountWithFactor>[0] = {}, more: Record<string, string> = {}) {
  const account = await anAccountWithFactor({ role: "admin", ...columns });
  const visitor = aVisitor();
  const page = await visitor.post(SIGN_IN, { email: account.email, password: PASSWORD, ...more });
  return { ...visitor, account, page };
}

/** A signed-in user without a second factor. */
async function inside() {
  const account = await anAccount({ role: "admin" });
  const visitor = aVisitor();
  await visitor.post(SIGN_IN, { email: account.email, password: PASSWORD });
  return { ...visitor, account };
}

const keyIn = ({ html }: Page): string => /id="totp-key" value="([A-Z2-7]+)"/.exec(html)?.[1] ?? "";

describe("signing in", () => {
  it("accepts the password, then a code, and leads to the requested page", async () => {
    const { page, jar, post, get } = await halfway({}, { next: "/admin/orders" });
    expect([page.status, jar.size]).toEqual([200, 0]);
    expect(page.html).not.toContain('type="password"');
    const fields = fieldsOf(page, SIGN_IN);
    expect(Object.keys(fields).toSorted()).toEqual(["challenge", "code", "next"]);
    const answer = await post(SIGN_IN, { ...fields, code: codeOf(SECRET) });
    expect([answer.status, answer.location]).toEqual([303, "/admin/orders"]);
    expect((await get("/admin")).status).toBe(200);
  });

  it("asks again after a wrong code, and accepts none twice", async () => {
    const { page, post, account } = await halfway();
    const code = codeOf(SECRET);
    const refused = await post(SIGN_IN, { ...fieldsOf(page, SIGN_IN), code: wrongCodeOf(SECRET) });
    expect(refused.status).toBe(401);
    expect(refused.html).toContain("The code is wrong or was already used");
    expect((await post(SIGN_IN, { ...fieldsOf(refused, SIGN_IN), code })).status).toBe(303);
    const other = aVisitor();
    const again = await other.post(SIGN_IN, { email: account.email, password: PASSWORD });
    expect((await other.post(SIGN_IN, { ...fieldsOf(again, SIGN_IN), code })).status).toBe(401);
    expect(other.jar.size).toBe(0);
  });

  it("accepts a recovery code once", async () => {
    const { page, post, account } = await halfway();
    const [code = ""] = RECOVERY_CODES;
    expect((await post(SIGN_IN, { ...fieldsOf(page, SIGN_IN), code })).status).toBe(303);
    const other = aVisitor();
    const again = await other.post(SIGN_IN, { email: account.email, password: PASSWORD });
    expect((await other.post(SIGN_IN, { ...fieldsOf(again, SIGN_IN), code })).status).toBe(401);
  });

  it("starts again with the password after 15 wrong codes", async () => {
    const { page, account } = await halfway();
    const fields = { ...fieldsOf(page, SIGN_IN), code: wrongCodeOf(SECRET) };
    const bindings = { LOGIN_THROTTLE: failing(env.LOGIN_THROTTLE, [fault()]).namespace };
    for (let n = 0; n < 15; n++) expect((await aVisitor().post(SIGN_IN, fields, {}, bindings)).html).toContain("Code");
    const over = await aVisitor().post(SIGN_IN, { ...fields, code: codeOf(SECRET) }, {}, bindings);
    expect(over.status).toBe(401);
    expect(over.html).toContain("too many wrong codes");
    expect(Object.keys(fieldsOf(over, SIGN_IN)).toSorted()).toEqual(["email", "next", "password"]);
    const visitor = aVisitor();
    const again = await visitor.post(SIGN_IN, { email: account.email, password: PASSWORD });
    expect((await visitor.post(SIGN_IN, { ...fieldsOf(again, SIGN_IN), code: codeOf(SECRET) })).status).toBe(303);
  });

  it("keeps a pending form through both steps", async () => {
    const account = await anAccountWithFactor({ role: "admin" });
    const category = await aCategory("Kept");
    const path = `/admin/categories/${category.id}`;
    const visitor = aVisitor();
    const out = await visitor.post(path, { name: "Typed before", slug: "typed" });
    const asked = await visitor.post(path, { ...fieldsOf(out, path), email: account.email, password: PASSWORD });
    expect(asked.html).toContain('name="challenge"');
    const back = await visitor.post(path, { ...fieldsOf(asked, path), code: codeOf(SECRET) });
    expect(fieldsOf(back, path).name).toEqual(["Typed before"]);
  });
});

describe("a member of staff", () => {
  it("enables a second factor with the password and a first code, and sees the recovery codes once", async () => {
    const { post, get, account } = await inside();
    const page = await post(TWO_FACTOR, { current_password: PASSWORD });
    expect(page.html).toContain('src="data:image/svg+xml,');
    const key = keyIn(page);
    const refused = await post(`${TWO_FACTOR}/confirm`, { code: wrongCodeOf(key) });
    expect([refused.status, keyIn(refused)]).toEqual([400, key]);
    const done = await post(`${TWO_FACTOR}/confirm`, { code: codeOf(key) });
    const codes = done.html.match(/([0-9a-z]{4}-){3}[0-9a-z]{4}/g) ?? [];
    expect(new Set(codes).size).toBe(10);
    expect((await get("/admin/account")).html).not.toContain(codes[0]);
    const visitor = aVisitor();
    const asked = await visitor.post(SIGN_IN, { email: account.email, password: PASSWORD });
    expect((await visitor.post(SIGN_IN, { ...fieldsOf(asked, SIGN_IN), code: codes[3] ?? "" })).status).toBe(303);
    expect((await visitor.get("/admin/account")).html).toContain("Recovery codes left");
  });

  it("cannot start without the password", async () => {
    const { post } = await inside();
    const { status, html } = await post(TWO_FACTOR, { current_password: "not the password" });
    expect(status).toBe(400);
    expect(html).not.toContain("data:image/svg+xml");
    expect((await post(`${TWO_FACTOR}/confirm`, { code: "123456" })).status).toBe(409);
  });

  it("replaces the recovery codes and disables the factor, each with a code", async () => {
    const { post, get, account } = await inside();
    await giveFactor(account.id);
    expect((await post(`${TWO_FACTOR}/disable`, { code: wrongCodeOf(SECRET) })).html).toContain("is wrong");
    const renewed = await post(`${TWO_FACTOR}/recovery-codes`, { code: codeOf(SECRET) });
    expect(renewed.html).toMatch(/([0-9a-z]{4}-){3}[0-9a-z]{4}/);
    const { status, location } = await post(`${TWO_FACTOR}/disable`, { code: codeOf(SECRET, 1) });
    expect([status, location]).toEqual([303, "/admin/account"]);
    expect((await get("/admin/account")).html).toContain("Set up an authenticator app");
  });
});
