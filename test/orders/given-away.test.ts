import { eq } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { toDecimal } from "../../src/domain/money.ts";
import { signAccessToken } from "../../src/platform/auth/tokens.ts";
import { discounts, products, staffSpending } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { confirm, tokenOf } from "../support/drafts.ts";
import { aDiscount, aRate, aShippingMethod, noRules, settleShop } from "../support/pricing.ts";
import { asAdministrator } from "../support/settings.ts";
import { ADDRESS, aKey, aProduct, aUser, db, orderOf, settings } from "../support/shop.ts";

// The value that staff give away counts towards their limits, by whichever way they give it.

const LIMIT = toDecimal(settings.staffSpendingLimit);
const PRICE = 500;
const DISCOUNT = { percent: 100, reason: "Friend" };

let admin: string;
let support: Awaited<ReturnType<typeof aUser>>;
let product: Awaited<ReturnType<typeof aProduct>>;

beforeAll(async () => {
  admin = await asAdministrator();
});
beforeEach(async () => {
  support = await aUser({ role: "support" });
  product = await aProduct({ price: 100 * PRICE, stock: 1_000 });
});
afterEach(async () => {
  await noRules();
});

const spentBy = async ({ id }: { id: number }) => {
  const rows = await db
    .select()
    .from(staffSpending)
    .where(eq(staffSpending.actor, `user:${id}`));
  return toDecimal(rows.reduce((sum, { amount }) => sum + amount, 0));
};

let guests = 0;
const contentOf = (more: object = {}) => ({
  customer: { email: `given-${++guests}@example.test`, name: "Greta Guest" },
  items: [{ product_id: product.id, quantity: 1 }],
  shipping_address: { ...ADDRESS, country: "DE" },
  payment_method: "bank_transfer",
  ...more,
});

async function anOrder(more: object = {}) {
  const { body } = await call("POST /admin/orders", { as: admin, body: contentOf(more) });
  expect(body.code, JSON.stringify(body)).toBeUndefined();
  return body.data;
}

async function edit(as: string, order: { id: number }, changes: object) {
  const quoted = await call(`POST /admin/orders/${order.id}/edits/quote`, { as, body: changes });
  if (quoted.status !== 200) return quoted;
  const body = { ...changes, expected_total: quoted.body.data.total, received: true };
  return call(`POST /admin/orders/${order.id}/edits`, { as, body });
}

const orderNow = async ({ id }: { id: number }) => (await call(`GET /admin/orders/${id}`, { as: admin })).body.data;

const first = (order: { items: { id: number }[] }) => order.items[0]?.id;

async function aDraft(as: string, more: object = {}) {
  const { body } = await call("POST /admin/draft-orders", { as, body: contentOf(more) });
  expect(body.code, JSON.stringify(body)).toBeUndefined();
  return body.data;
}
const send = (as: string, { id }: { id: number }) => call(`POST /admin/draft-orders/${id}/send`, { as, body: {} });
const change = (as: string, draft: { id: number; content: object }, more: object) =>
  call(`PUT /admin/draft-orders/${draft.id}`, { as, body: { ...draft.content, ...more } });
const priced = (unit_price: number, quantity = 1) => ({ items: [{ product_id: product.id, quantity, unit_price }] });

type Order = { id: number; items: { id: number }[] };

