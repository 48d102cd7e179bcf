import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { accountNow, anAccount, PASSWORD } from "../support/accounts.ts";
import { type Answer, call, callWith } from "../support/call.ts";
import { delivered, tokenIn } from "../support/emails.ts";
import { aVisitor } from "../support/panel.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aProduct, aUser, db, orderOf } from "../support/shop.ts";

const HOUR_MS = 60 * 60_000;

let people = 0;
const anEmail = () => `person-${++people}@addresses.test`;

async function signUp(email = anEmail()) {
  const { body } = await call("POST /auth/signup", { body: { email, password: PASSWORD, name: "Person" } });
  return { email, id: body.data.user.id, token: body.data.token };
}

const profileOf = async (as: string) => (await call("GET /account/profile", { as })).body.data;
const verify = (token: string, as?: string) =>
  call("POST /auth/verify-email", { ...(as !== undefined && { as }), body: { token } });
const revert = (token: string) => call("POST /auth/revert-email", { body: { token } });
const changeTo = (as: string, email: string) =>
  call("PUT /account/profile", { as, body: { email, current_password: PASSWORD } });
const logIn = async (email: string, password = PASSWORD) =>
  (await call("POST /auth/login", { body: { email, password } })).status;

/** The token of the link in the only e-mail that an address received since the last call. */
async function linkTo(email: string): Promise<string> {
  const sent = await delivered(email);
  expect(sent).toHaveLength(1);
  return tokenIn(sent[0] ?? { text: "" });
}

function expectEnded(answer: Answer) {
  expectRefusal(answer, 400);
  expect(answer.body.details).toEqual([{ field: "token", code: "link_ended" }]);
}

beforeEach(async () => {
  await delivered();
});

describe("sign-up", () => {
  it("sends a link that verifies the address, once", async () => {
    const { email, token } = await signUp();
    expect(await profileOf(token)).toMatchObject({ email, email_verified_at: null, pending_email: null });
    const link = await linkTo(email);
    const answer = await verify(link, token);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ email, email_verified_at: expect.any(String) });
    expect((await profileOf(token)).email_verified_at).toBe(answer.body.data.email_verified_at);
    expectEnded(await verify(link));
  });

  it("sends a link that expires after 72 hours, and a new one on request, which ends the old one", async () => {
    const { email, id, token } = await signUp();
    const first = await linkTo(email);
    const [row] = await db.select().from(tables.linkTokens).where(eq(tables.linkTokens.userId, id));
    expect(Number(row?.expiresAt) - Number(row?.createdAt)).toBe(72 * HOUR_MS);
    expect((await call("POST /auth/verify-email/resend", { as: token })).status).toBe(200);
    const second = await linkTo(email);
    expectEnded(await verify(first));
    await db.update(tables.linkTokens).set({ expiresAt: 1 }).where(eq(tables.linkTokens.userId, id));
    expectEnded(await verify(second));
  });

  it("writes to an address at most three times an hour, even if each account leaves it again", async () => {
    const email = anEmail();
    const answers: Answer[] = [];
    for (let n = 0; n < 4; n++) {
      answers.push(await call("POST /auth/signup", { body: { email, password: PASSWORD, name: "Person" } }));
      await db.update(tables.users).set({ email: anEmail() }).where(eq(tables.users.email, email));
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 429]);
    expect(await delivered(email)).toHaveLength(3);
  });

  it("sends no further link to a verified address, and at most three an hour", async () => {
    const { token } = await aUser();
    const resend = async () => (await call("POST /auth/verify-email/resend", { as: token })).status;
    expect([await resend(), await resend(), await resend(), await resend()]).toEqual([200, 200, 200, 429]);
    expect(await delivered()).toEqual([]);
  });

  it("accepts no link of another kind", async () => {
    const account = await anAccount();
    await call("POST /auth/forgot-password", { body: { email: account.email } });
    const link = await linkTo(account.email);
    expectEnded(await verify(link));
    expectEnded(await revert(link));
    const fresh = await signUp();
    const verification = await linkTo(fresh.email);
    expectEnded(
      await call("POST /auth/reset-password", { body: { token: verification, password: "quite another one" } }),
    );
    expect((await verify(verification)).status).toBe(200);
  });

  it("treats a password chosen by e-mail as proof of the address", async () => {
    const { email, id } = await signUp();
    await delivered();
    await call("POST /auth/forgot-password", { body: { email } });
    const token = await linkTo(email);
    await call("POST /auth/reset-password", { body: { token, password: "quite another one" } });
    expect((await accountNow(id)).emailVerifiedAt).not.toBeNull();
  });
});

