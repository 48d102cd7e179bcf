import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, it } from "vitest";
import { toDecimal } from "../../src/domain/money.ts";
import { call } from "../support/call.ts";
import { aGiftCardProduct, redeem } from "../support/gift-cards.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { LONG } from "../support/long.ts";
import { runsOf } from "../support/runs.ts";
import { asAdministrator } from "../support/settings.ts";
import { aProduct, aUser, onPurpose, orderOf } from "../support/shop.ts";

type Shop = {
  admin: string;
  users: Awaited<ReturnType<typeof aUser>>[];
  card: Awaited<ReturnType<typeof aProduct>>;
  lamp: Awaited<ReturnType<typeof aProduct>>;
  orders: { id: number; item: number; token: string }[];
  cards: { id: number; code: string }[];
};

const START = 20_000;
const VALUE = 1_000;

const pick = <T>(from: T[], index: number): T | undefined => from[index % Math.max(1, from.length)];
const index = fc.nat(20);

/** Random steps in the life of gift cards. Each returns a function, so that two can run at once. */
const steps = {
  buy: fc
    .record({ user: index, units: fc.integer({ min: 0, max: 3 }), lamps: fc.integer({ min: 0, max: 2 }) })
    .map(({ user, units, lamps }) => async ({ users, card, lamp, orders, cards }: Shop) => {
      const buyer = pick(users, user);
      if (!buyer || units + lamps === 0) return;
      const items = [
        ...(units > 0 ? orderOf(card, units).items : []),
        ...(lamps > 0 ? orderOf(lamp, lamps).items : []),
      ];
      const body = { ...orderOf(lamp), items };
      const answer = await call("POST /orders", { as: buyer.token, body, headers: onPurpose() });
      expect([201, 400]).toContain(answer.status);
      if (answer.status !== 201) return;
      const { id, items: lines } = answer.body.data;
      orders.push({ id, item: lines[0].id, token: buyer.token });
      const bought = await call(`GET /account/gift-cards?order_id=${id}`, { as: buyer.token });
      cards.push(...bought.body.data);
    }),
  redeem: fc
    .record({ user: index, at: index, amount: fc.option(fc.integer({ min: 1, max: VALUE + 1 })) })
    .map(({ user, at, amount }) => async ({ users, cards }: Shop) => {
      const [friend, card] = [pick(users, user), pick(cards, at)];
      if (!friend || !card) return;
      const sent = amount === null ? undefined : toDecimal(amount);
      expect([201, 400, 429]).toContain((await redeem(friend.token, card.code, sent)).status);
    }),
  refund: fc
    .record({
      at: index,
      quantity: fc.integer({ min: 1, max: 3 }),
      amount: fc.integer({ min: 1, max: 2 * VALUE }).map((minor) => toDecimal(minor)),
      what: fc.constantFrom("all", "items", "amount"),
    })
    .map(({ at, quantity, amount, what }) => async ({ admin, orders }: Shop) => {
      const order = pick(orders, at);
      if (!order) return;
      const items = [{ id: order.item, quantity }];
      const body = { ...(what === "items" && { items }), ...(what === "amount" && { amount }) };
      const { status } = await call(`POST /admin/orders/${order.id}/refunds`, { as: admin, body });
      expect([200, 400, 409]).toContain(status);
    }),
  cancel: index.map((at) => async ({ orders }: Shop) => {
    const order = pick(orders, at);
    if (!order) return;
    const { status } = await call(`POST /account/orders/${order.id}/cancel`, { as: order.token });
    expect([200, 409]).toContain(status);
  }),
  disable: index.map((at) => async ({ admin, cards }: Shop) => {
    const card = pick(cards, at);
    if (!card) return;
    const { status } = await call(`DELETE /admin/gift-cards/${card.id}`, { as: admin });
    expect([204, 409]).toContain(status);
  }),
};

const step = fc.oneof(
  { weight: 2, arbitrary: steps.buy },
  { weight: 3, arbitrary: steps.redeem },
  ...Object.values(steps),
);

/** One step alone, or two at the same moment. */
const moment = fc.oneof({ weight: 2, arbitrary: fc.tuple(step) }, { weight: 1, arbitrary: fc.tuple(step, step) });

/** Money in wallets and on gift cards, and what the shop keeps: for goods, and of cards that ended. */
const whereMoneyIs = (users: { id: number }[]) =>
  env.DB.prepare(
    `WITH buyers AS (SELECT value AS id FROM json_each(?)),
       sold AS (SELECT * FROM orders WHERE user_id IN (SELECT id FROM buyers)),
       issued AS (SELECT gift_cards.* FROM gift_cards JOIN sold ON sold.id = order_id)
     SELECT (SELECT sum(wallet_balance) FROM users WHERE id IN (SELECT id FROM buyers)) AS wallets,
       (SELECT sum(spent) FROM users WHERE id IN (SELECT id FROM buyers)) AS spent,
       (SELECT coalesce(sum(balance), 0) FROM issued WHERE ended_at IS NULL) AS cards,
       (SELECT coalesce(sum(total - refunded_total), 0) FROM sold)
         - (SELECT coalesce(sum(iif(ended_at IS NULL, value, value - balance)), 0) FROM issued) AS kept`,
  )
    .bind(JSON.stringify(users.map(({ id }) => id)))
    .first<{ wallets: number; spent: number; cards: number; kept: number }>();

it("creates and loses no money, whatever happens to gift cards and their orders", LONG, async () => {
  const [admin, card, lamp] = [
    await asAdministrator(),
    await aGiftCardProduct(VALUE),
    await aProduct({ type: "digital", stock: null, price: 700 }),
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(moment, { minLength: 3, maxLength: 14 }), async (moments) => {
      const users = [await aUser({ wallet: START }), await aUser({ wallet: START })];
      const shop: Shop = { admin, users, card, lamp, orders: [], cards: [] };
      for (const together of moments) {
        await Promise.all(together.map((act) => act(shop)));
        const { wallets = 0, spent = 0, cards = 0, kept = 0 } = (await whereMoneyIs(users)) ?? {};
        expect(wallets + cards + kept).toBe(2 * START);
        expect(kept).toBeGreaterThanOrEqual(0);
        expect(spent).toBe(kept);
      }
    }),
    { numRuns: runsOf(40) },
  );
  expect(await brokenInvariants()).toEqual({});
});
