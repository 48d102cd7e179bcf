import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { promote, withoutTwoFactor } from "../../scripts/administrators/statements.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { accountNow, anAccount, aSession, logIn, PASSWORD } from "../support/accounts.ts";
import { administration, entriesOf } from "../support/administration.ts";
import { call, callWith } from "../support/call.ts";
import { aSendingShop, delivered, tokenIn } from "../support/emails.ts";
import { aVisitor, fieldsOf } from "../support/panel.ts";
import { PASSWORD_COST } from "../support/password-cost.ts";
import { hashOf } from "../support/password-hash.ts";
import { aFile, aKey, aProduct, aUser, db } from "../support/shop.ts";
import { codeOf, giveFactor } from "../support/two-factor.ts";

const INVITATIONS = "POST /admin/staff/invitations";
const PAGE = "/account/invitation";
const CHOSEN = "a password of my own";

const { admin } = administration();

let made = 0;
const anEmail = () => `newcomer-${++made}@people.test`;

/** Invites by e-mail and returns the token of the link. */
async function invitedByEmail(email: string, role = "support") {
  const shop = aSendingShop();
  const { body } = await shop.call(INVITATIONS, { as: admin.token, body: { email, role } });
  expect(body.data, JSON.stringify(body)).toMatchObject({ email, role, sent: true, url: null });
  const [letter = { text: "" }] = shop.received(email);
  return { id: body.data.id, token: tokenIn(letter as never), shop };
}

/** Invites in a shop without e-mail and returns the token of the displayed link. */
async function invitedByHand(email: string, role = "support", as = admin.token) {
  const { body } = await call(INVITATIONS, { as, body: { email, role } });
  expect(body.data).toMatchObject({ sent: false, url: expect.stringContaining(`${PAGE}?token=sfl_`) });
  return { id: body.data.id, token: new URL(body.data.url).searchParams.get("token") ?? "" };
}

const open = async (token: string) => {
  const visitor = aVisitor();
  return { ...visitor, page: await visitor.get(`${PAGE}?token=${token}`) };
};

const accountOf = (email: string) => db.select().from(tables.users).where(eq(tables.users.email, email)).get();

it("lets invited people choose a name and a password, and signs them in with their role", async () => {
  const email = anEmail();
  const { token } = await invitedByHand(email);
  const { page, post, get } = await open(token);
  expect(page.html).toContain(email);
  expect(page.html).toContain("Support");
  const typed = { ...fieldsOf(page, PAGE), name: "Grace Hopper" };
  const weak = await post(PAGE, { ...typed, password: "short" });
  expect([weak.status, fieldsOf(weak, PAGE).name]).toEqual([400, ["Grace Hopper"]]);
  const accepted = await post(PAGE, { ...typed, password: CHOSEN });
  expect([accepted.status, accepted.location]).toEqual([303, "/admin"]);
  const home = await get("/admin/orders");
  expect(home.status).toBe(200);
  expect(home.html).not.toContain("/admin/api-keys");
  expect(await accountOf(email)).toMatchObject({
    role: "support",
    name: "Grace Hopper",
    lastSeenAt: expect.any(Number),
  });
  expect((await call("POST /auth/login", { body: { email, password: CHOSEN } })).body.data.user.role).toBe("support");
  expect((await open(token)).page.status).toBe(404);
  expect((await post(PAGE, { ...typed, password: CHOSEN })).status).toBe(404);
});

it("sends the link only by e-mail where the shop can, and stores neither link nor token", async () => {
  const email = anEmail();
  const { token } = await invitedByEmail(email);
  const stored = JSON.stringify([
    await db.select().from(tables.staffInvitations),
    await db.select().from(tables.auditLog),
  ]);
  expect(stored).not.toContain(token);
  expect((await open(token)).page.status).toBe(200);
});

it("ends a link that was resent, revoked or has expired", async () => {
  const [resent, revoked, expired] = [anEmail(), anEmail(), anEmail()];
  const first = await invitedByHand(resent);
  const { body } = await call(`POST /admin/staff/invitations/${first.id}/resend`, { as: admin.token });
  const second = new URL(body.data.url).searchParams.get("token") ?? "";
  expect([(await open(first.token)).page.status, (await open(second)).page.status]).toEqual([404, 200]);
  const gone = await invitedByHand(revoked);
  expect((await call(`DELETE /admin/staff/invitations/${gone.id}`, { as: admin.token })).status).toBe(204);
  expect((await open(gone.token)).page.status).toBe(404);
  const late = await invitedByHand(expired);
  await db
    .update(tables.staffInvitations)
    .set({ expiresAt: Date.now() })
    .where(eq(tables.staffInvitations.id, late.id));
  const { page, post } = await open(late.token);
  expect(page.html).toContain("no longer works");
  expect((await post(PAGE, { token: late.token, name: "Late", password: CHOSEN })).status).toBe(404);
  expect(await accountOf(expired)).toBeUndefined();
});