describe("a changed address", () => {
  it("is confirmed at the new one first, and announced to the old one", async () => {
    const account = await anAccount();
    const email = anEmail();
    const asked = await changeTo(account.token, email);
    expect(asked.status).toBe(200);
    expect(asked.body.data).toMatchObject({ email: account.email, pending_email: email });
    expect([await logIn(account.email), await logIn(email)]).toEqual([200, 401]);
    expect((await verify(await linkTo(email))).body.data).toMatchObject({ email });
    expect(await profileOf(account.token)).toMatchObject({ email, pending_email: null });
    expect([await logIn(account.email), await logIn(email)]).toEqual([401, 200]);
    const [announced] = await delivered(account.email);
    expect(announced).toMatchObject({ subject: "Your e-mail address for Storefront was changed" });
    expect(announced?.text).toContain(`New address: ${email}`);
  });

  it("is reverted by the link in the old one for 72 hours, and the attacker is signed out", async () => {
    const account = await anAccount();
    const email = anEmail();
    await changeTo(account.token, email);
    await verify(await linkTo(email));
    const link = await linkTo(account.email);
    const [row] = await db.select().from(tables.linkTokens).where(eq(tables.linkTokens.userId, account.id));
    expect(Number(row?.expiresAt) - Number(row?.createdAt)).toBe(72 * HOUR_MS);
    expect((await revert(link)).status).toBe(200);
    expect(await accountNow(account.id)).toMatchObject({ email: account.email, pendingEmail: null });
    expect((await call("GET /account/profile", { as: account.token })).status).toBe(401);
    expect(await logIn(account.email)).toBe(401);
    expectEnded(await revert(link));
    const token = await linkTo(account.email);
    expect((await call("POST /auth/reset-password", { body: { token, password: "mine again, really" } })).status).toBe(
      200,
    );
  });

  it("is reverted even if the attacker requested an erasure in seven days, and the account stays", async () => {
    const account = await anAccount();
    const email = anEmail();
    await changeTo(account.token, email);
    await verify(await linkTo(email));
    const link = await linkTo(account.email);
    await call("DELETE /account", { as: account.token, body: { current_password: PASSWORD } });
    expect((await accountNow(account.id)).eraseAt).toEqual(expect.any(Number));
    expect((await revert(link)).status).toBe(200);
    expect((await accountNow(account.id)).eraseAt).toBeNull();
  });

  it("is reverted to the first of several, whose later ones cannot undo that", async () => {
    const account = await anAccount();
    const [second, third] = [anEmail(), anEmail()];
    await changeTo(account.token, second);
    await verify(await linkTo(second));
    const toFirst = await linkTo(account.email);
    await db.update(tables.linkTokens).set({ createdAt: 1 }).where(eq(tables.linkTokens.userId, account.id));
    await changeTo(account.token, third);
    await verify(await linkTo(third));
    const toSecond = await linkTo(second);
    expect((await revert(toFirst)).status).toBe(200);
    expectEnded(await revert(toSecond));
    expect((await accountNow(account.id)).email).toBe(account.email);
  });

  it("cannot be taken by another account while it may be reverted to", async () => {
    const account = await anAccount();
    const other = await anAccount();
    const email = anEmail();
    await changeTo(account.token, email);
    await verify(await linkTo(email));
    const body = { email: account.email, password: PASSWORD, name: "Thief" };
    const stolen = await call("POST /auth/signup", { body });
    expect(stolen.body.details).toEqual([{ field: "email", code: "email_taken" }]);
    await delivered();
    await changeTo(other.token, account.email);
    const confirmed = await verify(await linkTo(account.email));
    expect(confirmed.body.details).toEqual([{ field: "email", code: "email_taken" }]);
    // Changing back to the previous address is allowed without the link.
    await changeTo(account.token, account.email);
    expect((await verify(await linkTo(account.email))).status).toBe(200);
  });

  it("is refused if an account has it, even at the last moment", async () => {
    const [account, other] = [await anAccount(), await aUser()];
    expect((await changeTo(account.token, other.email)).body.details).toEqual([
      { field: "email", code: "email_taken" },
    ]);
    const email = anEmail();
    await changeTo(account.token, email);
    const link = await linkTo(email);
    await signUp(email);
    expect((await verify(link)).body.details).toEqual([{ field: "email", code: "email_taken" }]);
    expect((await accountNow(account.id)).email).toBe(account.email);
  });

  it("waits only for the newest request, and not for one from before a new password", async () => {
    const account = await anAccount();
    const [first, second] = [anEmail(), anEmail()];
    await changeTo(account.token, first);
    const older = await linkTo(first);
    await changeTo(account.token, second);
    const link = await linkTo(second);
    expectEnded(await verify(older));
    await call("POST /auth/forgot-password", { body: { email: account.email } });
    const token = await linkTo(account.email);
    await call("POST /auth/reset-password", { body: { token, password: "quite another one" } });
    expectEnded(await verify(link));
    expect((await accountNow(account.id)).pendingEmail).toBeNull();
  });
});

