import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { expireOrders } from "../../src/checkout/orders/change.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { brokenInvariants, stockThatCameIn } from "../support/invariants.ts";
import { money } from "../support/money.ts";
import { orderNow, outlive, pay, placeOrder, productNow, userNow } from "../support/orders.ts";
import { aFile, aKey, aProduct, aUser, db, orderOf } from "../support/shop.ts";

let admin: { token: string };

/** A new administrator for each test, because administrators are rate limited too. */
beforeEach(async () => {
  admin = await aUser({ role: "admin" });
});

const change = (id: number, body: unknown) => call(`PUT /admin/orders/${id}`, { as: admin.token, body });
const ship = (id: number, carrier = "Post") => change(id, { status: "shipped", shipment: { carrier } });
const refund = (id: number, body: unknown) => call(`POST /admin/orders/${id}/refunds`, { as: admin.token, body });

type Ordered = Parameters<typeof aProduct>[0] & { quantity?: number };

const placed = async (payment_method: "wallet" | "paypal", { quantity = 1, ...columns }: Ordered = {}) =>
  placeOrder({ product: await aProduct({ stock: 10, ...columns }), quantity, payment_method });

it("refuses in the database every transition that is not in the table", async () => {
  const { id } = await placed("paypal");
  const refused = db.update(tables.orders).set({ status: "shipped" }).where(eq(tables.orders.id, id));
  await expect(refused.run()).rejects.toThrow();
  expect((await orderNow(id)).status).toBe("pending");
});

it("expires an unpaid order after its time and releases only its own stock", async () => {
  const { id, product, user } = await placed("paypal", { quantity: 3 });
  const other = await call("POST /orders", { as: user.token, body: orderOf(product, 2, { payment_method: "paypal" }) });
  await expireOrders(db, Date.now());
  expect((await orderNow(id)).status).toBe("pending");
  await outlive(id);
  await expireOrders(db, Date.now());
  await expireOrders(db, Date.now());
  const expired = await call(`GET /account/orders/${id}`, { as: user.token });
  expect(expired.body.data).toMatchObject({
    status: "expired",
    history: [{ to: "pending" }, { from: "pending", to: "expired", actor: "system", note: "Not paid in time" }],
  });
  expect((await productNow(product.id))?.stockQuantity).toBe(8);
  expect((await orderNow(other.body.data.id)).status).toBe("pending");
});

it("lets the buyer cancel an unpaid order, or a paid one before shipping, and returns all money and stock", async () => {
  for (const method of ["paypal", "wallet"] as const) {
    const file = await aFile({ access: "package" });
    const { id, user, product, cancel } = await placed(method, { quantity: 2, fileIds: [file.id] });
    const { status, body } = await cancel();
    expect([status, body.data.status]).toEqual([200, "cancelled"]);
    expect(body.data.payment_status).toBe(method === "wallet" ? "refunded" : "unpaid");
    expect(body.data.refunded_total).toBe(method === "wallet" ? money(20) : 0);
    expect((await productNow(product.id))?.stockQuantity).toBe(10);
    expect((await userNow(user.id))?.walletBalance).toBe(100_000);
    const again = await cancel();
    expect([again.status, again.body.message]).toEqual([409, expect.stringContaining("it can no longer change")]);
    expect((await orderNow(id)).history.at(-1)?.actor).toBe(`user:${user.id}`);
  }
  expect(await brokenInvariants()).toEqual({});
});

it("does not let a buyer cancel a shipped or completed order, or somebody else's", async () => {
  const { id, cancel } = await placed("wallet");
  const { key } = await aKey();
  expect((await call(`POST /account/orders/${id}/cancel`, { as: (await aUser()).token })).status).toBe(404);
  expect((await call(`POST /account/orders/${id}/cancel`, { as: key })).status).toBe(404);
  await ship(id);
  const answer = await cancel();
  expect([answer.status, answer.body.details[0].allowed]).toEqual([409, ["completed", "refunded"]]);
  const digital = await placed("wallet", { type: "digital", stock: null });
  expect((await digital.cancel()).status).toBe(409);
});

it("does not let a buyer cancel after downloading; a refund is still possible", async () => {
  const file = await aFile({ access: "package" });
  const { id, user, cancel } = await placed("wallet", { fileIds: [file.id] });
  expect((await call(`GET /download-file?file_id=${file.id}`, { as: user.token })).status).toBe(200);
  const answer = await cancel();
  expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining("was used")]);
  expect((await refund(id, { restock: true })).body.data.status).toBe("refunded");
  expect(await brokenInvariants()).toEqual({});
});

it("is cancelled once by any number of simultaneous requests", async () => {
  const { cancel } = await placed("paypal");
  const statuses = (await Promise.all([cancel(), cancel(), cancel()])).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 409, 409]);
});