describe("an edit by support is refused above the limit, and changes nothing, if it", () => {
  const ships = async () => {
    await settleShop({ homeCountry: "DE", pricesIncludeTax: false });
    await aShippingMethod({ price: 30_000 });
  };
  const taxed = async () => {
    await settleShop({ homeCountry: "DE", pricesIncludeTax: false });
    await aRate({ country: "DE", rate: 500_000 });
  };
  const costly = () => aProduct({ price: 100 * PRICE });
  const none = async () => {};
  it.each<[what: string, rules: () => Promise<void>, terms: object, changes: (order: Order) => Promise<object>]>([
    [
      "sets an unpaid order's unit price to 0",
      none,
      {},
      async (order) => ({ items: [{ id: first(order), quantity: 1, unit_price: 0 }] }),
    ],
    ["takes 100 % off an unpaid order", none, {}, async () => ({ discount: DISCOUNT })],
    [
      "swaps the item of a paid order for a costly one at the same price",
      none,
      { paid: true, ...{ items: undefined } },
      async () => ({ items: [{ product_id: (await costly()).id, quantity: 1, unit_price: 10 }] }),
    ],
    ["prices shipping at 0", ships, {}, async () => ({ custom_shipping: { name: "Courier", price: 0 } })],
    ["exempts the order from tax", taxed, {}, async () => ({ tax_exempt_reason: "VAT DE123" })],
  ])("%s", async (_, rules, terms, changes) => {
    await rules();
    const cheap = await aProduct({ price: 1_000 });
    const items = "items" in terms ? { items: [{ product_id: cheap.id, quantity: 1 }] } : {};
    const order = await anOrder({ ...terms, ...items });
    const before = await orderNow(order);
    const answer = await edit(support.token, order, await changes(order));
    expect([answer.status, answer.body.code]).toEqual([409, "spending_limit"]);
    expect(answer.body.details[0]).toMatchObject({ limit: LIMIT, available: LIMIT });
    expect(answer.body.message).toContain(`your limit of ${LIMIT}.00 in 24 hours, of which ${LIMIT}.00 is left`);
    expect(await orderNow(order)).toEqual(before);
    expect(await spentBy(support)).toBe(0);
  });

  it("adds units at a price that has risen since", async () => {
    const { id } = await anOrder();
    const order = await orderNow({ id });
    await db
      .update(products)
      .set({ price: 100 * PRICE + 10_100 })
      .where(eq(products.id, product.id));
    const answer = await edit(support.token, order, { items: [{ id: first(order), quantity: 3 }] });
    expect([answer.status, answer.body.code]).toEqual([409, "spending_limit"]);
    expect((await edit(support.token, order, { items: [{ id: first(order), quantity: 2 }] })).status).toBe(200);
    expect(await spentBy(support)).toBe(101);
  });
});

describe("a discount that has ended since", () => {
  const ended = async (terms: object = {}) => {
    const discount = await aDiscount({ percent: 900_000, ...terms });
    const order = await anOrder();
    await db.update(discounts).set({ endsAt: Date.now() }).where(eq(discounts.id, discount.id));
    return { order, codes: discount.code === null ? {} : { discount_codes: [discount.code] } };
  };
  const units = (order: Order, quantity: number) => ({ items: [{ id: first(order), quantity }] });

  it.each([
    ["that the order has", { code: null }],
    ["that the edit adds", {}],
  ])("%s, is given away for new units", async (_, terms) => {
    const { order, codes } = await ended(terms);
    const { key } = await aKey({ permissions: ["orders:write"] });
    const changes = { ...units(order, 2), ...codes };
    expect((await edit(key, order, changes)).body.details).toMatchObject([{ permission: "payments:write" }]);
    expect((await edit(support.token, order, changes)).body.code).toBe("spending_limit");
    expect((await edit(admin, order, changes)).body.data.total).toBe((2 * PRICE) / 10);
  });

  it("stays on the units that the buyer ordered", async () => {
    const { order } = await ended({ code: null });
    const { key } = await aKey({ permissions: ["orders:write"] });
    const address = { shipping_address: { ...ADDRESS, city: "Oxford", country: "DE" } };
    const changed = await edit(key, order, address);
    expect([changed.status, changed.body.data.total]).toEqual([200, PRICE / 10]);
  });
});

describe("an order by hand counts", () => {
  it("shipping and tax that staff leave out", async () => {
    await settleShop({ homeCountry: "DE", pricesIncludeTax: false });
    await aShippingMethod({ price: 15_000 });
    await aRate({ country: "DE", rate: 200_000 });
    const place = (more: object) => call("POST /admin/orders", { as: support.token, body: contentOf(more) });
    const both = await place({ custom_shipping: { name: "Gift", price: 0 }, tax_exempt_reason: "VAT DE123" });
    expect([both.status, both.body.code]).toEqual([409, "spending_limit"]);
    expect((await place({ custom_shipping: { name: "Gift", price: 0 } })).status).toBe(201);
    expect(await spentBy(support)).toBe(150 * 1.2);
  });

  it("no discount of the shop", async () => {
    const { code } = await aDiscount({ percent: 900_000 });
    const body = contentOf({ discount_codes: [code] });
    expect((await call("POST /admin/orders", { as: support.token, body })).status).toBe(201);
    expect(await spentBy(support)).toBe(0);
  });
});

