import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { type Answer, call, callWith } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { expectRefusal } from "../support/refusal.ts";
import { runsOf } from "../support/runs.ts";
import { ADDRESS, aKey, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";

const place = (as: string, body: object, headers: Record<string, string> = {}) =>
  call("POST /orders", { as, body, headers });

const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).toSorted();

const ordersOf = (userId: number) => db.select().from(tables.orders).where(eq(tables.orders.userId, userId)).all();

/** Moves the time at which an order was placed back. */
const agedBy = (id: number, ms: number) =>
  db
    .update(tables.orders)
    .set({ createdAt: sql`${tables.orders.createdAt} - ${ms}` })
    .where(eq(tables.orders.id, id));

describe("an order that is sent again without an Idempotency-Key", () => {
  it("is refused with the number of the first, and with how to order twice", async () => {
    const [user, product] = [await aUser({ wallet: 10_000 }), await aProduct({ stock: 5 })];
    const { number } = (await place(user.token, orderOf(product))).body.data;
    const again = await place(user.token, orderOf(product));
    expectRefusal(again, 409, "body");
    expect(again.body).toMatchObject({
      code: "order_resent",
      message: expect.stringContaining(number),
      errors: { body: [expect.stringMatching(/Idempotency-Key/)] },
      details: [{ field: "body", code: "order_resent", order_number: number }],
    });
    expect(await ordersOf(user.id)).toHaveLength(1);
    expect(await brokenInvariants()).toEqual({});
  });

  it("makes 50 orders from 50 double clicks, by users and guests", async () => {
    const [product, { key }] = [await aProduct({ stock: 1000 }), await aKey({ tier: "premium" })];
    const clicks = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        if (n % 2 === 0) return { as: (await aUser({ wallet: 1000 })).token, body: orderOf(product) };
        const customer = { email: `double-${n}@shop.test`, name: "Ada" };
        return { as: key, body: orderOf(product, 1, { payment_method: "paypal", customer }) };
      }),
    );
    const answers = await Promise.all([...clicks, ...clicks].map(({ as, body }) => place(as, body)));
    expect(statusesOf(answers)).toEqual([...Array(50).fill(201), ...Array(50).fill(409)]);
    for (const [index] of clicks.entries()) {
      const [placed, refused] = [answers[index], answers[index + clicks.length]].toSorted(
        (a, b) => (a?.status ?? 0) - (b?.status ?? 0),
      );
      expect(refused?.body.details[0]?.order_number).toBe(placed?.body.data.number);
    }
    const lines = await db.select().from(tables.orderItems).where(eq(tables.orderItems.productId, product.id));
    expect(lines).toHaveLength(50);
    expect(await brokenInvariants()).toEqual({});
  });

  it("is placed twice with two different keys, and once with one key", async () => {
    const [user, product] = [await aUser({ wallet: 10_000 }), await aProduct()];
    const [one, other] = [onPurpose(), onPurpose()];
    const answers = await Promise.all([one, other, one].map((key) => place(user.token, orderOf(product), key)));
    expect(statusesOf(answers)).toEqual([201, 201, 201]);
    expect(await ordersOf(user.id)).toHaveLength(2);
    expectRefusal(await place(user.token, orderOf(product)), 409, "body");
  });

  it("is a new order 15 seconds later, and not sooner", async () => {
    const [user, product] = [await aUser({ wallet: 10_000 }), await aProduct()];
    const { id } = (await place(user.token, orderOf(product))).body.data;
    await agedBy(id, 12_000);
    expectRefusal(await place(user.token, orderOf(product)), 409, "body");
    await agedBy(id, 3_000);
    expect((await place(user.token, orderOf(product))).status).toBe(201);
  });

  it("is a new order once the first was cancelled, has expired, or failed for lack of money", async () => {
    const [user, product] = [await aUser(), await aProduct()];
    const order = () => place(user.token, orderOf(product, 1, { payment_method: "credit_card" }));
    const change = (id: number, columns: Partial<typeof tables.orders.$inferInsert>) =>
      db.update(tables.orders).set(columns).where(eq(tables.orders.id, id));
    const first = (await order()).body.data;
    await call(`POST /account/orders/${first.id}/cancel`, { as: user.token });
    const second = (await order()).body.data;
    await change(second.id, { status: "expired" });
    const third = (await order()).body.data;
    await change(third.id, { paymentStatus: "failed" });
    expect((await order()).status).toBe(201);
    expectRefusal(await order(), 409, "body");
  });

  it("does not count while it is refused", async () => {
    const [user, product] = [await aUser(), await aProduct({ price: 1000 })];
    expectRefusal(await place(user.token, orderOf(product)), 400, "payment_method");
    expectRefusal(await place(user.token, orderOf(product)), 400, "payment_method");
    expect((await place(user.token, orderOf(product, 1, { payment_method: "paypal" }))).status).toBe(201);
  });

  it("is refused before its price, stock and wallet are checked", async () => {
    const [user, product] = [await aUser({ wallet: 1000 }), await aProduct({ price: 1000, stock: 1 })];
    expect((await place(user.token, orderOf(product))).status).toBe(201);
    await db.update(tables.products).set({ price: 2000 }).where(eq(tables.products.id, product.id));
    expect((await place(user.token, orderOf(product))).body.code).toBe("order_resent");
  });

  it("is separate for other users, other keys and other guests", async () => {
    const product = await aProduct({ stock: null });
    const [{ key }, { key: other }] = [await aKey(), await aKey()];
    for (const user of [await aUser({ wallet: 1000 }), await aUser({ wallet: 1000 })]) {
      expect((await place(user.token, orderOf(product))).status).toBe(201);
    }
    const guest = (email?: string) =>
      orderOf(product, 1, { payment_method: "paypal", ...(email && { customer: { email, name: "Ada" } }) });
    for (const as of [key, other]) {
      for (const body of [guest("a@shop.test"), guest("b@shop.test"), guest()]) {
        expect((await place(as, body)).status).toBe(201);
        expect((await place(as, body)).status).toBe(409);
      }
    }
    const cart = {
      "X-Cart-Token": (await call("POST /cart", { as: key, body: { product_id: product.id } })).body.data.token,
    };
    expect((await place(key, guest(), cart)).status).toBe(201);
    expect((await place(key, guest(), cart)).status).toBe(409);
  });
});