describe("a stranger's address", () => {
  it("gets at most three links an hour, however many accounts request to move there, also repeatedly", async () => {
    const stranger = anEmail();
    const [one, other] = [await anAccount(), await anAccount()];
    const resend = async (as: string) => (await call("POST /auth/verify-email/resend", { as })).status;
    expect([(await changeTo(one.token, stranger)).status, await resend(one.token)]).toEqual([200, 200]);
    expect([(await changeTo(other.token, stranger)).status, await resend(other.token)]).toEqual([200, 429]);
    expect((await changeTo(one.token, stranger)).status).toBe(429);
    expect(await delivered(stranger)).toHaveLength(3);
  });

  it("is one of at most three an hour to which an account requests to move", async () => {
    const { token } = await anAccount();
    const answers = [];
    for (let asked = 0; asked < 4; asked++) answers.push((await changeTo(token, anEmail())).status);
    expect(answers).toEqual([200, 200, 200, 429]);
  });

  it("gets at most ten e-mails an hour about an account opened with it, and none of its texts", async () => {
    const email = anEmail();
    const words = "Your prize: https://prize.test";
    const { body } = await call("POST /auth/signup", { body: { email, password: PASSWORD, name: words } });
    const passwords = [PASSWORD, ...Array.from({ length: 11 }, (_, index) => `quite another one, ${index}`)];
    for (const [index, password] of passwords.slice(1).entries()) {
      const change = { password, current_password: passwords[index] };
      const options = { as: body.data.token, body: change, headers: { "User-Agent": words } };
      expect((await call("PUT /account/profile", options)).status).toBe(200);
    }
    const sent = [...(await delivered(email)), ...(await delivered(email))];
    expect(sent).toHaveLength(10);
    expect(JSON.stringify(sent)).not.toContain("prize");
  });
});

