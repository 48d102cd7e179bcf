import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { asAdministrator } from "../support/settings.ts";
import { ADDRESS, aKey, aProduct, aUser } from "../support/shop.ts";

let admin: string;
beforeAll(async () => {
  admin = await asAdministrator();
});

let guests = 0;
const aGuest = () => ({ email: `by-hand-${++guests}@example.test`, name: "Greta Guest" });

const place = (body: object, as = admin) => call("POST /admin/orders", { as, body });

const anOrder = (product: { id: number }, more: object = {}) => ({
  customer: aGuest(),
  items: [{ product_id: product.id, quantity: 2 }],
  shipping_address: ADDRESS,
  payment_method: "bank_transfer",
  ...more,
});

const stockOf = async (id: number): Promise<number> =>
  (await call(`GET /admin/products/${id}`, { as: admin })).body.data.stock_quantity;

it("places a paid order for a guest, with its charge and its author", async () => {
  const product = await aProduct({ price: 2_500 });
  const { status, body } = await place(anOrder(product, { paid: true, note: "Bank transfer 4711" }));
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    status: "processing",
    payment_status: "paid",
    total: 50,
    customer: { id: null, name: "Greta Guest" },
    payment: { provider: null, next_action: null },
    items: [{ unit_price: 25, list_price: null }],
  });
  expect(body.data.history.at(-1)).toMatchObject({ kind: "payment", amount: 50, note: "Bank transfer 4711" });
  expect(body.data.history[0].actor).toMatch(/^user:/);
  const money = await call("GET /admin/transactions", { as: admin });
  expect(money.body.data[0]).toMatchObject({ order_id: body.data.id, kind: "charge", amount: -50, user_id: null });
});

it("places an unpaid order that waits as long as staff choose, beyond a buyer's limit", async () => {
  const product = await aProduct({ price: 100, stock: 40 });
  const open = await place(anOrder(product, { items: [{ product_id: product.id, quantity: 30 }] }));
  expect(open.body.data).toMatchObject({ status: "pending", payment_status: "unpaid", expires_at: null });
  const due = await place(anOrder(product, { pay_within_days: 14 }));
  expect(Date.parse(due.body.data.expires_at) - Date.parse(due.body.data.created_at)).toBe(14 * 24 * 3600 * 1000);
  expect(await stockOf(product.id)).toBe(8);
  const refused = await place(anOrder(product, { items: [{ product_id: product.id, quantity: 9 }] }));
  expect(refused.body).toMatchObject({ details: [{ field: "items.0.quantity", code: "insufficient_stock" }] });
});

it("sells at a price set by staff, recorded on the line item and in the audit log with the catalogue price", async () => {
  const [product, other] = [await aProduct({ price: 2_000 }), await aProduct({ price: 700 })];
  const items = [
    { product_id: product.id, quantity: 2, unit_price: 15 },
    { product_id: other.id, quantity: 1 },
  ];
  const { body } = await place(anOrder(product, { items }));
  expect(body.data).toMatchObject({
    total: 37,
    items: [
      { unit_price: 15, list_price: 20 },
      { unit_price: 7, list_price: null },
    ],
  });
  const log = await call(`GET /admin/audit-log?subject=order&subject_id=${body.data.id}`, { as: admin });
  expect(log.body.data[0].after.items).toMatchObject([{ price: 15, list_price: 20 }, { price: 7 }]);
});

it("takes a manual discount off the total after codes, with its reason as its name", async () => {
  const product = await aProduct({ price: 5_000 });
  await call("POST /admin/discounts", {
    as: admin,
    body: { name: "Ten off", code: "HAND10", kind: "amount", amount: 10 },
  });
  const order = anOrder(product, { discount_codes: ["hand10"], discount: { percent: 50, reason: "Scratched box" } });
  const quote = await call("POST /admin/orders/quote", { as: admin, body: order });
  expect(quote.body.data).toMatchObject({ total: 45, problems: [] });
  const { body } = await place({ ...order, expected_total: 45 });
  expect(body.data).toMatchObject({
    total: 45,
    discounts: [
      { code: "HAND10", amount: 10 },
      { id: null, code: null, name: "Scratched box", amount: 45 },
    ],
  });
  const changed = await place({ ...order, expected_total: 44 });
  expect(changed.body.details).toMatchObject([{ field: "expected_total", code: "total_changed", total: 45 }]);
});