it("keeps refunded units that were not returned out of stock, also when the rest is cancelled", async () => {
  const { id, product, cancel } = await placed("wallet", { quantity: 3 });
  const items = [{ id: (await orderNow(id)).items[0]?.id, quantity: 1 }];
  expect((await refund(id, { items, note: "Lost" })).status).toBe(200);
  expect((await cancel()).status).toBe(200);
  expect((await productNow(product.id))?.stockQuantity).toBe(9);
  expect(await stockThatCameIn(product.id)).toBe(10);
  expect(await brokenInvariants()).toEqual({});
});

it("refunds by unit, then the rest, and revokes the downloads of each unit", async () => {
  const file = await aFile({ access: "package" });
  const { id, user, product } = await placed("wallet", {
    quantity: 3,
    fileIds: [file.id],
    downloadLimit: 4,
    price: 700,
  });
  const items = [{ id: (await orderNow(id)).items[0]?.id, quantity: 1 }];
  const partly = await refund(id, { items, restock: true, note: "Scratched" });
  const partlyRefunded = { status: "processing", payment_status: "partially_refunded", refunded_total: money(7) };
  expect(partly.body.data).toMatchObject(partlyRefunded);
  expect((await productNow(product.id))?.stockQuantity).toBe(8);
  const packages = await call("GET /account/packages", { as: user.token });
  expect(packages.body.data).toMatchObject([{ status: "active", download_limit: 8, downloads_remaining: 8 }]);
  const whole = await refund(id, {});
  expect(whole.body.data).toMatchObject({ status: "refunded", payment_status: "refunded", refunded_total: money(21) });
  expect((await userNow(user.id))?.walletBalance).toBe(100_000);
  expect((await productNow(product.id))?.stockQuantity).toBe(8);
  expect(await stockThatCameIn(product.id)).toBe(10);
  const more = await refund(id, {});
  expect([more.status, more.body.message]).toEqual([409, expect.stringContaining("it can no longer change")]);
  expect(await brokenInvariants()).toEqual({});
});

it("refuses in the database to refund more units than were sold, or more money than was paid", async () => {
  const { id } = await placed("wallet", { quantity: 2 });
  const units = db.update(tables.orderItems).set({ refundedQuantity: 3 }).where(eq(tables.orderItems.orderId, id));
  await expect(units.run()).rejects.toThrow();
  const money = db.update(tables.orders).set({ refundedTotal: 2001 }).where(eq(tables.orders.id, id));
  await expect(money.run()).rejects.toThrow();
  expect(await orderNow(id)).toMatchObject({ refundedTotal: 0, items: [{ refundedQuantity: 0 }] });
});

it("grants packages on payment, even before the order is shipped", async () => {
  const file = await aFile({ access: "package" });
  const { id, user } = await placed("paypal", { quantity: 2, fileIds: [file.id], downloadLimit: 3 });
  expect((await call("GET /account/packages", { as: user.token })).body.data).toEqual([]);
  await pay(id);
  const { body } = await call("GET /account/packages", { as: user.token });
  expect(body.pagination.total_items).toBe(1);
  expect(body.data[0]).toEqual({
    id: expect.any(Number),
    name: expect.any(String),
    order_id: id,
    files: [{ id: file.id, name: file.name, file_name: file.fileName, size_bytes: file.sizeBytes }],
    status: "active",
    download_limit: 6,
    downloads_used: 0,
    downloads_remaining: 6,
    starts_at: expect.any(String),
    expires_at: null,
  });
  expect((await orderNow(id)).status).toBe("processing");
});

it("pays an expired order if its stock is still available, and otherwise returns the money", async () => {
  const early = await placed("paypal", { quantity: 5 });
  await outlive(early.id);
  await expireOrders(db, Date.now());
  await pay(early.id);
  expect(await orderNow(early.id)).toMatchObject({ status: "processing", paymentStatus: "paid" });
  expect((await productNow(early.product.id))?.stockQuantity).toBe(5);

  const late = await placed("paypal", { quantity: 5 });
  await outlive(late.id);
  await expireOrders(db, Date.now());
  await call("POST /orders", { as: late.user.token, body: orderOf(late.product, 6) });
  await pay(late.id, "too-late");
  expect(await orderNow(late.id)).toMatchObject({ status: "expired", paidAt: null });
  const sentBack = await db.select().from(tables.refunds).where(eq(tables.refunds.orderId, late.id));
  expect(sentBack).toMatchObject([{ payment: "too-late", amount: 5000, reference: null }]);
  expect(await brokenInvariants()).toEqual({});
});

it("returns a second payment, and a payment for a cancelled order", async () => {
  const { id, cancel } = await placed("paypal");
  await pay(id, "first");
  await pay(id, "first");
  await pay(id, "second");
  expect(await orderNow(id)).toMatchObject({ status: "processing", paymentReference: "first" });
  const refunds = () => db.select().from(tables.refunds).where(eq(tables.refunds.orderId, id));
  expect(await refunds()).toMatchObject([{ payment: "second" }]);
  const unpaid = await placed("paypal");
  await unpaid.cancel();
  await pay(unpaid.id);
  expect(await orderNow(unpaid.id)).toMatchObject({ status: "cancelled", paidAt: null });
  expect((await cancel()).body.data.status).toBe("cancelled");
  expect(await brokenInvariants()).toEqual({});
});
