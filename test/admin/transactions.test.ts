import { beforeAll, describe, expect, it } from "vitest";
import { transactions } from "../../src/platform/db/schema.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aKey, aUser, db } from "../support/shop.ts";
import { anAdministrator, placed } from "./orders/support.ts";

let admin: Awaited<ReturnType<typeof anAdministrator>>;

beforeAll(async () => {
  admin = await anAdministrator();
});

const listed = async (query: Record<string, string>) => {
  const { status, body } = await admin.ask(`GET /admin/transactions?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.pagination.total_items).toBe(body.data.length);
  return body.data;
};

it("lists all transactions, newest first, with their owners", async () => {
  const [first, second] = [await placed({ quantity: 2 }), await placed()];
  const { body } = await admin.ask("GET /admin/transactions?per_page=3");
  expect(body.data).toMatchObject([{ order_id: second.id }, { user_id: second.user.id, kind: "credit" }, {}]);
  expect(body.data[2]).toEqual({
    id: expect.any(Number),
    order_id: first.id,
    user_id: first.user.id,
    api_key_id: null,
    kind: "charge",
    method: "wallet",
    amount: -20,
    currency: "USD",
    balance_after: 980,
    gift_card_id: null,
    note: null,
    created_at: expect.stringMatching(/Z$/),
  });
});

it("names the API key that placed the order", async () => {
  const { id } = await aKey();
  const row = {
    apiKeyId: id,
    kind: "charge",
    method: "paypal",
    amount: -500,
    createdAt: Date.UTC(2002, 0, 1),
  } as const;
  await db.insert(transactions).values(row);
  const [found] = await listed({ from: "2002-01-01T00:00:00Z", to: "2002-01-02T00:00:00Z" });
  expect(found).toMatchObject({ api_key_id: id, user_id: null, balance_after: null, amount: -5 });
});

describe("filters", () => {
  it("by user, order, kind and method, also combined", async () => {
    const { id, user } = await placed();
    await admin.refund(id);
    const user_id = String(user.id);
    const kinds = (rows: { kind: string }[]) => rows.map(({ kind }) => kind);
    expect(kinds(await listed({ user_id }))).toEqual(["refund", "charge", "credit"]);
    expect(kinds(await listed({ order_id: String(id) }))).toEqual(["refund", "charge"]);
    expect(kinds(await listed({ user_id, kind: "credit" }))).toEqual(["credit"]);
    expect(kinds(await listed({ user_id, method: "paypal" }))).toEqual([]);
    expect(kinds(await listed({ user_id, method: "wallet", kind: "charge" }))).toEqual(["charge"]);
  });

  it("by time, from one time and before another", async () => {
    const { id } = await aUser();
    const add = (day: number) =>
      db.insert(transactions).values({
        userId: id,
        kind: "charge",
        method: "credit_card",
        amount: -day,
        createdAt: Date.UTC(2003, 0, day),
      });
    for (const day of [1, 2, 3]) await add(day);
    const amounts = async (from: string, to: string) =>
      (await listed({ from, to })).map(({ amount }: { amount: number }) => amount);
    expect(await amounts("2003-01-01T00:00:00Z", "2003-01-03T00:00:00Z")).toEqual([-0.02, -0.01]);
    expect(await amounts("2003-01-01T00:00:00.001Z", "2003-01-04T00:00:00Z")).toEqual([-0.03, -0.02]);
  });

  it.each([
    ["user_id", "x"],
    ["order_id", "-1"],
    ["kind", "gift"],
    ["method", "barter"],
    ["from", "today"],
    ["to", "1"],
    ["page", "0"],
    ["search", "x"],
  ])("refuses %s=%s", async (name, value) => {
    expectRefusal(await admin.ask(`GET /admin/transactions?${new URLSearchParams({ [name]: value })}`), 400, name);
  });
});

it("reads a page in one round trip, for a key that may read orders", async () => {
  const { key } = await aKey({ permissions: ["orders:read"] });
  const { bindings, trips } = counted();
  const { status } = await callWith(bindings, "GET /admin/transactions", { as: key });
  expect([status, trips.d1]).toEqual([200, 1]);
  expect(
    (await call("GET /admin/transactions", { as: (await aKey({ permissions: ["users:read"] })).key })).status,
  ).toBe(403);
});