it("ships with shipping named and priced by staff", async () => {
  const product = await aProduct({ price: 1_000 });
  const { body } = await place(anOrder(product, { custom_shipping: { name: "Courier", price: 12.5 } }));
  expect(body.data).toMatchObject({
    total: 32.5,
    shipping_total: 12.5,
    shipping_method: { id: null, name: "Courier" },
  });
  const service = await aProduct({ price: 1_000, type: "service", requiresShipping: false });
  const refused = await place(anOrder(service, { custom_shipping: { name: "Courier", price: 12.5 } }));
  expect(refused.body.details).toMatchObject([{ field: "custom_shipping", code: "not_applicable" }]);
});

it("leaves the account's cart alone", async () => {
  const [buyer, product] = [await aUser(), await aProduct({ price: 1_000 })];
  await call("POST /cart", { as: buyer.token, body: { product_id: product.id, quantity: 2 } });
  const { customer: _, ...order } = anOrder(product, { user_id: buyer.id });
  const { status, body } = await place(order);
  expect(status).toBe(201);
  expect(body.data.customer.id).toBe(buyer.id);
  expect((await call("GET /cart", { as: buyer.token })).body.data.items).toHaveLength(1);
  const theirs = await call(`GET /account/orders/${body.data.id}`, { as: buyer.token });
  expect(theirs.body.data.number).toBe(body.data.number);
});

it("takes effect once when it is sent twice", async () => {
  const product = await aProduct({ price: 1_000 });
  const order = anOrder(product);
  expect((await place(order)).status).toBe(201);
  expect((await place(order)).body).toMatchObject({ code: "order_resent" });
  const keyed = { as: admin, body: anOrder(product), headers: { "Idempotency-Key": "by-hand" } };
  const [first, second] = [await call("POST /admin/orders", keyed), await call("POST /admin/orders", keyed)];
  expect(second.body.data.id).toBe(first.body.data.id);
});

describe("refuses", () => {
  it("prices, discounts, shipping and payments from a key that may not move money", async () => {
    const product = await aProduct({ price: 1_000 });
    const { key } = await aKey({ permissions: ["orders:write"] });
    expect((await place(anOrder(product), key)).status).toBe(201);
    for (const more of [
      { paid: true },
      { items: [{ product_id: product.id, quantity: 1, unit_price: 1 }] },
      { discount: { amount: 1, reason: "x" } },
      { custom_shipping: { name: "x", price: 0 } },
    ])
      expect((await place(anOrder(product, more), key)).status).toBe(403);
  });

  it("a buyer who is missing, unknown, staff or named twice", async () => {
    const product = await aProduct({ price: 1_000 });
    const { customer: _, ...order } = anOrder(product);
    expect((await place(order)).body.details).toMatchObject([{ field: "customer", code: "required" }]);
    expect((await place(anOrder(product, { user_id: 1 }))).body.details).toMatchObject([{ code: "not_applicable" }]);
    expect((await place({ ...order, user_id: 987_654 })).body.details).toMatchObject([
      { field: "user_id", code: "unknown_reference" },
    ]);
    const [support, boss] = [await aUser({ role: "support" }), await aUser({ role: "admin" })];
    expect((await place({ ...order, user_id: boss.id }, support.token)).body.details).toMatchObject([
      { field: "user_id", code: "unknown_reference" },
    ]);
  });

  it("more than a member of staff may give away in a day", async () => {
    const product = await aProduct({ price: 9_999_999 });
    const support = await aUser({ role: "support" });
    const items = [{ product_id: product.id, quantity: 1, unit_price: 0 }];
    const { body } = await place(anOrder(product, { items }), support.token);
    expect(["spending_limit", "reauthentication_required"]).toContain(body.code);
  });
});
