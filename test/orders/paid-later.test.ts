import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addUpAllSales } from "../../src/back-office/sales/add-up.ts";
import { expireOrders } from "../../src/checkout/orders/change.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { anAdministrator } from "../admin/orders/support.ts";
import { call } from "../support/call.ts";
import { brokenInvariants, stockThatCameIn } from "../support/invariants.ts";
import { money } from "../support/money.ts";
import { orderNow, placeOrder, productNow, userNow } from "../support/orders.ts";
import { aFile, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";

// Orders by cash on delivery or invoice, which ship before they are paid.

let admin: Awaited<ReturnType<typeof anAdministrator>>;

beforeAll(async () => {
  const body = { invoice: { offered: true, guests: true }, cash: { offered: true } };
  await (await anAdministrator()).ask("PUT /admin/payment-settings", body);
});

beforeEach(async () => {
  admin = await anAdministrator();
});

type Ordered = Parameters<typeof aProduct>[0] & { quantity?: number; method?: string };

async function ordered({ quantity = 2, method = "cash", ...columns }: Ordered = {}) {
  const product = await aProduct({ stock: 10, ...columns });
  return placeOrder({ buyer: await aUser(), product, quantity, payment_method: method });
}

const eventsOf = async (id: number) =>
  (
    await db
      .select()
      .from(tables.events)
      .where(sql`subject = ${`order:${id}`}`)
      .orderBy(tables.events.id)
  ).map(({ type }) => type);

const setting = (method: "invoice" | "cash", ship_before_payment: boolean) =>
  admin.ask("PUT /admin/payment-settings", { [method]: { ship_before_payment } });

it.each(["cash", "invoice"])(
  "ships an order by %s before it is paid, and records the payment later",
  async (method) => {
    const { order, id, product, user } = await ordered({ method });
    expect(order).toMatchObject({
      status: "processing",
      payment_status: "unpaid",
      payment: { paid_at: null },
      history: [{ from: null, to: "processing" }],
    });
    expect(order.expires_at).not.toBeNull();
    const sent = await admin.ship(id);
    expect(sent.body.data).toMatchObject({
      status: "shipped",
      payment_status: "unpaid",
      fulfillment_status: "fulfilled",
    });
    expect(await db.$count(tables.transactions, sql`order_id = ${id}`)).toBe(0);
    const paid = await admin.change(id, { payment_status: "paid", note: "Paid at the door" });
    expect(paid.body.data).toMatchObject({ status: "shipped", payment_status: "paid", expires_at: null });
    expect(paid.body.data.history.at(-1)).toMatchObject({
      kind: "payment",
      from: "shipped",
      to: "shipped",
      amount: money(20),
      note: "Paid at the door",
    });
    expect(await eventsOf(id)).toEqual(["order.created", "shipment.created", "order.shipped", "order.paid"]);
    expect(await userNow(user.id)).toMatchObject({ orderCount: 1, spent: 2000 });
    expect((await productNow(product.id))?.stockQuantity).toBe(8);
    expect((await admin.change(id, { payment_status: "paid" })).body).toMatchObject({ code: "already_paid" });
    expect((await admin.refund(id, { restock: true })).body.data).toMatchObject({ status: "refunded" });
    expect(await brokenInvariants()).toEqual({});
  },
);

it("keeps the status of a completed order that is paid, and counts it as sold on that day", async () => {
  const { id } = await ordered({ method: "invoice" });
  expect((await admin.change(id, { status: "completed" })).body.data).toMatchObject({ payment_status: "unpaid" });
  const paid = await admin.change(id, { payment_status: "paid" });
  expect(paid.body.data).toMatchObject({ status: "completed", payment_status: "paid" });
  await addUpAllSales(db);
  const { orders } = requireRow(await db.select().from(tables.sales).where(sql`dimension = 'shop'`).get());
  expect(orders).toBeGreaterThan(0);
  expect(await brokenInvariants()).toEqual({});
});

const requireRow = <T>(row: T | undefined): T => {
  if (row === undefined) throw new Error("There is no row");
  return row;
};

it("grants downloads when an order that is paid later is paid, and waits if nothing is shipped", async () => {
  const file = await aFile({ access: "package" });
  const { id } = await ordered({ fileIds: [file.id] });
  const packages = () => db.$count(tables.packages, sql`order_id = ${id}`);
  await admin.ship(id);
  expect(await packages()).toBe(0);
  await admin.change(id, { payment_status: "paid" });
  expect(await packages()).toBe(1);
  expect((await ordered({ type: "digital", fileIds: [file.id] })).order.status).toBe("pending");
});

it("never expires an order that is paid later", async () => {
  const { id } = await ordered();
  await db.update(tables.orders).set({ expiresAt: 1 }).where(sql`id = ${id}`);
  await expireOrders(db, Date.now());
  expect((await orderNow(id)).status).toBe("processing");
});

describe("is cancelled while unpaid", () => {
  it("by its buyer until something is shipped, and returns its stock", async () => {
    const [early, late] = [await ordered(), await ordered()];
    const cancel = ({ id, user }: typeof early) => call(`POST /account/orders/${id}/cancel`, { as: user.token });
    expect((await cancel(early)).body.data).toMatchObject({ status: "cancelled", payment_status: "unpaid" });
    expect((await productNow(early.product.id))?.stockQuantity).toBe(10);
    await admin.ship(late.id);
    expect((await cancel(late)).body).toMatchObject({
      code: "move_not_allowed",
      details: [{ allowed: ["completed"] }],
    });
  });

  it.each([
    ["whole", true, 10],
    ["whole", false, 8],
    ["part", true, 10],
    ["part", false, 9],
    ["handed over", true, 10],
  ])("by staff after it was shipped (%s), with the shipped units restocked (%s)", async (sent, restock, stock) => {
    const { id, product, item } = await ordered();
    if (sent === "whole") await admin.ship(id);
    else if (sent === "handed over") await admin.change(id, { status: "completed" });
    else
      await admin.ask(`POST /admin/orders/${id}/shipments`, {
        carrier: "Post",
        items: [{ id: item, quantity: 1 }],
      });
    const { body } = await admin.change(id, { status: "cancelled", restock, note: "Refused at the door" });
    expect(body.data).toMatchObject({ status: "cancelled", payment_status: "unpaid", refunded_total: 0 });
    expect((await productNow(product.id))?.stockQuantity).toBe(stock);
    expect(await stockThatCameIn(product.id)).toBe(10);
    expect((await admin.change(id, { payment_status: "paid" })).status).toBe(409);
    const log = await admin.ask(`GET /admin/audit-log?subject=order&subject_id=${id}`);
    expect(log.body.data[0]).toMatchObject({ action: "order.cancel", after: { status: "cancelled", restock } });
    expect(await brokenInvariants()).toEqual({});
  });
});

it("is not refunded before it is paid, nor cancelled once it is paid and shipped", async () => {
  const { id } = await ordered();
  expect((await admin.refund(id)).body).toMatchObject({ code: "move_not_allowed" });
  expect((await admin.change(id, { status: "refunded" })).body).toMatchObject({
    details: [{ allowed: ["shipped", "completed", "cancelled"] }],
  });
  await admin.ship(id);
  await admin.change(id, { payment_status: "paid" });
  expect((await admin.change(id, { status: "cancelled" })).body).toMatchObject({
    details: [{ allowed: ["completed", "refunded"] }],
  });
});

it("waits for payment if the shop requires it, and by bank transfer in any case", async () => {
  await setting("cash", false);
  const { id, order } = await ordered();
  expect(order.status).toBe("pending");
  await setting("cash", true);
  expect((await ordered({ method: "bank_transfer" })).order.status).toBe("pending");
  expect((await admin.ship(id)).body).toMatchObject({ code: "move_not_allowed" });
  const wrong = await admin.ask("PUT /admin/payment-settings", { bank_transfer: { ship_before_payment: true } });
  expect(wrong.body.details).toMatchObject([{ field: "bank_transfer.ship_before_payment" }]);
});

it("counts towards a buyer's limit of unpaid orders until it is shipped", async () => {
  const [user, product] = [await aUser(), await aProduct({ stock: 1000 })];
  const order = () =>
    call("POST /orders", {
      as: user.token,
      body: orderOf(product, 1, { payment_method: "invoice" }),
      headers: onPurpose(),
    });
  const first = await order();
  for (let orders = 1; orders < 10; orders++) expect((await order()).status).toBe(201);
  expect((await order()).body.code).toBe("too_many_open_orders");
  await admin.ship(first.body.data.id);
  expect((await order()).status).toBe(201);
});

describe("guards in the database", () => {
  const insert = (from: number, changes: string) =>
    env.DB.prepare(
      `INSERT INTO orders (reference, number, sequence, status, payment_status, fulfillment_status, currency, subtotal, total,
        payment_method, created_at, updated_at, updated_by)
       SELECT ?1, prefix || sequence, sequence, ${changes}, currency, 0, 0, ?2, 1, 1, 'system'
       FROM next_order_number, (SELECT currency FROM orders WHERE id = ?3)`,
    ).bind(crypto.randomUUID(), "bank_transfer", from);

  it("refuse any other progress of unpaid orders", async () => {
    const { id } = await ordered();
    await expect(insert(id, "'processing', 'unpaid', 'unfulfilled'").run()).rejects.toThrow("order_not_paid");
    const { id: waits } = await ordered({ method: "bank_transfer" });
    const update = (order: number, status: string) =>
      env.DB.prepare("UPDATE orders SET status = ? WHERE id = ?").bind(status, order).run();
    await expect(update(waits, "processing")).rejects.toThrow("order_not_paid");
    await expect(update(id, "refunded")).rejects.toThrow("order_not_paid");
  });
});
