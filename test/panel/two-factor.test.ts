import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { failing, fault } from "../support/faults.ts";
import { aVisitor, fieldsOf, type Page } from "../support/panel.ts";
import { aCategory } from "../support/shop.ts";
import { anAccountWithFactor, codeOf, giveFactor, RECOVERY_CODES, SECRET, wrongCodeOf } from "../support/two-factor.ts";

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
