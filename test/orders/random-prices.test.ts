import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { createQuote } from "../../src/checkout/orders/create/quote.ts";
import { QuoteRequest } from "../../src/checkout/orders/create/schemas.ts";
import { discounts } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { LONG } from "../support/long.ts";
import { aDiscount, noRules } from "../support/pricing.ts";
import { runsOf } from "../support/runs.ts";
import { aCategory, aParent, aProduct, aUser, aVariant, db, onPurpose, settings } from "../support/shop.ts";

// Orders are priced from what the isolate has cached. Quotes come from another isolate, which reads everything.

let quotedElsewhere: (buyer: Buyer, body: object) => ReturnType<typeof createQuote>;
let admin: string;

beforeAll(async () => {
  vi.resetModules();
  const elsewhere = await import("../../src/checkout/orders/create/quote.ts");
  quotedElsewhere = ({ id, sessionId }, body) => {
    const caller = { kind: "user", id, role: "customer", sessionId, authenticatedAt: 0, hasTwoFactor: false } as const;
    const author = { actor: `user:${id}`, address: null, guestNetwork: null, requestId: "test", now: Date.now() };
    const sent = QuoteRequest.parse(body);
    return elsewhere.createQuote({ env, db, settings, caller, author }, { sent, owner: { kind: "user", userId: id } });
  };
});

const CODES = ["SALE1", "SALE2", "SALE3"];

type Buyer = Awaited<ReturnType<typeof aUser>>;
type Ids = {
  categories: number[];
  products: number[];
  discounts: number[];
  rates: number[];
  zones: number[];
  methods: number[];
};
type Shop = Ids & { buyer: Buyer };

const pick = <T>(from: readonly T[], index: number): T | undefined => from[index % Math.max(1, from.length)];
const index = fc.nat(11);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

/** Members that most changes leave out. */
const some = <T extends object>(members: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) =>
  fc.record(members, { requiredKeys: [] });

const administer = (line: string, body?: object) => call(line, { as: admin, body });

/** Adds a row through the administration, unless the shop refuses it. */
const add = (list: keyof Ids, path: string, bodyOf: (shop: Shop) => object) => async (shop: Shop) => {
  const { status, body } = await administer(`POST /admin/${path}`, bodyOf(shop));
  expect([201, 400, 409], JSON.stringify(body)).toContain(status);
  if (status === 201) shop[list].push(body.data.id);
};

const change = (list: keyof Ids, path: string, at: number, bodyOf: (shop: Shop) => object) => async (shop: Shop) => {
  const id = pick(shop[list], at);
  if (id === undefined) return;
  const { status, body } = await administer(`PUT /admin/${path}/${id}`, bodyOf(shop));
  expect([200, 400, 409], JSON.stringify(body)).toContain(status);
};

const remove = (list: keyof Ids, path: string, at: number) => async (shop: Shop) => {
  const id = pick(shop[list], at);
  if (id === undefined) return;
  const { status } = await administer(`DELETE /admin/${path}/${id}`);
  expect([204, 409]).toContain(status);
  if (status === 204) shop[list].splice(shop[list].indexOf(id), 1);
};

const idsAt = (from: number[], places: number[]) => places.flatMap((place) => pick(from, place) ?? []);

const product = some({
  price: fc.integer({ min: 1, max: 40 }),
  category: orNull(index),
  tax_class: fc.constantFrom("standard", "reduced", "exempt"),
  weight_grams: fc.constantFrom(100, 3_000),
  requires_shipping: fc.boolean(),
  status: fc.constantFrom("active", "active", "draft"),
}).map(({ category, ...sent }) => ({ categories }: Shop) => ({
  ...sent,
  ...(category !== undefined && { category_id: category === null ? null : (pick(categories, category) ?? null) }),
}));

const reductions = fc.oneof(
  fc.integer({ min: 1, max: 60 }).map((percent) => ({ kind: "percentage", percent })),
  fc.integer({ min: 1, max: 30 }).map((amount) => ({ kind: "amount", amount })),
  fc.constant({ kind: "free_shipping" }),
  fc.constant({ kind: "buy_x_get_y", buy_quantity: 1, get_quantity: 1 }),
);

