import fc from "fast-check";
import { expect, it } from "vitest";
import { expireOrders, shipOrder } from "../../src/orders/move-queries.ts";
import { refundOrder } from "../../src/orders/refund.ts";
import { call } from "../support/call.ts";
import { brokenInvariants, stockThatCameIn } from "../support/invariants.ts";
import { creditWallet, orderNow, outlive, pay } from "../support/orders.ts";
import { aFile, aProduct, aUser, db, orderOf } from "../support/shop.ts";

type Shop = {
  users: Awaited<ReturnType<typeof aUser>>[];
  products: Awaited<ReturnType<typeof aProduct>>[];
  orders: { id: number; token: string }[];
};

const shipment = { carrier: "Post", tracking_number: null, tracking_url: null, shipped_at: "2026-01-01T00:00:00.000Z" };
const byAdmin = () => ({ actor: "user:1", now: Date.now() });
const pick = <T>(from: T[], index: number): T | undefined => from[index % Math.max(1, from.length)];
const index = fc.nat(20);

/** What may happen to a shop; each step answers what it does, so that two can do it at once. */
const steps = {
  order: fc
    .record({ user: index, product: index, quantity: fc.integer({ min: 1, max: 4 }), wallet: fc.boolean() })
    .map(({ user, product, quantity, wallet }) => async ({ users, products, orders }: Shop) => {
      const [buyer, sold] = [pick(users, user), pick(products, product)];
      if (!buyer || !sold) return;
      const body = orderOf(sold, quantity, { payment_method: wallet ? "wallet" : "paypal" });
      const answer = await call("POST /orders", { as: buyer.token, body });
      expect(answer.status).toBeLessThan(429);
      if (answer.status === 201) orders.push({ id: answer.body.data.id, token: buyer.token });
    }),
  pay: index.map((at) => withOrder(at, ({ id }) => pay(id))),
  ship: index.map((at) =>
    withOrder(at, async ({ id }) => {
      await shipOrder(db, await orderNow(id), byAdmin(), shipment);
    }),
  ),
  cancel: index.map((at) =>
    withOrder(at, async ({ id, token }) => {
      const { status } = await call(`POST /account/orders/${id}/cancel`, { as: token });
      expect([200, 409]).toContain(status);
    }),
  ),
  refund: fc
    .record({ at: index, units: fc.integer({ min: 1, max: 3 }), restock: fc.boolean(), all: fc.boolean() })
    .map(({ at, units, restock, all }) =>
      withOrder(at, async ({ id }) => {
        const order = await orderNow(id);
        const lines = all ? ("all" as const) : [{ itemId: order.items[0]?.id ?? 0, quantity: units }];
        const ask = { lines, restock, ends: "refunded", note: null, ...byAdmin() } as const;
        await refundOrder(db, order, ask).catch((refusal) => expect([400, 409]).toContain(refusal.status));
      }),
    ),
  expire: index.map((at) =>
    withOrder(at, async ({ id }) => {
      await outlive(id);
      await expireOrders(db, Date.now());
    }),
  ),
  credit: fc
    .record({ user: index, amount: fc.integer({ min: 1, max: 3000 }) })
    .map(({ user, amount }) => async ({ users }: Shop) => {
      const owner = pick(users, user);
      if (owner) await creditWallet(owner.id, amount);
    }),
};

function withOrder(at: number, act: (order: Shop["orders"][number]) => Promise<void>) {
  return async ({ orders }: Shop) => {
    const order = pick(orders, at);
    if (order) await act(order);
  };
}

const step = fc.oneof({ weight: 3, arbitrary: steps.order }, ...Object.values(steps));

/** One step alone, or two at the same instant. */
const moment = fc.oneof({ weight: 2, arbitrary: fc.tuple(step) }, { weight: 1, arbitrary: fc.tuple(step, step) });

it("keeps stock, money and packages right through any sequence of events, also at the same instant", async () => {
  const file = await aFile({ access: "package" });
  await fc.assert(
    fc.asyncProperty(fc.array(moment, { minLength: 20, maxLength: 20 }), async (moments) => {
      const shop: Shop = {
        users: await Promise.all([aUser({ wallet: 5_000 }), aUser({ wallet: 500 })]),
        products: await Promise.all([
          aProduct({ stock: 6, price: 700 }),
          aProduct({ stock: 3, price: 450, fileIds: [file.id] }),
          aProduct({ stock: null, type: "digital", price: 300, fileIds: [file.id], downloadLimit: 2 }),
        ]),
        orders: [],
      };
      for (const together of moments) await Promise.all(together.map((happen) => happen(shop)));
      expect(await brokenInvariants()).toEqual({});
      const cameIn = await Promise.all(shop.products.map(({ id }) => stockThatCameIn(id)));
      expect(cameIn).toEqual([6, 3, null]);
    }),
    { numRuns: 300 },
  );
});