it.each(["by e-mail", "by hand"])("asks the owner of an account for its password, invited %s", async (way) => {
  const account = await anAccount();
  const session = await aSession(account.id);
  await giveFactor(account.id);
  const { token } = way === "by hand" ? await invitedByHand(account.email) : await invitedByEmail(account.email);
  const { page, post } = await open(token);
  expect(page.html).toContain("Enter its password");
  const wrong = await post(PAGE, { token, name: "Not me", password: CHOSEN });
  expect(wrong.status).toBe(400);
  expect(await accountNow(account.id)).toMatchObject({ role: "customer", passwordHash: account.passwordHash });
  const accepted = await post(PAGE, { token, password: PASSWORD });
  expect([accepted.status, accepted.location]).toEqual([303, "/admin/sign-in"]);
  expect(await accountNow(account.id)).toMatchObject({ role: "support", name: account.name });
  expect((await call("GET /account/profile", { as: session.token })).status).toBe(401);
  // The second factor remains: the password alone opens no session.
  const login = await call("POST /auth/login", { body: { email: account.email, password: PASSWORD } });
  expect(login.body.data).toMatchObject({ challenge: expect.any(String) });
});

it("gives an account opened by somebody else to the e-mail's reader, and to nobody with a copied link", async () => {
  const squatter = await anAccount({ emailVerifiedAt: null });
  const byHand = await invitedByHand(squatter.email);
  const refused = await open(byHand.token);
  expect((await refused.post(PAGE, { token: byHand.token, name: "Inviter", password: CHOSEN })).status).toBe(400);
  await call(`DELETE /admin/staff/invitations/${byHand.id}`, { as: admin.token });

  const { token } = await invitedByEmail(squatter.email);
  const { post } = await open(token);
  expect((await post(PAGE, { token, name: "Owner", password: CHOSEN })).location).toBe("/admin");
  expect(await accountNow(squatter.id)).toMatchObject({ role: "support", name: "Owner" });
  expect((await call("GET /account/profile", { as: squatter.token })).status).toBe(401);
  const old = await call("POST /auth/login", { body: { email: squatter.email, password: PASSWORD } });
  expect(old.status).toBe(401);
});

it("refuses staff, disabled accounts, addresses with an invitation, and more than three invitations an hour", async () => {
  const refusalOf = async (email: string) => {
    const { body } = await call(INVITATIONS, { as: admin.token, body: { email, role: "viewer" } });
    return body.details?.[0]?.code ?? body.code;
  };
  expect(await refusalOf((await aUser({ role: "viewer" })).email)).toBe("already_staff");
  expect(await refusalOf((await aUser({ disabledAt: 1 })).email)).toBe("account_disabled");
  const { id } = await invitedByHand(`twice-${++made}@people.test`);
  expect(await refusalOf(`twice-${made}@people.test`)).toBe("already_invited");
  const again = () => call(`POST /admin/staff/invitations/${id}/resend`, { as: admin.token });
  expect((await again()).status).toBe(200);
  expect((await again()).status).toBe(429);
});

it("ends the invitations of an administrator who is demoted or deactivated", async () => {
  for (const change of [{ role: "viewer" }, { disabled: true }]) {
    const inviter = await aUser({ role: "admin" });
    const { token } = await invitedByHand(anEmail(), "admin", inviter.token);
    expect((await call(`PUT /admin/users/${inviter.id}`, { as: admin.token, body: change })).status).toBe(200);
    expect((await open(token)).page.status).toBe(404);
  }
});

it("lists staff with their last activity, and revokes a deactivated person's keys only on request", async () => {
  const member = await anAccount({ role: "admin", name: "Last Seen" });
  const key = await aKey({ createdBy: member.id });
  await aSession(member.id);
  const { body } = await call("GET /admin/staff?per_page=100", { as: admin.token });
  const row = body.data.find(({ id }: { id: number }) => id === member.id);
  expect(row).toMatchObject({ role: "admin", two_factor_enabled: false, last_seen_at: expect.any(String) });
  const works = async () => (await call("GET /products", { as: key.key })).status;
  const change = (sent: object) => call(`PUT /admin/users/${member.id}`, { as: admin.token, body: sent });
  expect((await change({ revoke_api_keys: true })).status).toBe(400);
  await change({ disabled: true });
  expect(await works()).toBe(200);
  expect((await call("GET /admin/staff", { as: member.token })).status).toBe(401);
  await change({ disabled: false });
  await change({ disabled: true, revoke_api_keys: true });
  expect(await works()).toBe(401);
});

