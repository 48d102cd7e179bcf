import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { noRules } from "../support/pricing.ts";
import { aMethod, asAdministrator, aZone } from "../support/settings.ts";
import { ADDRESS, aFile, aProduct, aUser, orderOf } from "../support/shop.ts";

let admin: string;
beforeAll(async () => {
  admin = await asAdministrator();
});

let guests = 0;

/** An order by staff of two units of a product, unpaid unless `more` says otherwise. */
async function anOrder(product: { id: number }, more: object = {}) {
  const customer = { email: `edited-${++guests}@example.test`, name: "Greta Guest" };
  const items = [{ product_id: product.id, quantity: 2 }];
  const body = { customer, items, shipping_address: ADDRESS, payment_method: "bank_transfer", ...more };
  const answer = await call("POST /admin/orders", { as: admin, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

const edit = (order: { id: number }, body: object, more: object = {}) =>
  call(`POST /admin/orders/${order.id}/edits`, { as: admin, body, ...more });
const quote = (order: { id: number }, body: object) =>
  call(`POST /admin/orders/${order.id}/edits/quote`, { as: admin, body });
const stockOf = async (id: number): Promise<number> =>
  (await call(`GET /admin/products/${id}`, { as: admin })).body.data.stock_quantity;

describe("an unpaid order", () => {
  it("is quoted and edited: quantities, new items and removed ones, with its stock and its history", async () => {
    const [mug, lamp] = [await aProduct({ price: 1_000, stock: 10 }), await aProduct({ price: 2_500, stock: 10 })];
    const order = await anOrder(mug);
    const [line] = order.items;
    const items = [
      { product_id: lamp.id, quantity: 1 },
      { id: line.id, quantity: 3 },
    ];
    const quoted = await quote(order, { items });
    expect(quoted.body.data).toMatchObject({
      previous_total: 20,
      total: 55,
      difference: 35,
      settlement: "unpaid",
      problems: [],
      items: [{ id: line.id }, { id: null, product_id: lamp.id }],
    });
    const wrong = await edit(order, { items, expected_total: 54 });
    expect(wrong.body.details).toMatchObject([{ field: "expected_total", code: "total_changed", total: 55 }]);
    const edited = await edit(order, { items, expected_total: 55, note: "By telephone" });
    expect(edited.status, JSON.stringify(edited.body)).toBe(200);
    expect(edited.body.data).toMatchObject({
      total: 55,
      status: "pending",
      items: [
        { id: line.id, quantity: 3, total: 30 },
        { product_id: lamp.id, quantity: 1 },
      ],
    });
    expect(edited.body.data.history.at(-1)).toMatchObject({ kind: "edit", amount: null });
    expect(edited.body.data.history.at(-1).note).toMatch(/^Added 1 × .*2 → 3 units\. Total: .*By telephone$/);
    expect([await stockOf(mug.id), await stockOf(lamp.id)]).toEqual([7, 9]);
    const less = await edit(order, { items: [{ id: edited.body.data.items[1].id, quantity: 1 }], expected_total: 25 });
    expect(less.body.data.items).toMatchObject([{ product_id: lamp.id }]);
    expect([await stockOf(mug.id), await stockOf(lamp.id)]).toEqual([10, 9]);
    const log = await call(`GET /admin/audit-log?subject=order&subject_id=${order.id}`, { as: admin });
    expect(log.body.data[0]).toMatchObject({ action: "order.edit", before: { total: 55 }, after: { total: 25 } });
    expect(await brokenInvariants()).toEqual({});
  });

  it("placed before the shop had shipping methods is edited without the cost of shipping until staff choose a method", async () => {
    const [mug, lamp] = [await aProduct({ price: 1_000, stock: 10 }), await aProduct({ price: 2_500, stock: 10 })];
    const order = await anOrder(mug);
    expect(order.shipping_method).toBeNull();
    const method = await aMethod({ zone_id: (await aZone({ rest_of_world: true })).id });
    try {
      expect((await quote(order, {})).body.data).toMatchObject({ total: 20, shipping_total: 0, problems: [] });
      const chosen = await quote(order, { shipping_method: method.id });
      expect(chosen.body.data).toMatchObject({ total: 24.9, shipping_total: 4.9 });
      const items = [
        { id: order.items[0].id, quantity: 2 },
        { product_id: lamp.id, quantity: 1 },
      ];
      const edited = await edit(order, { items, expected_total: 45 });
      expect(edited.body.data, JSON.stringify(edited.body)).toMatchObject({ total: 45, shipping_method: null });
    } finally {
      await noRules();
    }
  });

  it("keeps a note without a change in its history, and stays unchanged without either", async () => {
    const order = await anOrder(await aProduct({ price: 1_000, stock: 10 }));
    const same = await edit(order, { expected_total: 20 });
    expect([same.status, same.body.data.updated_at]).toEqual([200, order.updated_at]);
    expect(same.body.data.history).toHaveLength(order.history.length);
    const noted = await edit(order, { expected_total: 20, note: "Called, keeps everything" });
    expect(noted.body.data.history.slice(order.history.length)).toMatchObject([
      { kind: "edit", note: "Called, keeps everything" },
    ]);
    expect(await brokenInvariants()).toEqual({});
  });

  it("is not edited beyond the stock, and nothing changes", async () => {
    const product = await aProduct({ price: 1_000, stock: 4 });
    const order = await anOrder(product);
    const body = { items: [{ id: order.items[0].id, quantity: 5 }], expected_total: 50 };
    const refused = await edit(order, body);
    expect(refused.body.details).toMatchObject([
      { field: "items.0.quantity", code: "insufficient_stock", available: 4 },
    ]);
    expect(
      (await edit(order, { ...body, items: [{ ...body.items[0], quantity: 4 }], expected_total: 40 })).status,
    ).toBe(200);
    expect(await stockOf(product.id)).toBe(0);
  });
});

describe("a paid order", () => {
  it("refunds the difference if it costs less, separately from the refunded total", async () => {
    const product = await aProduct({ price: 1_000, stock: 10 });
    const order = await anOrder(product, { paid: true });
    const edited = await edit(order, { items: [{ id: order.items[0].id, quantity: 1 }], expected_total: 10 });
    expect(edited.body.data).toMatchObject({ total: 10, refunded_total: 0, payment_status: "paid" });
    expect(edited.body.data.history.at(-1)).toMatchObject({ kind: "edit_refund", amount: 10 });
    expect(await brokenInvariants()).toEqual({});
  });

  it("costs more once the shop has received the difference", async () => {
    const product = await aProduct({ price: 1_000, stock: 10 });
    const order = await anOrder(product, { paid: true });
    const body = { items: [{ id: order.items[0].id, quantity: 3 }], expected_total: 30 };
    expect((await quote(order, { items: body.items })).body.data).toMatchObject({
      settlement: "receive",
      difference: 10,
    });
    expect((await edit(order, body)).body.details).toMatchObject([{ field: "received", code: "required" }]);
    const edited = await edit(order, { ...body, received: true });
    expect(edited.body.data).toMatchObject({ total: 30, payment_status: "paid" });
    expect(edited.body.data.history.at(-1)).toMatchObject({ kind: "edit_charge", amount: 10 });
    const money = await call("GET /admin/transactions", { as: admin });
    expect(money.body.data[0]).toMatchObject({ order_id: order.id, kind: "charge", amount: -10 });
    expect(await brokenInvariants()).toEqual({});
  });

  it("charges or credits the wallet for the difference, and changes its downloads", async () => {
    const file = await aFile({ access: "package" });
    const [buyer, album] = [
      await aUser({ wallet: 6_000 }),
      await aProduct({ price: 1_000, fileIds: [file.id], downloadLimit: 2 }),
    ];
    const order = (
      await call("POST /orders", { as: buyer.token, body: orderOf(album, 2, { payment_method: "wallet" }) })
    ).body.data;
    const more = { items: [{ id: order.items[0].id, quantity: 4 }], expected_total: 40 };
    const edited = await edit(order, more);
    expect(edited.status, JSON.stringify(edited.body)).toBe(200);
    const packages = async () => (await call("GET /account/packages", { as: buyer.token })).body.data;
    expect(await packages()).toMatchObject([{ download_limit: 8 }]);
    const beyond = await edit(order, { items: [{ id: order.items[0].id, quantity: 7 }], expected_total: 70 });
    expect(beyond.body.details).toMatchObject([{ code: "insufficient_funds" }]);
    await edit(order, { items: [{ id: order.items[0].id, quantity: 1 }], expected_total: 10 });
    expect(await packages()).toMatchObject([{ download_limit: 2 }]);
    const profile = await call("GET /account/profile", { as: buyer.token });
    expect(profile.body.data.wallet_balance).toBe(50);
    expect(await brokenInvariants()).toEqual({});
  });

  it("is not edited once any of it was shipped or refunded", async () => {
    const product = await aProduct({ price: 1_000 });
    const order = await anOrder(product, { paid: true });
    await call(`POST /admin/orders/${order.id}/refunds`, { as: admin, body: { amount: 1 } });
    const refused = await edit(order, { expected_total: 20 });
    expect([refused.status, refused.body.code]).toEqual([409, "order_not_editable"]);
  });
});