describe("equality of two orders", () => {
  it("ignores how they are written: the order of lines and fields, spaces, case, decimals", async () => {
    const [{ key }, a, b] = [await aKey(), await aProduct({ price: 1250 }), await aProduct({ price: 300 })];
    const first = {
      items: [
        { product_id: a.id, quantity: 1, price: 12.5 },
        { product_id: b.id, quantity: 2, price: 3 },
      ],
      payment_method: "paypal",
      customer: { email: "ada@shop.test", name: "Ada" },
      shipping_address: ADDRESS,
    };
    const { name, ...elsewhere } = ADDRESS;
    const again = `{
      "shipping_address": ${JSON.stringify({ ...elsewhere, name: ` ${name} ` })},
      "customer": { "name": "Ada ", "email": " ADA@Shop.test" }, "payment_method": "paypal",
      "items": [{ "price": 3.00, "quantity": 2, "product_id": ${b.id} }, { "price": 1.25e1, "product_id": ${a.id}, "quantity": 1 }]
    }`;
    expect((await place(key, first)).status).toBe(201);
    expectRefusal(await call("POST /orders", { as: key, body: again }), 409, "body");
  });

  const line = fc.record({ product: fc.nat(2), quantity: fc.integer({ min: 1, max: 2 }) });
  const said = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 3 }),
    payment_method: fc.constantFrom("credit_card", "paypal"),
    zip: fc.constantFrom("1", "2"),
    email: fc.constantFrom("a", "b"),
    expects: fc.boolean(),
  });
  type Said = typeof said extends fc.Arbitrary<infer Value> ? Value : never;

  /** All data of an order, with its line items sorted. */
  const meaningOf = ({ lines, ...rest }: Said) =>
    JSON.stringify([
      lines.map(({ product, quantity }) => `${product} ${quantity}`).toSorted(),
      Object.entries(rest).toSorted(),
    ]);

  it("depends on all of their content: of any simultaneous orders, all different ones are placed", async () => {
    const products = [
      await aProduct({ stock: null }),
      await aProduct({ stock: null }),
      await aProduct({ stock: null }),
    ];
    const settings = { UNPAID_ORDERS: "1000" };
    await fc.assert(
      fc.asyncProperty(fc.array(said, { minLength: 2, maxLength: 8 }), async (orders) => {
        const { key } = await aKey({ tier: "premium" });
        const bodyOf = ({ lines, payment_method, zip, email, expects }: Said) => ({
          items: lines.map(({ product, quantity }) => ({ product_id: products[product]?.id, quantity, price: 10 })),
          payment_method,
          shipping_address: { ...ADDRESS, zip },
          customer: { email: `${email}@shop.test`, name: "Ada" },
          ...(expects && { expected_total: lines.reduce((sum, { quantity }) => sum + 10 * quantity, 0) }),
        });
        const answers = await Promise.all(
          orders.map((order) => callWith(settings, "POST /orders", { as: key, body: bodyOf(order) })),
        );
        const differ = new Set(orders.map(meaningOf)).size;
        expect(statusesOf(answers)).toEqual([...Array(differ).fill(201), ...Array(orders.length - differ).fill(409)]);
      }),
      { numRuns: runsOf(40) },
    );
  });
});