describe("goods that leave before they are paid count in full", () => {
  const unpaid = { payment_method: "invoice" };
  const place = (more: object) => call("POST /admin/orders", { as: support.token, body: contentOf(more) });
  const cheap = async (price: number) => ({ items: [{ product_id: (await aProduct({ price })).id, quantity: 1 }] });

  it.each(["invoice", "cash"])("when they are ordered by hand and paid by %s", async (payment_method) => {
    const refused = await place({ payment_method });
    expect([refused.status, refused.body.code]).toEqual([409, "spending_limit"]);
    expect((await place({ payment_method, ...(await cheap(15_000)) })).status).toBe(201);
    expect(await spentBy(support)).toBe(150);
  });

  it("but not downloads, which wait for the payment", async () => {
    const ebook = await aProduct({ price: 100 * PRICE, type: "digital", requiresShipping: false });
    expect((await place({ ...unpaid, items: [{ product_id: ebook.id, quantity: 1 }] })).status).toBe(201);
    expect(await spentBy(support)).toBe(0);
  });

  it("when they are added to an order of the buyer", async () => {
    const order = await anOrder({ ...unpaid, ...(await cheap(1_000)) });
    const add = async (price: number) =>
      edit(support.token, order, { items: [{ id: first(order), quantity: 1 }, ...(await cheap(price)).items] });
    expect((await add(100 * PRICE)).body.code).toBe("spending_limit");
    expect((await add(5_000)).status).toBe(200);
    expect(await spentBy(support)).toBe(50);
  });

  it("when a buyer is offered them in a draft", async () => {
    const draft = await aDraft(support.token, unpaid);
    expect((await send(support.token, draft)).body.code).toBe("spending_limit");
    const small = await aDraft(support.token, { ...unpaid, ...(await cheap(15_000)) });
    expect((await send(support.token, small)).status).toBe(200);
    expect((await call(`POST /admin/draft-orders/${small.id}/place`, { as: support.token, body: {} })).status).toBe(
      201,
    );
    expect(await spentBy(support)).toBe(150);
  });
});

