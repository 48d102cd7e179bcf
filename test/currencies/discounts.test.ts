import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { discounts } from "../../src/platform/db/schema.ts";
import { anAdmin } from "../support/administration.ts";
import { call } from "../support/call.ts";
import { money } from "../support/money.ts";
import { userNow } from "../support/orders.ts";
import { aDiscount, noRules } from "../support/pricing.ts";
import { aProduct, aUser, db, manyUsers, onPurpose, orderOf } from "../support/shop.ts";

// Amounts of discounts in requests and responses. What discounts apply to is tested by test/discounts/placing.test.ts.

const WALLET = 100_000;

let buyer: Awaited<ReturnType<typeof aUser>>;
let admin: string;
let lamp: Awaited<ReturnType<typeof aProduct>>;

beforeEach(async () => {
  await noRules();
  await db.update(discounts).set({ enabled: false });
  [buyer, { token: admin }, lamp] = await Promise.all([
    aUser({ wallet: WALLET }),
    anAdmin(),
    aProduct({ price: 10_000, stock: 200 }),
  ]);
});

const place = (discount_codes: unknown[], as = buyer.token, more: Record<string, unknown> = {}) =>
  call("POST /orders", { as, body: orderOf(lamp, 1, { discount_codes, ...more }), headers: onPurpose() });

const usesOf = async (id: number) => (await db.select().from(discounts).where(eq(discounts.id, id)).get())?.uses;

const walletOf = async (id: number) => (await userNow(id))?.walletBalance;

describe("a discount", () => {
  it("with a code works in any case, once however often it is sent, and appears in the order and its redemptions", async () => {
    const discount = await aDiscount({ name: "Ten" });
    const lower = String(discount.code).toLowerCase();
    const { status, body } = await place([` ${lower} `, discount.code]);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.data).toMatchObject({
      subtotal: money(100),
      discount_total: money(10),
      total: money(90),
      discounts: [{ id: discount.id, code: discount.code, name: "Ten", amount: money(10) }],
    });
    expect([await walletOf(buyer.id), await usesOf(discount.id)]).toEqual([WALLET - 9_000, 1]);
    const listed = await call(`GET /admin/discounts/${discount.id}/redemptions`, { as: admin });
    expect(listed.body.data).toEqual([
      {
        order_id: body.data.id,
        order_number: body.data.number,
        customer: { id: buyer.id, email: buyer.email, name: buyer.name },
        amount: money(10),
        created_at: body.data.created_at,
        released_at: null,
      },
    ]);
    const deleted = await call(`DELETE /admin/discounts/${discount.id}`, { as: admin });
    expect([deleted.status, deleted.body.code]).toEqual([409, "in_use"]);
  });

  it("between quote and order refuses the agreed total, and is recalculated without one", async () => {
    const { id, code } = await aDiscount();
    const { shipping_address, items } = orderOf(lamp);
    const asked = { shipping_address, items: items.map(({ price: _, ...line }) => line), discount_codes: [code] };
    const quoted = (await call("POST /checkout/quote", { as: buyer.token, body: asked })).body.data;
    expect((await place([code], buyer.token, { expected_total: quoted.total })).status).toBe(201);
    const wallet = await walletOf(buyer.id);
    expect((await call(`PUT /admin/discounts/${id}`, { as: admin, body: { percent: 5 } })).status).toBe(200);
    const refused = await place([code], buyer.token, { expected_total: quoted.total });
    expect([refused.status, refused.body.code]).toEqual([400, "total_changed"]);
    expect(refused.body.details).toMatchObject([
      { field: "expected_total", discount_total: money(5), total: money(95) },
    ]);
    expect(await walletOf(buyer.id)).toBe(wallet);
    expect((await place([code])).body.data.total).toBe(money(95));
  });

  it("applies to the next order without a code if it is automatic, and its last use to only one", async () => {
    expect((await place([])).body.data.total).toBe(money(100));
    const { body } = await call("POST /admin/discounts", {
      as: admin,
      body: { name: "By itself", kind: "amount", amount: money(30), max_uses: 1, product_ids: [lamp.id] },
    });
    const people = await manyUsers(6, { wallet: WALLET });
    const totals = await Promise.all(
      people.map(async ({ id, token }) => {
        const first = await place([], token);
        if (first.status === 201) return first.body.data.total;
        // The price included a use that another buyer got at the same moment: nothing is charged, and the next quote is
        // right.
        expect([first.body.code, await walletOf(id)]).toEqual(["changed_meanwhile", WALLET]);
        return (await place([], token)).body.data.total;
      }),
    );
    expect(totals.toSorted((a, b) => a - b)).toEqual([70, 100, 100, 100, 100, 100].map(money));
    expect(await usesOf(body.data.id)).toBe(1);
    const refused = await place([], buyer.token, { expected_total: money(70) });
    expect(refused.body).toMatchObject({ code: "total_changed", details: [{ total: money(100) }] });
  });
});
