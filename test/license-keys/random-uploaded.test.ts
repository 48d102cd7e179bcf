import fc from "fast-check";
import { expect, it } from "vitest";
import { expireOrders } from "../../src/checkout/orders/change.ts";
import { call } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { aListedGame, someKeys, upload, withdraw } from "../support/license-keys.ts";
import { LONG } from "../support/long.ts";
import { orderNow, outlive, pay, productNow } from "../support/orders.ts";
import { runsOf } from "../support/runs.ts";
import { asAdministrator } from "../support/settings.ts";
import { aUser, db, onPurpose, orderOf } from "../support/shop.ts";

type Order = {
  id: number;
  item: number;
  token: string;
  units: number;
  /** Unpaid units hold keys, which end when the order ends. */
  state: "unpaid" | "paid" | "ended";
  shown: string[];
};

/** A plain list of keys: it loses keys when they are paid for, and unpaid orders hold some of it. */
const modelOf = (game: Awaited<ReturnType<typeof aListedGame>>, unsold: string[], admin: string) => {
  const orders: Order[] = [];
  const held = () => orders.filter(({ state }) => state === "unpaid").reduce((sum, order) => sum + order.units, 0);
  return {
    game,
    unsold,
    admin,
    orders,
    available: () => unsold.length - held(),
    take: (order: Order, count: number) => void order.shown.push(...unsold.splice(0, count)),
    at: (place: number) => orders[place % Math.max(1, orders.length)],
  };
};
type Model = ReturnType<typeof modelOf>;

const units = fc.integer({ min: 1, max: 3 });
const index = fc.nat(9);

const onOrder = (at: number, act: (order: Order, model: Model) => Promise<void>) => async (model: Model) => {
  const order = model.at(at);
  if (order) await act(order, model);
};

const steps = {
  upload: fc.integer({ min: 1, max: 4 }).map((count) => async (model: Model) => {
    const keys = someKeys(count);
    expect((await upload(model.game.id, keys)).status).toBe(200);
    model.unsold.push(...keys);
  }),
  withdraw: fc.record({ from: index, count: units }).map(({ from, count }) => async (model: Model) => {
    const keys = model.unsold.slice(from, from + count);
    if (keys.length === 0) return;
    const { status } = await withdraw(model.game.id, keys);
    expect(status).toBe(keys.length <= model.available() ? 200 : 400);
    if (status === 200) model.unsold.splice(from, count);
  }),
  place: fc.record({ units, isPaid: fc.boolean() }).map(({ units: wanted, isPaid }) => async (model: Model) => {
    const { token } = await aUser({ wallet: 5_000 });
    const body = orderOf(model.game, wanted, { payment_method: isPaid ? "wallet" : "paypal" });
    const { status, body: answer } = await call("POST /orders", { as: token, body });
    expect(status).toBe(wanted <= model.available() ? 201 : 400);
    if (status !== 201) return void expect(answer.details[0].code).toBe("insufficient_stock");
    const { id, items } = answer.data;
    const order: Order = { id, item: items[0].id, token, units: wanted, state: isPaid ? "paid" : "unpaid", shown: [] };
    if (isPaid) model.take(order, wanted);
    model.orders.push(order);
  }),
  pay: index.map((at) =>
    onOrder(at, async (order, model) => {
      const { status } = await orderNow(order.id);
      if (status !== "pending" && status !== "expired") return;
      const isCovered = status === "pending" || order.units <= model.available();
      await pay(order.id).catch(() => undefined);
      const isPaid = (await orderNow(order.id)).paidAt !== null;
      expect(isPaid).toBe(isCovered);
      if (!isPaid) return;
      model.take(order, order.units);
      order.state = "paid";
    }),
  ),
  cancel: index.map((at) =>
    onOrder(at, async (order, { admin }) => {
      const { status } = await call(`PUT /admin/orders/${order.id}`, { as: admin, body: { status: "cancelled" } });
      if (status === 200) order.state = "ended";
    }),
  ),
  refund: fc.record({ at: index, units, restock: fc.boolean() }).map(({ at, units: quantity, restock }) =>
    onOrder(at, async (order, { admin }) => {
      const body = { items: [{ id: order.item, quantity }], restock };
      expect((await call(`POST /admin/orders/${order.id}/refunds`, { as: admin, body })).status).toBeLessThan(500);
    }),
  ),
  edit: fc.record({ at: index, units }).map(({ at, units: quantity }) =>
    onOrder(at, async (order, model) => {
      const items = [{ id: order.item, quantity }];
      const path = `POST /admin/orders/${order.id}/edits`;
      const quote = await call(`${path}/quote`, { as: model.admin, body: { items } });
      const body = { items, expected_total: quote.body.data?.total ?? 0, received: true };
      const { status } = await call(path, { as: model.admin, body, headers: onPurpose() });
      const more = quantity - order.units;
      if (more > model.available()) expect(status).not.toBe(200);
      if (status !== 200) return void expect(status).toBeLessThan(500);
      if (order.state === "paid" && more > 0) model.take(order, more);
      order.units = quantity;
    }),
  ),
  expire: index.map((at) =>
    onOrder(at, async (order) => {
      if (order.state !== "unpaid") return;
      await outlive(order.id);
      await expireOrders(db, Date.now());
      if ((await orderNow(order.id)).status === "expired") order.state = "ended";
    }),
  ),
};

it("sells and shows the keys of a list as a plain list does, through any sequence of events", LONG, async () => {
  const admin = await asAdministrator();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("physical" as const, "digital" as const),
      fc.array(fc.oneof(...Object.values(steps)), { minLength: 14, maxLength: 14 }),
      async (type, events) => {
        const keys = someKeys(5);
        const model = modelOf(await aListedGame(keys, { type }), [...keys], admin);
        for (const happen of events) {
          await happen(model);
          expect((await productNow(model.game.id))?.stockQuantity).toBe(model.available());
        }
        for (const { token, shown } of model.orders) {
          const { data } = (await call("GET /account/license-keys", { as: token })).body;
          expect(data.map(({ key }: { key: string }) => key).toSorted()).toEqual(shown.toSorted());
        }
      },
    ),
    { numRuns: runsOf(40) },
  );
  // Each run has rows of its own, so a broken one is still found here.
  expect(await brokenInvariants()).toEqual({});
});
