import { eq, gte } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { expireOrders } from "../../src/checkout/orders/change.ts";
import { discountRedemptions, discounts, orders, users } from "../../src/platform/db/schema.ts";
import { type Answer, call } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { LONG } from "../support/long.ts";
import { orderNow, outlive, pay, userNow } from "../support/orders.ts";
import { aDiscount, noRules } from "../support/pricing.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aCategory, aKey, aProduct, aUser, db, manyUsers, onPurpose, orderOf } from "../support/shop.ts";

const HOUR = 60 * 60 * 1000;
const WALLET = 100_000;

type Product = Awaited<ReturnType<typeof aProduct>>;

let buyer: Awaited<ReturnType<typeof aUser>>;
let admin: string;
let lamp: Product;

beforeEach(async () => {
  await noRules();
  await db.update(discounts).set({ enabled: false });
  buyer = await aUser({ wallet: WALLET });
  ({ token: admin } = await aUser({ role: "admin" }));
  lamp = await aProduct({ price: 10_000, stock: 200 });
});

type Ordered = { as?: string; product?: Product; quantity?: number } & Record<string, unknown>;

const place = (codes: unknown[], { as = buyer.token, product = lamp, quantity = 1, ...more }: Ordered = {}) =>
  call("POST /orders", {
    as,
    body: orderOf(product, quantity, { discount_codes: codes, ...more }),
    headers: onPurpose(),
  });

/** A guest order with this e-mail address. */
const placeAs = (as: string, email: string, codes: unknown[]) =>
  place(codes, { as, payment_method: "paypal", customer: { email, name: "Guest" } });

const cancel = (id: number, as = buyer.token) =>
  call(`POST /account/orders/${id}/cancel`, { as, body: {}, headers: onPurpose() });

const usesOf = async (id: number) => (await db.select().from(discounts).where(eq(discounts.id, id)).get())?.uses;

const walletOf = async (id: number) => (await userNow(id))?.walletBalance;

/** The order was refused because of its first code, and nothing was charged or left behind. */
async function expectRefused(answer: Answer, code: string, field = "discount_codes.0") {
  expectRefusal(answer, 400, field);
  expect([answer.body.code, answer.body.details[0].field]).toEqual([code, field]);
  expect(await walletOf(buyer.id)).toBe(WALLET);
  expect(await db.$count(orders, eq(orders.userId, buyer.id))).toBe(0);
}

describe("a discount code", () => {
  it("that is unknown is refused at its position", async () => {
    const { code } = await aDiscount();
    await expectRefused(await place([code, "nothing"]), "unknown_discount_code", "discount_codes.1");
  });

  it.each([
    ["not on yet", { startsAt: Date.now() + HOUR }],
    ["on no more", { endsAt: Date.now() - 1 }],
    ["disabled", { enabled: false }],
    ["for a larger order", { minimumSubtotal: 10_001 }],
    ["for other products", { productIds: [999_999] }],
    ["for more units", { kind: "buy_x_get_y", buyQuantity: 1, getQuantity: 1 }],
  ] as const)("that is %s is refused, and what goes with it is not charged", async (_, columns) => {
    const productIds = "productIds" in columns ? [...columns.productIds] : [];
    await expectRefused(await place([(await aDiscount({ ...columns, productIds })).code]), "discount_not_applicable");
  });

  it("covers the categories that are below its own when the order is placed, whatever was ordered before", async () => {
    const [sale, shoes] = [await aCategory("Sale"), await aCategory("Shoes")];
    const boots = await aProduct({ price: 10_000, categoryId: shoes.id });
    const { code } = await aDiscount({ categoryIds: [sale.id] });
    const move = (parent_id: number | null) =>
      call(`PUT /admin/categories/${shoes.id}`, { as: admin, body: { parent_id } });
    for (const parent of [sale.id, null, sale.id]) {
      expect((await move(parent)).status).toBe(200);
      expect((await place([])).status).toBe(201);
      const { status, body } = await place([code], { product: boots });
      expect([status, body.data?.total ?? body.code]).toEqual(
        parent === null ? [400, "discount_not_applicable"] : [201, 90],
      );
    }
  });

  it("applies once a change makes it better than the discount that it was left out for", async () => {
    await aDiscount({ code: null, percent: 200_000, combinable: false });
    const { id, code } = await aDiscount({ combinable: false });
    expect((await place([code])).body.data.total).toBe(80);
    expect((await call(`PUT /admin/discounts/${id}`, { as: admin, body: { percent: 50 } })).status).toBe(200);
    expect((await place([code])).body.data.total).toBe(50);
    await db.update(discounts).set({ enabled: false });
  });

  it("applies to nothing once the products it names were deleted, even if it is enabled", async () => {
    const gone = await aProduct();
    const { id, code } = await aDiscount({ productIds: [gone.id] });
    expect((await call(`DELETE /admin/products/${gone.id}`, { as: admin })).status).toBe(204);
    await db.update(discounts).set({ enabled: true }).where(eq(discounts.id, id));
    await expectRefused(await place([code]), "discount_not_applicable");
  });

  it("is accepted from its start and its minimum subtotal on", async () => {
    const { code } = await aDiscount({ startsAt: Date.now() - 1, endsAt: Date.now() + HOUR, minimumSubtotal: 10_000 });
    expect((await place([code])).body.data.total).toBe(90);
  });
});

