import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { signAccessToken } from "../../src/platform/auth/tokens.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { accountNow, anAccount, PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { delivered, tokenIn } from "../support/emails.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { aKey, aProduct, aUser, db, orderOf, settings } from "../support/shop.ts";
import { giveFactor } from "../support/two-factor.ts";

const HOUR_MS = 60 * 60_000;

const expiredToken = async (userId: number) => {
  const claims = { userId, sessionId: crypto.randomUUID(), authenticatedAt: Date.now() };
  return (await signAccessToken(settings, claims, Date.now() - 2 * HOUR_MS)).token;
};

let people = 0;
const anEmail = () => `owner-${++people}@credentials.test`;

/** The token of the link in the only e-mail that an address received since the last call. */
async function linkTo(email: string): Promise<string> {
  const sent = await delivered(email);
  expect(sent).toHaveLength(1);
  return tokenIn(sent[0] ?? { text: "" });
}

const verify = (token: string, options: { as?: string; password?: string } = {}) =>
  call("POST /auth/verify-email", {
    ...(options.as !== undefined && { as: options.as }),
    body: { token, ...(options.password !== undefined && { password: options.password }) },
  });

beforeEach(async () => {
  await delivered();
});

describe("an e-mail address that the shop changes", () => {
  const callers = [
    ["support staff", async () => (await aUser({ role: "support" })).token],
    ["an API key with users:write", async () => (await aKey({ permissions: ["users:write"] })).key],
    ["an API key with every permission", async () => (await aKey({ permissions: ["read", "write"] })).key],
    ["an administrator without a reason", async () => (await aUser({ role: "admin" })).token],
  ] as const;

  it.each(callers)("is only proposed by %s, and takes effect by a link sent to the current one", async (_, caller) => {
    const [account, as, email] = [await anAccount(), await caller(), anEmail()];
    const { status, body } = await call(`PUT /admin/users/${account.id}`, { as, body: { email } });
    expect([status, body.data.email, body.data.proposed_email]).toEqual([200, account.email, email]);
    await call("POST /auth/forgot-password", { body: { email } });
    expect(await delivered(email)).toEqual([]);
    expect((await accountNow(account.id)).email).toBe(account.email);
  });

  it("takes effect when the owner approves it, is verified at the new one, and can be undone from the old one", async () => {
    const [account, { token: as }, email] = [await anAccount(), await aUser({ role: "support" }), anEmail()];
    await call(`PUT /admin/users/${account.id}`, { as, body: { email } });
    const token = await linkTo(account.email);
    const approved = await verify(token);
    expect([approved.status, approved.body.data]).toEqual([
      200,
      { email, email_verified_at: null, new_password_needed: false },
    ]);
    expect(await accountNow(account.id)).toMatchObject({ email, emailVerifiedAt: null, walletLockedUntil: null });
    expect((await verify(token)).body.details).toEqual([{ field: "token", code: "link_ended" }]);
    const sent = await delivered();
    const [undo, verification] = [account.email, email].map((address) =>
      tokenIn(sent.find(({ to }) => to === address) ?? { text: "" }),
    );
    expect((await verify(verification ?? "")).body.data.new_password_needed).toBe(false);
    expect((await call("GET /account/profile", { as: account.token })).status).toBe(200);
    expect((await call("POST /auth/revert-email", { body: { token: undo } })).status).toBe(200);
    expect((await accountNow(account.id)).email).toBe(account.email);
  });

  it("cannot be approved once the account has a new password", async () => {
    const [account, { token: as }, email] = [await anAccount(), await aUser({ role: "support" }), anEmail()];
    await call(`PUT /admin/users/${account.id}`, { as, body: { email } });
    const token = await linkTo(account.email);
    const body = { password: "quite another one", current_password: PASSWORD };
    await call("PUT /account/profile", { as: account.token, body });
    expect((await verify(token)).body.details).toEqual([{ field: "token", code: "link_ended" }]);
    const { body: shown } = await call(`GET /admin/users/${account.id}`, { as });
    expect(shown.data.proposed_email).toBeNull();
  });

  it("is proposed to an account at most three times an hour", async () => {
    const [account, { token: as }] = [await anAccount(), await aUser({ role: "support" })];
    const statuses = [];
    for (let asked = 0; asked < 4; asked++) {
      statuses.push((await call(`PUT /admin/users/${account.id}`, { as, body: { email: anEmail() } })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it.each(callers.slice(0, 3))("is not changed at once by %s, nor are other credentials", async (_, caller) => {
    const [account, as] = [await anAccount(), await caller()];
    const before = await accountNow(account.id);
    for (const [field, body] of [
      ["email_change_reason", { email: anEmail(), email_change_reason: "Lost mailbox" }],
      ["password", { password: "quite another one" }],
      ["role", { role: "viewer" }],
    ] as const) {
      const refused = await call(`PUT /admin/users/${account.id}`, { as, body });
      expect([refused.status, refused.body.code]).toEqual([403, "administrators_only"]);
      expect(refused.body.details).toEqual([{ field, code: "read_only" }]);
    }
    await giveFactor(account.id);
    expect((await call(`DELETE /admin/users/${account.id}/two-factor`, { as })).status).toBe(403);
    expect(await accountNow(account.id)).toEqual(before);
  });
});

describe("an e-mail address that an administrator changes at once", () => {
  const moveAtOnce = async (id: number, email: string) => {
    const { id: admin, token: as } = await aUser({ role: "admin" });
    const body = { email, email_change_reason: "Lost mailbox, passport seen" };
    return { admin, answer: await call(`PUT /admin/users/${id}`, { as, body }) };
  };

  it("is recorded in the audit log with its reason, and announced to the old one", async () => {
    const [account, email] = [await anAccount(), anEmail()];
    const { admin, answer } = await moveAtOnce(account.id, email);
    expect([answer.status, answer.body.data.email]).toEqual([200, email]);
    const log = await db.select().from(tables.auditLog).where(eq(tables.auditLog.subjectId, account.id));
    expect(log.find(({ actor }) => actor === `user:${admin}`)?.after).toMatchObject({
      email,
      email_change_reason: "Lost mailbox, passport seen",
    });
    expect(await delivered(account.email)).toHaveLength(1);
  });

  it("requires a reason with a new address, and a new address with a reason", async () => {
    const [account, { token: as }] = [await anAccount(), await aUser({ role: "admin" })];
    const alone = await call(`PUT /admin/users/${account.id}`, { as, body: { email_change_reason: "Lost" } });
    expect([alone.status, Object.keys(alone.body.errors)]).toEqual([400, ["email"]]);
  });

  it("locks the wallet for 72 hours, for orders, quotes and debits, and says until when", async () => {
    const account = await anAccount();
    const { token: as } = await aUser({ role: "admin" });
    await call(`POST /admin/users/${account.id}/credit`, { as, body: { amount: 100, reason: "Gift" } });
    const { answer } = await moveAtOnce(account.id, anEmail());
    const until = answer.body.data.wallet_locked_until;
    const left = Date.parse(until) - Date.now();
    expect(left).toBeGreaterThan(71 * HOUR_MS);
    expect(left).toBeLessThanOrEqual(72 * HOUR_MS);
    const product = await aProduct();
    const order = orderOf(product);
    for (let tried = 0; tried < 2; tried++) {
      const refused = await call("POST /orders", { as: account.token, body: order });
      expect([refused.status, refused.body.details]).toEqual([
        400,
        [{ field: "payment_method", code: "wallet_locked", until }],
      ]);
    }
    const { price: _, ...item } = order.items[0] ?? { price: 0 };
    const quote = await call("POST /checkout/quote", { as: account.token, body: { ...order, items: [item] } });
    expect(quote.body.data.problems).toEqual([expect.objectContaining({ code: "wallet_locked", until })]);
    const debit = await call(`POST /admin/users/${account.id}/credit`, { as, body: { amount: -1, reason: "Back" } });
    expect([debit.status, debit.body.details]).toEqual([400, [{ field: "amount", code: "wallet_locked", until }]]);
    await db.update(tables.users).set({ walletLockedUntil: Date.now() }).where(eq(tables.users.id, account.id));
    expect((await call("POST /orders", { as: account.token, body: order })).status).toBe(201);
  });

  it("does not let its new owner bypass the second factor by a new password", async () => {
    const [account, email] = [await anAccount(), anEmail()];
    await giveFactor(account.id);
    await moveAtOnce(account.id, email);
    await delivered();
    await call("POST /auth/forgot-password", { body: { email } });
    const token = await linkTo(email);
    const reset = await call("POST /auth/reset-password", { body: { token, password: "quite another one" } });
    expect(reset.body.data.two_factor_required).toBe(true);
  });
});

describe("an account that a stranger opened with somebody's address", () => {
  const address = { name: "Squatter", address: "1 Trap Street", city: "Nowhere", zip: "12345", default: true };

  async function squat() {
    const email = anEmail();
    const body = { email, password: PASSWORD, name: "Squatter", phone: "+44 20 7946 0000", accepts_marketing: true };
    const { data } = (await call("POST /auth/signup", { body })).body;
    const id: number = data.user.id;
    await call("POST /account/addresses", { as: data.token, body: address });
    await call("POST /cart", { as: data.token, body: { product_id: (await aProduct()).id, quantity: 1 } });
    await giveFactor(id);
    await call("PUT /account/profile", { as: data.token, body: { email: anEmail(), current_password: PASSWORD } });
    const revert = `former-${people}@credentials.test`;
    await db.insert(tables.linkTokens).values({
      hash: `hash-${id}`,
      purpose: "revert_email",
      userId: id,
      email: revert,
      expiresAt: Date.now() + HOUR_MS,
      createdAt: Date.now(),
    });
    return { email, id, ...data };
  }

  async function expectClean(id: number, email: string, stranger: { token: string; refresh_token: string }) {
    const { addresses, carts, linkTokens, totpSecrets, recoveryCodes } = tables;
    for (const table of [addresses, carts, totpSecrets, recoveryCodes]) {
      expect(await db.$count(table, eq(table.userId, id))).toBe(0);
    }
    const links = await db.select().from(linkTokens).where(eq(linkTokens.userId, id));
    expect(links.filter(({ purpose }) => purpose !== "reset_password")).toEqual([]);
    expect(await accountNow(id)).toMatchObject({
      email,
      emailVerifiedAt: expect.any(Number),
      pendingEmail: null,
      name: email.split("@")[0],
      phone: null,
      acceptsMarketing: false,
    });
    expect((await call("GET /account/profile", { as: stranger.token })).status).toBe(401);
    const refreshed = await call("POST /auth/refresh", { body: { refresh_token: stranger.refresh_token } });
    expect(refreshed.status).toBe(401);
    expect((await call("POST /auth/login", { body: { email, password: PASSWORD } })).status).toBe(401);
  }

  it("belongs to the owner of the address once they choose a password by a link", async () => {
    const { email, id, ...stranger } = await squat();
    await delivered();
    await call("POST /auth/forgot-password", { body: { email } });
    const token = await linkTo(email);
    const reset = await call("POST /auth/reset-password", { body: { token, password: "the owner's own one" } });
    expect([reset.status, reset.body.data.user?.name]).toEqual([200, email.split("@")[0]]);
    await expectClean(id, email, stranger);
    expect((await call("GET /account/profile", { as: reset.body.data.token })).status).toBe(200);
  });

  it("belongs to the owner once they verify the address without its password or a session", async () => {
    const { email, id, ...stranger } = await squat();
    const [sent] = await delivered(email);
    const verified = await verify(tokenIn(sent ?? { text: "" }));
    expect([verified.status, verified.body.data.new_password_needed]).toEqual([200, true]);
    await expectClean(id, email, stranger);
    const token = await linkTo(email);
    expect((await call("POST /auth/reset-password", { body: { token, password: "the owner's own one" } })).status).toBe(
      200,
    );
  });

  it("enables no second factor before its address is verified, whenever that was started", async () => {
    const { token, user } = (
      await call("POST /auth/signup", { body: { email: anEmail(), password: PASSWORD, name: "P" } })
    ).body.data;
    const refused = await call("POST /account/two-factor", { as: token, body: { current_password: PASSWORD } });
    expect([refused.status, refused.body.code]).toEqual([409, "email_not_verified"]);
    expect(await db.$count(tables.totpSecrets, eq(tables.totpSecrets.userId, user.id))).toBe(0);
  });

  it("belongs to the owner once they confirm the address to which the stranger moved it", async () => {
    const [first, email] = [anEmail(), anEmail()];
    const body = { email: first, password: PASSWORD, name: "Squatter", phone: "+44 20 7946 0000" };
    const { user, ...stranger } = (await call("POST /auth/signup", { body })).body.data;
    await call("POST /account/addresses", { as: stranger.token, body: address });
    await delivered();
    await call("PUT /account/profile", { as: stranger.token, body: { email, current_password: PASSWORD } });
    const confirmed = await verify(await linkTo(email), { as: (await aUser()).token });
    expect([confirmed.status, confirmed.body.data.new_password_needed]).toEqual([200, true]);
    await expectClean(user.id, email, stranger);
    const sent = await delivered();
    expect(sent.map(({ to }) => to)).toEqual([email]);
    const token = tokenIn(sent[0] ?? { text: "" });
    const reset = await call("POST /auth/reset-password", { body: { token, password: "the owner's own one" } });
    expect(reset.status).toBe(200);
  });

  it("sends no link back to an address that was never verified, and leaves it available", async () => {
    const [typo, right] = [anEmail(), anEmail()];
    const { token } = (await call("POST /auth/signup", { body: { email: typo, password: PASSWORD, name: "P" } })).body
      .data;
    await delivered();
    await call("PUT /account/profile", { as: token, body: { email: right, current_password: PASSWORD } });
    expect((await verify(await linkTo(right), { as: token })).status).toBe(200);
    expect(await delivered(typo)).toEqual([]);
    const body = { email: typo, password: PASSWORD, name: "Owner" };
    expect((await call("POST /auth/signup", { body })).status).toBe(201);
  });
});

it("returns to the former address without a second factor that was set up since", async () => {
  const [account, email] = [await anAccount(), anEmail()];
  await call("PUT /account/profile", { as: account.token, body: { email, current_password: PASSWORD } });
  await verify(await linkTo(email), { as: account.token });
  const undo = await linkTo(account.email);
  await giveFactor(account.id);
  await call("POST /auth/revert-email", { body: { token: undo } });
  const token = await linkTo(account.email);
  const reset = await call("POST /auth/reset-password", { body: { token, password: "mine again, really" } });
  expect(reset.body.data.token).toEqual(expect.any(String));
});

describe("an honest sign-up", () => {
  it.each([
    ["in the browser that is signed in", (as: string) => ({ as })],
    ["with the password", () => ({ password: PASSWORD })],
    ["with a token that has expired", async (_: string, user: number) => ({ as: await expiredToken(user) })],
  ])("keeps its session, addresses and cart when the address is verified %s", async (_, proof) => {
    const email = anEmail();
    const { token, user } = (await call("POST /auth/signup", { body: { email, password: PASSWORD, name: "Honest" } }))
      .body.data;
    const address = { name: "Honest", address: "1 Quay", city: "Bristol", zip: "12345" };
    await call("POST /account/addresses", { as: token, body: address });
    const verified = await verify(await linkTo(email), await proof(token, user.id));
    expect([verified.status, verified.body.data.new_password_needed]).toEqual([200, false]);
    expect((await call("GET /account/profile", { as: token })).body.data).toMatchObject({
      name: "Honest",
      email_verified_at: expect.any(String),
    });
    expect((await call("GET /account/addresses", { as: token })).body.data).toHaveLength(1);
    expect((await call("POST /auth/login", { body: { email, password: PASSWORD } })).status).toBe(200);
  });
});

describe("the panel's form of a customer", () => {
  it("proposes an address, and changes it at once with a reason", async () => {
    const [account, email] = [await anAccount(), anEmail()];
    const admin = await anAdministrator();
    const path = `/admin/customers/${account.id}`;
    const save = async (fields: Record<string, string>) => {
      const page = await admin.get(path);
      return { page, sent: await admin.post(path, { ...fieldsOf(page, path), ...fields }) };
    };
    const { page, sent } = await save({ email });
    expect(page.html).toContain("Changes once the customer opens a link sent to the current address");
    expect(sent.status).toBe(303);
    expect((await accountNow(account.id)).email).toBe(account.email);
    expect((await admin.get(path)).html).toContain("Proposed e-mail");
    expect((await save({ email, email_change_reason: "Lost mailbox" })).sent.status).toBe(303);
    expect(await accountNow(account.id)).toMatchObject({ email, walletLockedUntil: expect.any(Number) });
    expect((await admin.get(path)).html).toContain("Wallet locked until");
  });
});