describe("what support gives away counts once", () => {
  it("in several edits of one order, and in simultaneous ones", async () => {
    const order = await anOrder();
    const at = (unit_price: number) =>
      edit(support.token, order, { items: [{ id: first(order), quantity: 1, unit_price }] });
    expect((await at(450)).status).toBe(200);
    expect((await at(400)).status).toBe(200);
    expect(await spentBy(support)).toBe(100);
    const answers = await Promise.all([at(350), at(350), at(350)]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(await spentBy(support)).toBe(150);
    expect((await at(299.99)).body.code).toBe("spending_limit");
    expect((await at(300)).status).toBe(200);
  });

  it("if a price of a paid order is cut and the difference refunded", async () => {
    const order = await anOrder({ paid: true });
    const cut = await edit(support.token, order, { items: [{ id: first(order), quantity: 1, unit_price: 350 }] });
    expect(cut.status).toBe(200);
    expect(await spentBy(support)).toBe(150);
  });

  it("if a draft is sent, changed, sent again and placed", async () => {
    const draft = await aDraft(support.token, priced(400));
    expect(await spentBy(support)).toBe(0);
    expect((await send(support.token, draft)).status).toBe(200);
    expect((await change(support.token, draft, priced(350))).status).toBe(200);
    expect((await send(support.token, draft)).status).toBe(200);
    const placed = await call(`POST /admin/draft-orders/${draft.id}/place`, { as: support.token, body: {} });
    expect(placed.status).toBe(201);
    expect(await spentBy(support)).toBe(150);
  });
});

describe("a sent draft", () => {
  it("is not reduced beyond the limit under its link", async () => {
    const draft = await aDraft(support.token);
    expect((await send(support.token, draft)).status).toBe(200);
    const answer = await change(support.token, draft, priced(0.01));
    expect([answer.status, answer.body.code]).toEqual([409, "spending_limit"]);
    expect((await confirm(tokenOf(draft), 0.01)).status).toBe(400);
    expect((await confirm(tokenOf(draft), PRICE)).status).toBe(303);
  });

  it("is not changed by support for a buyer of theirs, because an administrator gave it to another", async () => {
    const draft = await aDraft(admin, priced(0));
    await send(admin, draft);
    const answer = await change(support.token, draft, { customer: { email: "friend@example.test", name: "Friend" } });
    expect([answer.status, answer.body.code]).toEqual([409, "spending_limit"]);
    expect((await confirm(tokenOf(draft), 0)).status).toBe(303);
    expect(await spentBy(support)).toBe(0);
  });

  it("is not confirmed once list prices have risen beyond the limit of its sender", async () => {
    const draft = await aDraft(support.token, priced(450));
    expect((await send(support.token, draft)).status).toBe(200);
    const rise = (to: number) => db.update(products).set({ price: to }).where(eq(products.id, product.id));
    await rise(5_000_000);
    const refused = await confirm(tokenOf(draft), 450);
    expect(refused.status).toBe(409);
    expect(refused.html).toContain("Ask the shop for a new offer");
    await rise(100 * PRICE + 1_000);
    expect((await confirm(tokenOf(draft), 450)).status).toBe(303);
    expect(await spentBy(support)).toBe(60);
  });
});

it("asks a stale session for its password before an administrator gives away more", async () => {
  const { id, sessionId, token } = await aUser({ role: "admin" });
  const claims = { userId: id, sessionId, authenticatedAt: Date.now() - 3_600_000 };
  const stale = (await signAccessToken(settings, claims)).token;
  const order = await anOrder();
  const draft = await aDraft(token);
  await send(token, draft);
  const cut = { items: [{ id: first(order), quantity: 1, unit_price: 0 }] };
  expect((await edit(stale, order, cut)).body.code).toBe("reauthentication_required");
  expect((await change(stale, draft, priced(0.01))).body.code).toBe("reauthentication_required");
  expect((await edit(token, order, cut)).status).toBe(200);
  expect((await change(token, draft, priced(0.01))).status).toBe(200);
});

describe("a key without payments:write", () => {
  it("adds no units of a line that staff priced, and removes some", async () => {
    const { key } = await aKey({ permissions: ["orders:write"] });
    const order = await anOrder(priced(1, 10));
    const units = (quantity: number) => edit(key, order, { items: [{ id: first(order), quantity }] });
    const refused = await units(50);
    expect([refused.status, refused.body.details]).toEqual([
      403,
      [expect.objectContaining({ permission: "payments:write" })],
    ]);
    expect((await units(9)).status).toBe(200);
  });

  it("adds nothing under a discount that staff gave, and adds under none", async () => {
    const { key } = await aKey({ permissions: ["orders:write"] });
    const more = (order: Order) =>
      edit(key, order, {
        items: [
          { id: first(order), quantity: 1 },
          { product_id: product.id, quantity: 1 },
        ],
      });
    expect((await more(await anOrder({ discount: { percent: 90, reason: "Scratched" } }))).status).toBe(403);
    expect((await more(await anOrder())).status).toBe(200);
  });

  it("does not hide a growing discount behind a code that it removes", async () => {
    const { key } = await aKey({ permissions: ["orders:write"] });
    const { code } = await aDiscount({ percent: 500_000 });
    const order = await anOrder({ discount_codes: [code], discount: DISCOUNT });
    expect((await edit(key, order, { discount_codes: [] })).status).toBe(403);
  });
});

it("leaves orders of buyers alone, whatever they cost", async () => {
  const buyer = await aUser({ role: "support", wallet: 1_000_000 });
  expect((await call("POST /orders", { as: buyer.token, body: orderOf(product) })).status).toBe(201);
  expect(await spentBy(buyer)).toBe(0);
});

it("places no order by the link of a disabled account's draft", async () => {
  const buyer = await aUser();
  const draft = await aDraft(admin, { customer: undefined, user_id: buyer.id });
  await send(admin, draft);
  const disable = (disabled: boolean) => call(`PUT /admin/users/${buyer.id}`, { as: admin, body: { disabled } });
  expect((await disable(true)).status).toBe(200);
  expect((await confirm(tokenOf(draft), PRICE)).status).toBe(404);
  expect((await call(`GET /admin/draft-orders/${draft.id}`, { as: admin })).body.data.status).toBe("sent");
  await disable(false);
  expect((await confirm(tokenOf(draft), PRICE)).status).toBe(303);
});
