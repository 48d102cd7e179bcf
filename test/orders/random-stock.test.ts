import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, it } from "vitest";
import { expireOrders } from "../../src/checkout/orders/change.ts";
import { anAdministrator } from "../admin/orders/support.ts";
import { listingRules } from "../products/listing/rules.ts";
import { call } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { LONG } from "../support/long.ts";
import { outlive, pay } from "../support/orders.ts";
import { brokenRules } from "../support/rules.ts";
import { runsOf } from "../support/runs.ts";
import { aParent, aProduct, aUser, aVariant, db, onPurpose, orderOf } from "../support/shop.ts";

type Shop = {
  admin: Awaited<ReturnType<typeof anAdministrator>>;
  users: Awaited<ReturnType<typeof aUser>>[];
  product: Awaited<ReturnType<typeof aProduct>>;
  /** Actual stock on the shelf, whatever the shop has recorded. */
  lying: number;
  orders: Placed[];
};

/** An order of `quantity` units in one line. */
type Placed = { id: number; item: number; quantity: number };

const WAITING = `SELECT coalesce(sum(quantity - refunded_quantity), 0)
  FROM order_items JOIN orders ON orders.id = order_id WHERE status IN ('pending', 'processing')`;

/** Units on the shelf that are reserved for an order. */
const heldBy = async ({ id }: Placed): Promise<number> =>
  (await env.DB.prepare(`${WAITING} AND orders.id = ?`).bind(id).raw<[number]>())[0]?.[0] ?? 0;

/** A product's current stock, and its units on the shelf that are reserved for orders. */
async function countOf({ id }: { id: number }) {
  const row = await env.DB.prepare(
    `SELECT manage_stock, stock_quantity, (${WAITING} AND product_id = products.id) AS held FROM products WHERE id = ?`,
  )
    .bind(id)
    .first<{ manage_stock: number; stock_quantity: number | null; held: number }>();
  if (!row) throw new Error(`There is no product ${id}`);
  return row;
}

const index = fc.nat(20);

const withOrder = (at: number, act: (order: Placed, shop: Shop) => Promise<void>) => async (shop: Shop) => {
  const order = shop.orders[at % Math.max(1, shop.orders.length)];
  if (order) await act(order, shop);
};

const steps = {
  order: fc
    .record({
      user: index,
      quantity: fc.integer({ min: 1, max: 4 }),
      payment_method: fc.constantFrom("wallet", "paypal", "invoice"),
    })
    .map(({ user, quantity, payment_method }) => async ({ users, product, orders }: Shop) => {
      const body = orderOf(product, quantity, { payment_method });
      const as = users[user % users.length]?.token;
      const answer = await call("POST /orders", { as, body, headers: onPurpose() });
      if (answer.status !== 201) return;
      const { id, items } = answer.body.data;
      orders.push({ id, item: items[0].id, quantity });
    }),
  pay: index.map((at) => withOrder(at, ({ id }) => pay(id))),
  cancel: fc.record({ at: index, restock: fc.boolean() }).map(({ at, restock }) =>
    withOrder(at, async ({ id, quantity }, shop) => {
      const status = await env.DB.prepare("SELECT status FROM orders WHERE id = ?").bind(id).first("status");
      const isSent = status === "shipped";
      const answer = await shop.admin.change(id, { status: "cancelled", ...(isSent && { restock }) });
      if (answer.status === 200 && isSent && restock) shop.lying += quantity;
    }),
  ),
  expire: index.map((at) =>
    withOrder(at, async ({ id }) => {
      await outlive(id);
      await expireOrders(db, Date.now());
    }),
  ),
  ship: index.map((at) =>
    withOrder(at, async (order, shop) => {
      const units = await heldBy(order);
      if ((await shop.admin.ship(order.id)).status === 200) shop.lying -= units;
    }),
  ),
  refund: fc
    .record({ at: index, units: fc.integer({ min: 1, max: 3 }), restock: fc.boolean() })
    .map(({ at, units, restock }) =>
      withOrder(at, async (order, shop) => {
        const wasSent = (await heldBy(order)) === 0;
        const items = [{ id: order.item, quantity: units }];
        const { status } = await shop.admin.refund(order.id, { items, restock });
        if (status !== 200 || restock !== wasSent) return;
        shop.lying += restock ? units : -units;
      }),
    ),
  count: fc.constant(async (shop: Shop) => {
    const body = { quantity: shop.lying, reason: "Counted" };
    const { status } = await shop.admin.ask(`POST /admin/products/${shop.product.id}/stock`, body);
    expect([200, 400]).toContain(status);
  }),
  manageNoMore: fc.constant(async ({ admin, product }: Shop) => {
    await admin.ask(`PUT /admin/products/${product.id}`, { manage_stock: false });
  }),
  manage: fc.constant(async (shop: Shop) => {
    const { manage_stock, held } = await countOf(shop.product);
    if (manage_stock) return;
    const change = (stock_quantity: number) =>
      shop.admin.ask(`PUT /admin/products/${shop.product.id}`, { manage_stock: true, stock_quantity });
    if (held > shop.lying) expect((await change(shop.lying)).status).toBe(400);
    shop.lying = Math.max(held, shop.lying);
    expect((await change(shop.lying)).status).toBe(200);
  }),
};

const step = fc.oneof(
  { weight: 5, arbitrary: steps.order },
  { weight: 2, arbitrary: steps.ship },
  ...Object.values(steps),
);

it(
  "never sells more units than exist, through any sales, shipments, returns, counts and changes of management",
  LONG,
  async () => {
    await (await anAdministrator()).ask("PUT /admin/payment-settings", { invoice: { offered: true } });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 25 }), fc.boolean(), async (moments, isVariant) => {
        const shop: Shop = {
          admin: await anAdministrator(),
          users: await Promise.all([aUser({ wallet: 100_000 }), aUser({ wallet: 100_000 })]),
          product: isVariant ? await aVariant(await aParent(), { stock: 8 }) : await aProduct({ stock: 8 }),
          lying: 8,
          orders: [],
        };
        for (const act of moments) {
          await act(shop);
          const { manage_stock, stock_quantity, held } = await countOf(shop.product);
          if (manage_stock) expect(Number(stock_quantity) + held).toBeLessThanOrEqual(shop.lying);
        }
      }),
      { numRuns: runsOf(30) },
    );
    // Each run has rows of its own, so a broken one is still found here.
    expect(await brokenInvariants()).toEqual({});
    expect(await brokenRules(env.DB, listingRules)).toEqual({});
  },
);
