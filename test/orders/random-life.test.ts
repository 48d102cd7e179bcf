import fc from "fast-check";
import { expect, it } from "vitest";
import { expireOrders } from "../../src/checkout/orders/change.ts";
import { call } from "../support/call.ts";
import { brokenInvariants, stockThatCameIn } from "../support/invariants.ts";
import { invoicesThatDoNotAddUp } from "../support/invoices.ts";
import { LONG } from "../support/long.ts";
import { creditWallet, outlive, pay } from "../support/orders.ts";
import { aRate, settleShop } from "../support/pricing.ts";
import { runsOf } from "../support/runs.ts";
import { asAdministrator } from "../support/settings.ts";
import {
  ADDRESS,
  aFile,
  type aProduct,
  aUser,
  db,
  onPurpose,
  orderOf,
  productFilesInsert,
  productInsert,
} from "../support/shop.ts";

type Shop = {
  admin: { token: string };
  users: Awaited<ReturnType<typeof aUser>>[];
  products: Awaited<ReturnType<typeof aProduct>>[];
  /** Orders, each with its first line item, which remains whatever happens to the order. */
  orders: { id: number; item: number; token: string }[];
};

const pick = <T>(from: T[], index: number): T | undefined => from[index % Math.max(1, from.length)];
const index = fc.nat(20);
/** Paid at once, by a provider's event, or after shipping. */
const method = fc.constantFrom("wallet", "paypal", "invoice");

/** Actions of administrators on an order. Its status does not allow most of them. */
const changes = [
  { status: "shipped", shipment: { carrier: "Post" } },
  { status: "completed" },
  { status: "cancelled", note: "Asked for by telephone" },
  { status: "cancelled", restock: true },
  { status: "refunded", restock: true },
  { payment_status: "paid" },
];

/** Random steps in the life of a shop. Each returns a function, so that two can run at once. */
const steps = {
  order: fc
    .record({ user: index, product: index, quantity: fc.integer({ min: 1, max: 4 }), payment_method: method })
    .map(({ user, product, quantity, payment_method }) => async ({ users, products, orders }: Shop) => {
      const [buyer, sold] = [pick(users, user), pick(products, product)];
      if (!buyer || !sold) return;
      const body = orderOf(sold, quantity, { payment_method });
      const answer = await call("POST /orders", { as: buyer.token, body, headers: onPurpose() });
      expect(answer.status).toBeLessThan(429);
      if (answer.status !== 201) return;
      const { id, items } = answer.body.data;
      orders.push({ id, item: items[0].id, token: buyer.token });
    }),
  pay: index.map((at) => withOrder(at, ({ id }) => pay(id))),
  change: fc.record({ at: index, body: fc.constantFrom(...changes) }).map(({ at, body }) =>
    withOrder(at, async ({ id }, { admin }) => {
      const { status } = await call(`PUT /admin/orders/${id}`, { as: admin.token, body });
      // Cancelling an unshipped order has nothing to restock.
      expect("restock" in body && body.status === "cancelled" ? [200, 400, 409] : [200, 409]).toContain(status);
    }),
  ),
  edit: fc
    .record({ at: index, units: fc.integer({ min: 1, max: 4 }), more: fc.option(index) })
    .map(({ at, units, more }) =>
      withOrder(at, async ({ id, item }, { admin, products }) => {
        const items = [
          { id: item, quantity: units },
          ...(more === null ? [] : [{ product_id: pick(products, more)?.id, quantity: 1 }]),
        ];
        const path = `POST /admin/orders/${id}/edits`;
        const quote = await call(`${path}/quote`, { as: admin.token, body: { items } });
        const body = { items, expected_total: quote.body.data?.total ?? 0, received: true };
        expect([200, 400, 409]).toContain((await call(path, { as: admin.token, body })).status);
      }),
    ),
  send: fc.record({ at: index, units: fc.integer({ min: 1, max: 3 }) }).map(({ at, units }) =>
    withOrder(at, async ({ id, item }, { admin }) => {
      const items = [{ id: item, quantity: units }];
      const body = { carrier: "Coach", items };
      const { status } = await call(`POST /admin/orders/${id}/shipments`, { as: admin.token, body });
      expect([200, 400, 409]).toContain(status);
    }),
  ),
  cancel: index.map((at) =>
    withOrder(at, async ({ id, token }) => {
      const { status } = await call(`POST /account/orders/${id}/cancel`, { as: token });
      expect([200, 409]).toContain(status);
    }),
  ),
  refund: fc
    .record({
      at: index,
      units: fc.integer({ min: 1, max: 3 }),
      amount: fc.integer({ min: 1, max: 20 }),
      restock: fc.boolean(),
      what: fc.constantFrom("all", "items", "amount"),
    })
    .map(({ at, units, amount, restock, what }) =>
      withOrder(at, async ({ id, item }, { admin }) => {
        const items = [{ id: item, quantity: units }];
        const body = { restock, ...(what === "items" && { items }), ...(what === "amount" && { amount }) };
        const { status } = await call(`POST /admin/orders/${id}/refunds`, { as: admin.token, body });
        expect([200, 400, 409]).toContain(status);
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

function withOrder(at: number, act: (order: Shop["orders"][number], shop: Shop) => Promise<void>) {
  return async (shop: Shop) => {
    const order = pick(shop.orders, at);
    if (order) await act(order, shop);
  };
}

const step = fc.oneof(
  { weight: 3, arbitrary: steps.order },
  { weight: 2, arbitrary: steps.change },
  ...Object.values(steps),
);

/** One step alone, or two at the same moment. */
const moment = fc.oneof({ weight: 2, arbitrary: fc.tuple(step) }, { weight: 1, arbitrary: fc.tuple(step, step) });

/** Little stock of one product, less of one with files, and an unlimited download. */
async function aRange(fileId: number) {
  const [few, fewer, , downloads] = await db.batch([
    productInsert({ stock: 6, price: 700 }),
    productInsert({ stock: 3, price: 450 }),
    productFilesInsert([fileId]),
    productInsert({ stock: null, type: "digital", price: 300, downloadLimit: 2 }),
    productFilesInsert([fileId]),
  ]);
  return [...few, ...fewer, ...downloads];
}

it("keeps stock, money and packages right through any sequence of events, also at the same instant", LONG, async () => {
  const file = await aFile({ access: "package" });
  const body = { invoice: { offered: true } };
  await call("PUT /admin/payment-settings", { as: await asAdministrator(), body });
  await settleShop({ address: ADDRESS, homeCountry: "DE", pricesIncludeTax: true, invoiceMoment: "payment" });
  await aRate({ country: "DE" });
  await fc.assert(
    fc.asyncProperty(fc.array(moment, { minLength: 20, maxLength: 20 }), async (moments) => {
      const [admin, [ada, bob], products] = await Promise.all([
        aUser({ role: "admin" }),
        Promise.all([aUser({ wallet: 5_000 }), aUser({ wallet: 500 })]),
        aRange(file.id),
      ]);
      const shop: Shop = { admin, users: [ada, bob], products, orders: [] };
      for (const together of moments) await Promise.all(together.map((happen) => happen(shop)));
      expect(await Promise.all(products.map(({ id }) => stockThatCameIn(id)))).toEqual([6, 3, null]);
    }),
    { numRuns: runsOf(60) },
  );
  // Each run has rows of its own, so a broken one is still found here.
  expect(await brokenInvariants()).toEqual({});
  expect(await invoicesThatDoNotAddUp()).toEqual([]);
});