it("shows staff without a required second factor no more than customers on the routes of shoppers", async () => {
  const bindings = { STAFF_TWO_FACTOR: "true" };
  const [file, { token: as }] = [await aFile({ access: "public" }), await aUser({ role: "catalogue" })];
  const { id } = await aProduct({ status: "draft", name: "Unreleased", fileIds: [file.id] });
  const seen = async (required: Partial<Env>) => {
    const read = async (path: string) => (await callWith(required, `GET ${path}`, { as })).body.data;
    const [one, listed, files] = [
      await read(`/products/${id}`),
      await read("/products?search=unreleased"),
      await read("/files?per_page=100"),
    ];
    const offered = files.find((each: { id: number }) => each.id === file.id);
    return [one !== undefined, listed.length, offered.product_ids];
  };
  expect(await seen({})).toEqual([true, 1, [id]]);
  expect(await seen(bindings)).toEqual([false, 0, []]);
});

it("lets staff do nothing before they have a second factor, if the shop requires one", async () => {
  const bindings = { STAFF_TWO_FACTOR: "true" };
  for (const path of ["/admin/products", "/admin/saved-views", "/admin/audit-log"]) {
    const refused = await callWith(bindings, `GET ${path}`, { as: admin.token });
    expect([path, refused.body.code]).toEqual([path, "two_factor_required"]);
  }
  const email = anEmail();
  const { token } = await invitedByHand(email);
  const { page, post, get } = await open(token);
  await post(PAGE, { ...fieldsOf(page, PAGE), name: "Grace", password: CHOSEN }, {}, bindings);
  const login = await callWith(bindings, "POST /auth/login", { body: { email, password: CHOSEN } });
  const as = login.body.data.token;
  expect((await callWith(bindings, "GET /admin/orders", { as })).body.code).toBe("two_factor_required");
  expect((await callWith(bindings, "GET /account/profile", { as })).status).toBe(200);
  const SET_UP = "/admin/account/two-factor";
  expect((await get("/admin/orders", bindings)).location).toBe(SET_UP);
  expect((await get("/admin/account", bindings)).location).toBe(SET_UP);
  expect((await get(SET_UP, bindings)).html).toContain("Set up a second factor");
  const begun = await post(SET_UP, { current_password: CHOSEN }, {}, bindings);
  const [, secret = ""] = /id="totp-key" value="([A-Z2-7]+)"/.exec(begun.html) ?? [];
  expect((await get("/admin/orders", bindings)).location).toBe(SET_UP);
  await post(`${SET_UP}/confirm`, { code: await codeOf(secret) }, {}, bindings);
  expect((await get("/admin/orders", bindings)).status).toBe(200);
});

// Effects of `npm run admin` on existing accounts. test/server/fresh-clone.test.ts runs the command itself.

const NEW_PASSWORD = "the password that was printed";

/** Runs a file of statements as wrangler does: all of them, or none. */
const run = (statements: string) => env.DB.batch([env.DB.prepare(statements)]);

const author = () => ({ actor: "system", address: null, requestId: crypto.randomUUID(), now: Date.now() });

const refresh = async (refresh_token: string) => (await call("POST /auth/refresh", { body: { refresh_token } })).status;

it("promotes an account, with a new password and without its second factor, sessions and links", async () => {
  const { id, email, token } = await anAccount();
  const { refreshToken } = await aSession(id);
  const profile = { email: "elsewhere@shop.test", current_password: PASSWORD };
  expect((await call("PUT /account/profile", { as: token, body: profile })).status).toBe(200);
  const [sent = { text: "" }] = await delivered(profile.email);
  await giveFactor(id);
  expect((await logIn(email)).body.data.token).toBeUndefined();

  await run(promote(email, "customer", hashOf(NEW_PASSWORD, PASSWORD_COST), author()));
  expect((await entriesOf(id))[0]).toMatchObject({
    actor: "system",
    action: "user.update",
    before: { role: "customer" },
    after: { role: "admin", password: "changed" },
  });
  expect((await logIn(email)).status).toBe(401);
  expect(await refresh(refreshToken)).toBe(401);
  expect((await call("POST /auth/verify-email", { body: { token: tokenIn(sent) } })).status).toBe(400);
  expect((await logIn(email, NEW_PASSWORD)).body.data).toMatchObject({
    token: expect.any(String),
    user: { role: "admin" },
  });
});

it("does not promote an account that has another role by then", async () => {
  const { id, email } = await anAccount();
  await expect(run(promote(email, "manager", "", author()))).rejects.toThrow("row_changed");
  expect((await logIn(email)).body.data.user.role).toBe("customer");
  expect(await entriesOf(id)).toEqual([]);
});

it("lets in an administrator who lost the second factor, ends every session and notifies the account", async () => {
  const { id, email } = await anAccount();
  const { refreshToken } = await aSession(id);
  await giveFactor(id);
  await run(withoutTwoFactor(email, author()));
  expect(await delivered(email)).toMatchObject([
    { subject: "Two-factor authentication was removed from your account at Storefront" },
  ]);
  expect(await entriesOf(id)).toMatchObject([{ actor: "system", action: "user.remove_two_factor" }]);
  expect(await refresh(refreshToken)).toBe(401);
  expect((await logIn(email)).body.data.token).toEqual(expect.any(String));
});