const terms = some({
  covers: fc.record({ products: fc.array(index, { maxLength: 1 }), categories: fc.array(index, { maxLength: 2 }) }),
  combinable: fc.boolean(),
  priority: fc.integer({ min: -1, max: 1 }),
  minimum_subtotal: orNull(fc.integer({ min: 1, max: 50 })),
  max_uses: orNull(fc.integer({ min: 1, max: 3 })),
  max_uses_per_customer: orNull(fc.integer({ min: 1, max: 3 })),
  first_order_only: fc.boolean(),
  enabled: fc.boolean(),
}).map(({ covers, ...sent }) => ({ products, categories }: Shop) => ({
  ...sent,
  ...(covers && { product_ids: idsAt(products, covers.products), category_ids: idsAt(categories, covers.categories) }),
}));

const method = some({
  price: fc.integer({ min: 0, max: 9 }),
  free_from: orNull(fc.constant(30)),
  enabled: fc.boolean(),
});

/** Everything an administrator can change that an order's price depends on. */
const changes: Record<string, fc.Arbitrary<(shop: Shop) => Promise<void>>> = {
  addCategory: orNull(index).map((parent) =>
    add("categories", "categories", ({ categories }) => ({
      name: crypto.randomUUID(),
      parent_id: parent === null ? null : (pick(categories, parent) ?? null),
    })),
  ),
  moveCategory: fc.tuple(index, orNull(index)).map(([at, parent]) =>
    change("categories", "categories", at, ({ categories }) => ({
      parent_id: parent === null ? null : (pick(categories, parent) ?? null),
    })),
  ),
  deleteCategory: index.map((at) => remove("categories", "categories", at)),
  addProduct: product.map((bodyOf) =>
    add("products", "products", (shop) => ({
      name: "Lamp",
      type: "physical",
      price: 10,
      sku: crypto.randomUUID(),
      status: "active",
      ...bodyOf(shop),
    })),
  ),
  changeProduct: fc.tuple(index, product).map(([at, bodyOf]) => change("products", "products", at, bodyOf)),
  deleteProduct: index.map((at) => remove("products", "products", at)),
  addDiscount: fc
    .tuple(fc.constantFrom(null, ...CODES), reductions, terms)
    .map(([code, reduction, bodyOf]) =>
      add("discounts", "discounts", (shop) => ({ name: "Sale", code, ...reduction, ...bodyOf(shop) })),
    ),
  changeDiscount: fc
    .tuple(index, some({ reduction: reductions, code: fc.constantFrom(null, ...CODES) }), terms)
    .map(([at, { reduction, ...sent }, bodyOf]) =>
      change("discounts", "discounts", at, (shop) => ({ ...sent, ...reduction, ...bodyOf(shop) })),
    ),
  deleteDiscount: index.map((at) => remove("discounts", "discounts", at)),
  addRate: fc
    .record({
      country: fc.constantFrom("DE", "US"),
      tax_class: fc.constantFrom("standard", "reduced"),
      rate: fc.constantFrom(7, 19),
    })
    .map((rate) => add("rates", "tax-rates", () => ({ name: crypto.randomUUID(), taxes_shipping: true, ...rate }))),
  changeRate: fc
    .tuple(index, fc.constantFrom(5, 20))
    .map(([at, rate]) => change("rates", "tax-rates", at, () => ({ rate }))),
  deleteRate: index.map((at) => remove("rates", "tax-rates", at)),
  addZone: fc
    .constantFrom({ places: [{ country: "DE" }] }, { places: [], rest_of_world: true })
    .map((zone) => add("zones", "shipping-zones", () => ({ name: crypto.randomUUID(), ...zone }))),
  deleteZone: index.map((at) => remove("zones", "shipping-zones", at)),
  addMethod: fc.tuple(index, method).map(([at, sent]) =>
    add("methods", "shipping-methods", ({ zones }) => ({
      zone_id: pick(zones, at) ?? 0,
      name: crypto.randomUUID(),
      kind: "flat_rate",
      price: 5,
      ...sent,
    })),
  ),
  changeMethod: fc.tuple(index, method).map(([at, sent]) => change("methods", "shipping-methods", at, () => sent)),
  deleteMethod: index.map((at) => remove("methods", "shipping-methods", at)),
  shop: fc
    .record({ home_country: fc.constantFrom("DE", "US"), prices_include_tax: fc.boolean() })
    .map((body) => async () => expect((await administer("PUT /admin/shop", body)).status).toBe(200)),
  payments: fc.boolean().map((offered) => async () => {
    expect((await administer("PUT /admin/payment-settings", { wallet: { offered } })).status).toBe(200);
  }),
  exemption: orNull(fc.constant("Reseller")).map((tax_exempt_reason) => async ({ buyer }) => {
    expect((await administer(`PUT /admin/users/${buyer.id}`, { tax_exempt_reason })).status).toBe(200);
  }),
};

