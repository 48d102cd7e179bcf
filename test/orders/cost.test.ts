import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { toDecimal } from "../../src/domain/money.ts";
import { callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { aDiscount, aRate, aShippingMethod, noRules, settleShop } from "../support/pricing.ts";
import { ADDRESS, aFile, aKey, aParent, aProduct, aUser, aVariant, onPurpose, orderOf } from "../support/shop.ts";

type Goods = { id: number; price: number };

let user: Awaited<ReturnType<typeof aUser>>;
let guests: { key: string };
let goods: Goods[];
let download: Goods;
let variant: Goods;

/** Adds completed card orders of the user. They must not make the next order more expensive. */
const addHistory = () =>
  env.DB.batch([
    env.DB.prepare(
      `INSERT INTO orders (reference, number, sequence, user_id, status, payment_status, fulfillment_status, currency, subtotal, total, payment_method,
         paid_at, customer_name, customer_email, created_at, updated_at, updated_by)
       SELECT 'OLD-' || value, '#' || (1 + value), 1 + value, ?1, 'shipped', 'paid', 'fulfilled', 'USD', 100, 100, 'paypal', value, ?2, ?3, value, value, 'user:' || ?1
       FROM json_each(?4)`,
    ).bind(user.id, user.name, user.email, JSON.stringify(Array.from({ length: 300 }, (_, n) => n))),
    env.DB.prepare(
      `INSERT INTO transactions (user_id, order_id, kind, method, amount, created_at)
       SELECT user_id, id, 'charge', 'paypal', -total, created_at FROM orders WHERE user_id = ?1`,
    ).bind(user.id),
  ]);

beforeAll(async () => {
  [user, guests] = [await aUser({ wallet: 1_000_000 }), await aKey()];
  goods = [await aProduct(), await aProduct(), await aProduct()];
  variant = await aVariant(await aParent());
  const file = await aFile({ access: "package" });
  download = await aProduct({ type: "digital", stock: null, fileIds: [file.id] });
  await addHistory();
});

const linesOf = (products: Goods[], quantity: number) =>
  products.map(({ id, price }) => ({ product_id: id, quantity, price: toDecimal(price) }));

const card = { payment_method: "credit_card" };
const ada = { customer: { email: "ada@shop.test", name: "Ada" } };

/** Maximum number of rows that each kind of order may read and write, as counted by D1. */
const budgets: [
  kind: string,
  read: number,
  written: number,
  order: () => { as: string; items: Goods[]; more?: object; headers?: () => Record<string, string> },
][] = [
  // Fingerprints and references are random: an order reads one row more or less by where they fall in an index.
  ["of one line from the wallet", 53, 33, () => ({ as: user.token, items: goods.slice(0, 1) })],
  ["of a variant from the wallet", 53, 33, () => ({ as: user.token, items: [variant] })],
  ["with an Idempotency-Key", 54, 36, () => ({ as: user.token, items: goods.slice(0, 1), headers: onPurpose })],
  ["of three lines from the wallet", 85, 47, () => ({ as: user.token, items: goods })],
  ["of a download from the wallet", 66, 41, () => ({ as: user.token, items: [download] })],
  ["of an account that waits to be paid", 53, 25, () => ({ as: user.token, items: goods.slice(0, 1), more: card })],
  ["of a guest", 53, 29, () => ({ as: guests.key, items: goods.slice(0, 1), more: { ...card, ...ada } })],
  ["of a guest without an address", 52, 29, () => ({ as: guests.key, items: goods.slice(0, 1), more: card })],
];

it("with tax, shipping and a code reads at most 63 rows and writes at most 40, in one round trip", async () => {
  const [buyer, lamp] = [await aUser({ wallet: 1_000_000 }), await aProduct({ stock: 10 })];
  await settleShop({ homeCountry: "DE", pricesIncludeTax: true });
  await aRate({ country: "DE" });
  await aShippingMethod({ price: 490 });
  const { code } = await aDiscount({ kind: "percentage", percent: 100_000, maxUses: 10, maxUsesPerCustomer: 10 });
  const place = (bindings: Partial<Env> = {}) => {
    const body = { ...orderOf(lamp), discount_codes: [code], expected_total: 13.9 };
    return callWith(bindings, "POST /orders", { as: buyer.token, body, headers: onPurpose() });
  };
  expect((await place()).body.data).toMatchObject({ total: 13.9, tax_total: 2.22, discount_total: 1 });
  const { bindings, trips, work } = counted();
  expect((await place(bindings)).status).toBe(201);
  await noRules();
  expect(trips.d1).toBe(1);
  expect(work.rowsRead).toBeLessThanOrEqual(63);
  expect(work.rowsWritten).toBeLessThanOrEqual(40);
});

it("writes two rows more with its invoice, and none without", async () => {
  const body = { items: linesOf(goods.slice(0, 1), 3), payment_method: "wallet", shipping_address: ADDRESS };
  const written = async (settings: Parameters<typeof settleShop>[0]) => {
    await settleShop({ address: ADDRESS, ...settings });
    const place = (bindings: Partial<Env> = {}) =>
      callWith(bindings, "POST /orders", { as: user.token, body, headers: onPurpose() });
    expect((await place()).status).toBe(201);
    const { bindings, work, trips } = counted();
    expect((await place(bindings)).status).toBe(201);
    expect(trips.d1).toBe(1);
    return work.rowsWritten;
  };
  const without = await written({ invoiceMoment: "manual" });
  expect(await written({ invoiceMoment: "shipment" })).toBe(without);
  expect(await written({ invoiceMoment: "payment" })).toBe(without + 2);
  await noRules();
});

describe("an order", () => {
  it.each(budgets)(
    "%s reads at most %i rows and writes at most %i, in one round trip, and is logged in one line",
    async (_, read, written, order) => {
      const { as, items, more = {}, headers = () => ({}) } = order();
      const place = (quantity: number, bindings: Partial<Env> = {}) => {
        const body = { ...orderOf(download), items: linesOf(items, quantity), ...more };
        return callWith(bindings, "POST /orders", { as, body, headers: headers() });
      };
      // A customer's first order also writes to the search index of customers.
      expect((await place(2)).status).toBe(201);
      const { bindings, trips, work } = counted();
      const logged = vi.spyOn(console, "info").mockReturnValue();
      onTestFinished(() => void logged.mockRestore());
      expect((await place(1, bindings)).status).toBe(201);
      // For a user, both the user and the address are counted.
      expect(trips).toEqual({ d1: 1, durableObjects: as === user.token ? 2 : 1, r2: 0 });
      expect(logged).toHaveBeenCalledOnce();
      expect(work.rowsRead).toBeLessThanOrEqual(read);
      expect(work.rowsWritten).toBeLessThanOrEqual(written);
    },
  );
});