describe("a discount for first orders", () => {
  it("is refused to an account that has ordered, unless the order was cancelled", async () => {
    const { code } = await aDiscount({ firstOrderOnly: true });
    const first = await place([code]);
    expect(first.status).toBe(201);
    const second = await place([code]);
    expect([second.status, second.body.code]).toEqual([400, "discount_not_applicable"]);
    expect((await cancel(first.body.data.id)).status).toBe(200);
    expect((await place([code])).status).toBe(201);
  });

  it("is refused to a guest's e-mail address that has ordered without an account, in any case, and to no other", async () => {
    const [{ code }, { key }] = [await aDiscount({ firstOrderOnly: true }), await aKey()];
    expect((await place([])).status).toBe(201);
    expect((await placeAs(key, buyer.email, [code])).status).toBe(201);
    expect((await placeAs(key, "first@guests.test", [])).status).toBe(201);
    const again = await placeAs(key, "FIRST@guests.test", [code]);
    expect([again.status, again.body.code]).toEqual([400, "discount_not_applicable"]);
    expect((await placeAs(key, "second@guests.test", [code])).status).toBe(201);
  });

  it("applies to one of several orders that an account places at once", async () => {
    const discount = await aDiscount({ firstOrderOnly: true });
    const answers = await Promise.all(Array.from({ length: 8 }, () => place([discount.code])));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect([await usesOf(discount.id), await walletOf(buyer.id)]).toEqual([1, WALLET - 9_000]);
  });
});

describe("a discount with a limit per customer", () => {
  it("counts an account's orders, including simultaneous ones, and releases cancelled ones", async () => {
    const discount = await aDiscount({ maxUsesPerCustomer: 2 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => place([discount.code])));
    const placed = answers.filter(({ status }) => status === 201);
    expect([placed.length, await usesOf(discount.id)]).toEqual([2, 2]);
    for (const refused of answers.filter(({ status }) => status !== 201))
      expect(refused.body.code).toBe("discount_used_up");
    const other = await aUser({ wallet: WALLET });
    expect((await place([discount.code], { as: other.token })).status).toBe(201);
    await cancel(placed[0]?.body.data.id);
    expect((await place([discount.code])).status).toBe(201);
    expect((await place([discount.code])).body.code).toBe("discount_used_up");
  });

  it("counts guests by e-mail address across all keys, and does not count guests without one", async () => {
    const { code } = await aDiscount({ maxUsesPerCustomer: 1 });
    const [one, two] = [await aKey(), await aKey()];
    expect((await placeAs(one.key, "once@guests.test", [code])).status).toBe(201);
    const again = await placeAs(two.key, "Once@Guests.test", [code]);
    expect([again.status, again.body.code]).toEqual([400, "discount_used_up"]);
    for (let time = 0; time < 2; time++) {
      expect((await place([code], { as: one.key, payment_method: "paypal" })).status).toBe(201);
    }
  });
});

describe("a discount with three uses", () => {
  it("is given to exactly three of twenty at once, and to one more when one of them cancels", LONG, async () => {
    const discount = await aDiscount({ maxUses: 3 });
    /** The buyers who got the discount among many simultaneous orders. The others keep their money. */
    const race = async (many: number) => {
      const people = await manyUsers(many, { wallet: WALLET });
      const answers = await Promise.all(people.map(({ token }) => place([discount.code], { as: token })));
      const wallets = await db
        .select({ balance: users.walletBalance })
        .from(users)
        .where(gte(users.id, people[0]?.id ?? 0))
        .orderBy(users.id);
      expect(wallets).toHaveLength(many);
      for (const [index, { status, body }] of answers.entries()) {
        const paid = WALLET - (wallets[index]?.balance ?? 0);
        if (status === 201) expect([paid, body.data.total]).toEqual([9_000, 90]);
        else
          expect([paid, status, body.code, body.details[0].field]).toEqual([
            0,
            400,
            "discount_used_up",
            "discount_codes.0",
          ]);
      }
      return answers.flatMap(({ status, body }, index) =>
        status === 201 ? [{ ...people[index], order: body.data }] : [],
      );
    };
    const [first, ...others] = await race(20);
    expect([others.length, await usesOf(discount.id)]).toEqual([2, 3]);
    expect((await cancel(first?.order.id, first?.token)).status).toBe(200);
    expect(await usesOf(discount.id)).toBe(2);
    expect(await race(6)).toHaveLength(1);
    expect(await usesOf(discount.id)).toBe(3);
    const { released_at } = (await call(`GET /admin/discounts/${discount.id}/redemptions`, { as: admin })).body.data.at(
      -1,
    );
    expect([released_at === null, await brokenInvariants()]).toEqual([expect.any(Boolean), {}]);
  });
});

