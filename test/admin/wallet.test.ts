import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { shopCurrency, toMinor } from "../../src/domain/money.ts";
import { auditLog, transactions } from "../../src/platform/db/schema.ts";
import { accountNow } from "../support/accounts.ts";
import { administration, entriesOf } from "../support/administration.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { money } from "../support/money.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aKey, aUser, db } from "../support/shop.ts";

const { admin } = administration();

const credit = (id: number, body: unknown, key?: string) =>
  call(`POST /admin/users/${id}/credit`, {
    as: admin.token,
    body,
    ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
  });
const gift = (amount: number) => ({ amount: money(amount), reason: "Goodwill" });
const balanceOf = async (id: number) => (await accountNow(id)).walletBalance;
const ledgerOf = (id: number) => db.select().from(transactions).where(eq(transactions.userId, id)).all();
it("adds to the wallet, and returns the transaction with the new balance", async () => {
  const { id, token } = await aUser({ wallet: 1000 });
  const { status, body } = await credit(id, gift(12.34));
  expect(status).toBe(201);
  expect(body.data).toEqual({
    id: expect.any(Number),
    order_id: null,
    kind: "credit",
    method: "wallet",
    amount: money(12.34),
    currency: shopCurrency(),
    balance_after: money(22.34),
    gift_card_id: null,
    created_at: expect.any(String),
    user_id: id,
    api_key_id: null,
    note: "Goodwill",
  });
  expect((await call("GET /account/profile", { as: token })).body.data.wallet_balance).toBe(money(22.34));
  const [entry] = await entriesOf(id);
  expect(entry).toMatchObject({
    actor: `user:${admin.id}`,
    action: "user.credit",
    before: { wallet_balance: money(10) },
  });
  expect(entry?.after).toEqual({ wallet_balance: money(22.34), amount: money(12.34), reason: "Goodwill" });
  expect(await brokenInvariants()).toEqual({});
});

it("treats negative amounts as adjustments, down to zero", async () => {
  const { id } = await aUser({ wallet: 1000 });
  const { body } = await credit(id, { amount: money(-10), reason: "Credited twice" });
  expect(body.data).toMatchObject({ kind: "adjustment", amount: money(-10), balance_after: 0 });
  expect(await balanceOf(id)).toBe(0);
  expect((await entriesOf(id))[0]?.after).toEqual({ wallet_balance: 0, amount: money(-10), reason: "Credited twice" });
});

it("takes no more than the balance", async () => {
  const { id } = await aUser({ wallet: 1000 });
  expectRefusal(await credit(id, gift(-10.01)), 400, "amount", "negative_balance");
  expect([await balanceOf(id), (await ledgerOf(id)).length, await entriesOf(id)]).toEqual([1000, 1, []]);
});

describe("a credit is refused", () => {
  it.each<[field: string, body: unknown]>([
    ["amount", { reason: "Goodwill" }],
    ["amount", gift(0)],
    ["amount", gift(-0)],
    ["amount", { ...gift(1), amount: 0.0001 }],
    ["amount", { ...gift(1), amount: 1.0005 }],
    ["amount", gift(10_000_000)],
    ["amount", gift(-10_000_000)],
    ["amount", { amount: "5", reason: "Goodwill" }],
    ["amount", { amount: null, reason: "Goodwill" }],
    ["reason", { amount: money(5) }],
    ["reason", { amount: money(5), reason: "  " }],
    ["reason", { amount: money(5), reason: "x".repeat(201) }],
    ["reason", { amount: money(5), reason: "a\nb" }],
    ["balance_after", { ...gift(5), balance_after: money(9) }],
    ["kind", { ...gift(5), kind: "refund" }],
  ])("for its %s: %j", async (field, body) => {
    const { id } = await aUser();
    expectRefusal(await credit(id, body), 400, field);
    expect([await ledgerOf(id), await entriesOf(id)]).toEqual([[], []]);
  });

  it("if there is no such user, and leaves no entry", async () => {
    const entries = await db.$count(auditLog);
    expect((await credit(999_999, gift(5), "nobody")).status).toBe(404);
    expect(await db.$count(auditLog)).toBe(entries);
  });
});

describe("at the same moment", () => {
  it("every credit counts, and each returns the resulting balance", async () => {
    const { id } = await aUser();
    const answers = await Promise.all(Array.from({ length: 20 }, () => credit(id, gift(1))));
    const balances = answers.map(({ body }) => body.data.balance_after).sort((a, b) => a - b);
    expect(balances).toEqual(Array.from({ length: 20 }, (_, n) => money(n + 1)));
    expect(await balanceOf(id)).toBe(2000);
    const entries = await entriesOf(id);
    for (const { before, after } of entries)
      expect(toMinor(Number(after?.wallet_balance) - Number(before?.wallet_balance))).toBe(100);
  });

  it("two debits take no more than the balance", async () => {
    const { id } = await aUser({ wallet: 1000 });
    const answers = await Promise.all([credit(id, gift(-8)), credit(id, gift(-8))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(await balanceOf(id)).toBe(200);
  });

  it("ten with one Idempotency-Key count once", async () => {
    const { id } = await aUser();
    const answers = await Promise.all(Array.from({ length: 10 }, () => credit(id, gift(5), "ten")));
    for (const { status, body } of answers) expect([status, body]).toEqual([201, answers[0]?.body]);
    expect(answers.filter(({ headers }) => headers.get("Idempotent-Replayed") === "true")).toHaveLength(9);
    expect([await balanceOf(id), (await ledgerOf(id)).length, (await entriesOf(id)).length]).toEqual([500, 1, 1]);
    expect(await brokenInvariants()).toEqual({});
  });
});

describe("an Idempotency-Key", () => {
  it("replays a debit that emptied the wallet, rather than refusing it", async () => {
    const { id } = await aUser({ wallet: 1000 });
    const first = await credit(id, gift(-10), "emptied");
    const second = await credit(id, gift(-10), "emptied");
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(second.headers.get("Idempotent-Replayed")).toBe("true");
  });

  it("is refused with another amount or another user", async () => {
    const [one, other] = [await aUser(), await aUser()];
    await credit(one.id, gift(5), "used");
    expectRefusal(await credit(one.id, gift(6), "used"), 409, "idempotency-key");
    expectRefusal(await credit(other.id, gift(5), "used"), 409, "idempotency-key");
    expect([await balanceOf(one.id), await balanceOf(other.id)]).toEqual([500, 0]);
  });

  it("is forgotten if its request was refused", async () => {
    const { id } = await aUser();
    expect((await credit(id, gift(-5), "again")).status).toBe(400);
    await credit(id, gift(5));
    expect((await credit(id, gift(-5), "again")).status).toBe(201);
  });
});

it("writes in one round trip, also for an API key", async () => {
  const { id } = await aUser();
  const { id: keyId, key } = await aKey({ permissions: ["payments:write"] });
  const { bindings, trips } = counted();
  const headers = { "Idempotency-Key": "key" };
  const { status } = await callWith(bindings, `POST /admin/users/${id}/credit`, { as: key, body: gift(5), headers });
  expect([status, trips.d1]).toEqual([201, 1]);
  expect((await entriesOf(id))[0]?.actor).toBe(`api_key:${keyId}`);
});