const basket = fc.record({
  lines: fc.array(fc.tuple(index, fc.integer({ min: 1, max: 4 })), { minLength: 1, maxLength: 2 }),
  codes: fc.subarray(CODES),
  country: fc.constantFrom("DE", "US"),
});

let compared = 0;

/** Places an order, which must cost what the other isolate quotes, or be refused for a reason in the quote. */
const order = basket.map(({ lines, codes, country }) => async ({ buyer, products }: Shop) => {
  const items = [...new Map(lines.map(([at, quantity]) => [pick(products, at), quantity]))].map(
    ([product_id, quantity]) => ({ product_id, quantity }),
  );
  if (items.some(({ product_id }) => product_id === undefined)) return;
  const shared = {
    discount_codes: codes,
    payment_method: "wallet",
    shipping_address: {
      name: "Ada",
      address: "12 Harbour Row",
      city: "Berlin",
      zip: "10115",
      country,
      ...(country === "US" && { region: "NY" }),
    },
  };
  const quote = await quotedElsewhere(buyer, { items, ...shared });
  const priced = items.map((line, at) => ({ ...line, price: quote.items[at]?.unit_price }));
  const body = { items: priced, ...shared };
  const answer = await call("POST /orders", { as: buyer.token, body, headers: onPurpose() });
  // Codes of deleted discounts count as guesses.
  if (answer.status === 429) return;
  compared++;
  if (quote.problems.length > 0) {
    expect(answer.status, JSON.stringify(quote.problems)).toBe(400);
    return;
  }
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const { subtotal, discount_total, shipping_total, tax_total, total, discounts, shipping_method } = answer.body.data;
  expect({
    subtotal,
    discount_total,
    shipping_total,
    tax_total,
    total,
    discounts,
    method: shipping_method?.name,
  }).toEqual({
    subtotal: quote.subtotal,
    discount_total: quote.discount_total,
    shipping_total: quote.shipping_total,
    tax_total: quote.tax_total,
    total: quote.total,
    // An order says on its lines what each discount took off.
    discounts: quote.discounts.map(({ item_amounts: _, ...discount }) => discount),
    method: quote.shipping_method?.name,
  });
});

const step = fc.oneof(
  { weight: 20, arbitrary: order },
  { weight: 4, arbitrary: fc.oneof(changes.moveCategory ?? order, changes.changeDiscount ?? order) },
  ...Object.values(changes),
);

/** Shoes and boots below them, in a sale; a lamp outside, and a variant. */
async function aShop(): Promise<Shop> {
  await noRules();
  await db.update(discounts).set({ code: null, enabled: false, updatedAt: sql`updated_at + 1` });
  ({ token: admin } = await aUser({ role: "admin" }));
  const [buyer, top, below, lowest, parent] = await Promise.all([
    aUser({ wallet: 100_000_000 }),
    aCategory(`Sale ${crypto.randomUUID()}`),
    aCategory(`Shoes ${crypto.randomUUID()}`),
    aCategory(`Boots ${crypto.randomUUID()}`),
    aParent({ price: 2_000 }),
  ]);
  const products = [
    await aProduct({ categoryId: lowest.id, stock: null, price: 1_000 }),
    await aProduct({ stock: null, price: 1_500 }),
    await aVariant(parent, { stock: null, price: 2_000 }),
  ];
  const [categories, ids] = [[top.id, below.id, lowest.id], products.map(({ id }) => id)];
  const [sale, lamps, all] = [
    await aDiscount({ code: "SALE1", percent: 500_000, categoryIds: [top.id] }),
    await aDiscount({ code: "SALE2", kind: "amount", amount: 100, combinable: false }),
    await aDiscount({ code: null }),
  ];
  return {
    buyer,
    categories,
    products: ids,
    discounts: [sale.id, lamps.id, all.id],
    rates: [],
    zones: [],
    methods: [],
  };
}

describe("an order", () => {
  it("costs what another isolate quotes after any sequence of changes by administrators", LONG, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 40 }), async (steps) => {
        const shop = await aShop();
        for (const happen of steps) await happen(shop);
      }),
      { numRuns: runsOf(40), endOnFailure: true },
    );
    expect(compared).toBeGreaterThan(7.5 * runsOf(40));
  });
});