describe("an expired order", () => {
  /** An expired order with a single-use code, which somebody else may have redeemed since. */
  async function anExpiredOrder(columns: Parameters<typeof aDiscount>[0] = { maxUses: 1 }) {
    const discount = await aDiscount(columns);
    const { id } = (await place([discount.code], { payment_method: "paypal" })).body.data;
    await outlive(id);
    await expireOrders(db, Date.now());
    expect([(await orderNow(id)).status, await usesOf(discount.id)]).toEqual(["expired", 0]);
    return { id, discount };
  }

  it("releases its use, and takes it again when it is paid after all", async () => {
    const { id, discount } = await anExpiredOrder();
    const [redemption] = await db.select().from(discountRedemptions).where(eq(discountRedemptions.orderId, id));
    expect(redemption?.releasedAt).toEqual(expect.any(Number));
    await pay(id);
    expect([(await orderNow(id)).status, await usesOf(discount.id)]).toEqual(["processing", 1]);
    expect(await brokenInvariants()).toEqual({});
  });

  it("is not paid if somebody else has its use by then: the money is returned", async () => {
    const { id, discount } = await anExpiredOrder();
    const other = await aUser({ wallet: WALLET });
    expect((await place([discount.code], { as: other.token })).status).toBe(201);
    await pay(id);
    expect([(await orderNow(id)).status, await usesOf(discount.id)]).toEqual(["expired", 1]);
    const byHand = await call(`PUT /admin/orders/${id}`, { as: admin, body: { payment_status: "paid" } });
    expectRefusal(byHand, 400, "payment_status");
    expect(byHand.body.code).toBe("discount_used_up");
    expect(await brokenInvariants()).toEqual({});
  });

  it.each([{ maxUsesPerCustomer: 1 }, { firstOrderOnly: true }])(
    "is not paid if its buyer has used the discount in another order meanwhile: %j",
    async (columns) => {
      const { id, discount } = await anExpiredOrder(columns);
      expect((await place([discount.code])).status).toBe(201);
      await pay(id);
      expect([(await orderNow(id)).status, await usesOf(discount.id)]).toEqual(["expired", 1]);
      const byHand = await call(`PUT /admin/orders/${id}`, { as: admin, body: { payment_status: "paid" } });
      expect([byHand.status, byHand.body.code]).toEqual([400, "discount_used_up"]);
    },
  );
});

describe("discounts that cannot be combined", () => {
  it("give the buyer the best choice: all the others together, or one of them alone", async () => {
    const [ten, five] = [await aDiscount(), await aDiscount({ kind: "amount", amount: 500 })];
    const alone = await aDiscount({ percent: 140_000, combinable: false });
    const stronger = await aDiscount({ percent: 150_000, combinable: false });
    const codesOf = async (...chosen: { code: string | null }[]) =>
      (await place(chosen.map(({ code }) => code))).body.data.discounts.map(({ code }: { code: string }) => code);
    expect(await codesOf(ten, five, alone)).toEqual([ten.code, five.code]);
    expect(await codesOf(ten, alone)).toEqual([alone.code]);
    expect(await codesOf(alone, stronger)).toEqual([stronger.code]);
    expect(await Promise.all([ten, five, alone, stronger].map(({ id }) => usesOf(id)))).toEqual([1, 1, 1, 1]);
  });
});

describe("a discount that changes", () => {
  const change = (id: number, body: object) => call(`PUT /admin/discounts/${id}`, { as: admin, body });

  it("is refused once it is disabled, even if the isolate has cached it", async () => {
    const { id, code } = await aDiscount();
    expect((await place([code])).status).toBe(201);
    await change(id, { enabled: false });
    expect((await place([code])).body.code).toBe("discount_not_applicable");
    await change(id, { enabled: true, ends_at: new Date(Date.now() + 1).toISOString() });
    await expect.poll(async () => (await place([code])).body.code).toBe("discount_not_applicable");
  });

  it("applies again to an order without a code once its last use is released, even if the isolate has it as used up", async () => {
    const { id } = await aDiscount({ code: null, maxUses: 1, productIds: [lamp.id] });
    const first = (await place([])).body.data;
    expect([first.total, (await place([])).body.data.total]).toEqual([90, 100]);
    await cancel(first.id);
    expect((await place([])).body.data.total).toBe(90);
    expect(await usesOf(id)).toBe(1);
  });
});