describe("an earlier link", () => {
  type SignedUp = Awaited<ReturnType<typeof anAccount>>;

  const asAdministrator = async (id: number, body: object) => {
    const { token: as } = await aUser({ role: "admin" });
    return call(`PUT /admin/users/${id}`, { as, body });
  };

  /** Accepts an invitation with the account's own password. */
  const joinStaff = async (email: string) => {
    const { token: as } = await aUser({ role: "admin" });
    const { body } = await call("POST /admin/staff/invitations", { as, body: { email, role: "support" } });
    const token = new URL(body.data.url).searchParams.get("token") ?? "";
    return aVisitor().post("/account/invitation", { token, password: PASSWORD });
  };

  it.each([
    [
      "its owner gives the account a new password",
      ({ token: as }: SignedUp) => {
        const body = { password: "quite another one", current_password: PASSWORD };
        return call("PUT /account/profile", { as, body });
      },
    ],
    ["an administrator gives it one", ({ id }: SignedUp) => asAdministrator(id, { password: "quite another one" })],
    ["the account joins the staff", ({ email }: SignedUp) => joinStaff(email)],
  ])("moves an account to no other address once %s", async (_, act) => {
    const account = await anAccount();
    const email = anEmail();
    await changeTo(account.token, email);
    const link = await linkTo(email);
    expect((await act(account)).status).toBeLessThan(400);
    expectEnded(await verify(link));
    expect(await accountNow(account.id)).toMatchObject({ email: account.email, pendingEmail: null });
  });

  it("returns an account to nobody once it has joined the staff", async () => {
    const account = await anAccount();
    const email = anEmail();
    await changeTo(account.token, email);
    await verify(await linkTo(email));
    const link = await linkTo(account.email);
    expect((await joinStaff(email)).status).toBe(303);
    expectEnded(await revert(link));
    expect((await accountNow(account.id)).email).toBe(email);
  });
});

it("audits the address to which a staff account returns", async () => {
  const staff = await anAccount({ role: "support" });
  const email = anEmail();
  await changeTo(staff.token, email);
  await verify(await linkTo(email));
  await revert(await linkTo(staff.email));
  const entries = await db
    .select()
    .from(tables.auditLog)
    .where(eq(tables.auditLog.actor, `user:${staff.id}`));
  expect(entries.at(-1)).toMatchObject({
    action: "user.update",
    subjectId: staff.id,
    before: { email },
    after: { email: staff.email },
  });
});

describe("an account whose address is not verified", () => {
  const order = (as: string, product: Parameters<typeof orderOf>[0], quantity: number) =>
    call("POST /orders", { as, body: orderOf(product, quantity, { payment_method: "credit_card" }) });

  it("reserves at most two unpaid units in total, also in simultaneous orders", async () => {
    const { email, token } = await signUp();
    const [one, other] = [await aProduct(), await aProduct()];
    const refused = await order(token, one, 3);
    expect(refused.body.details).toEqual([{ field: "body", code: "email_not_verified" }]);
    const answers = await Promise.all([order(token, one, 1), order(token, other, 1), order(token, one, 2)]);
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    const held = await db
      .select()
      .from(tables.stockAllocations)
      .where(eq(tables.stockAllocations.unpaidBy, `user:${(await profileOf(token)).id}`));
    expect(held.reduce((sum, { quantity }) => sum + quantity, 0)).toBeLessThanOrEqual(2);
    await verify(await linkTo(email), token);
    expect((await order(token, other, 3)).status).toBe(201);
  });

  it("releases them by cancelling, and buys without a limit if it pays at once", async () => {
    const { id, token } = await signUp();
    const product = await aProduct();
    const placed = await order(token, product, 2);
    expect(placed.status).toBe(201);
    expect((await order(token, product, 1)).status).toBe(400);
    await call(`POST /account/orders/${placed.body.data.id}/cancel`, { as: token });
    expect((await order(token, product, 1)).status).toBe(201);
    const credit = { user_id: id, kind: "credit", method: "wallet", amount: 5_000, balance_after: 5_000 } as const;
    await db.insert(tables.transactions).values({
      userId: id,
      kind: credit.kind,
      method: credit.method,
      amount: credit.amount,
      balanceAfter: credit.balance_after,
      note: "test",
      createdAt: Date.now(),
    });
    const paid = await call("POST /orders", { as: token, body: orderOf(product, 3) });
    expect(paid.status).toBe(201);
  });

  it("cannot order if the shop requires a verified address", async () => {
    const { email, token } = await signUp();
    const product = await aProduct({ price: 0 });
    const place = () => callWith({ VERIFIED_BUYERS: "true" }, "POST /orders", { as: token, body: orderOf(product, 1) });
    const refused = await place();
    expect(refused.body.details).toEqual([{ field: "body", code: "email_not_verified" }]);
    await verify(await linkTo(email), token);
    expect((await place()).status).toBe(201);
  });
});

it("requires a user for another link", async () => {
  expectRefusal(await call("POST /auth/verify-email/resend"), 401);
});
