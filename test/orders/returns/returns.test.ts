import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { followEvents } from "../../../src/apps/follow-events.ts";
import { orderItems, productFiles, returns } from "../../../src/platform/db/schema.ts";
import { aSendingShop } from "../../support/emails.ts";
import { brokenInvariants } from "../../support/invariants.ts";
import { money } from "../../support/money.ts";
import { placeOrder, productNow } from "../../support/orders.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { aFile, aProduct, aUser, db, onPurpose, orderOf } from "../../support/shop.ts";

const { bindings, call, received } = aSendingShop();
let admin: { token: string };

beforeAll(async () => {
  admin = await aUser({ role: "admin" });
});

const ask = (line: string, body?: unknown, headers: Record<string, string> = onPurpose()) =>
  call(line, { as: admin.token, body, headers });

/** A paid order of lamps at 10.00 each, shipped unless it is not. */
async function anOrder({ quantity = 3, ships = true } = {}) {
  const { id, item, user: buyer, product: lamp } = await placeOrder({ quantity, send: call });
  if (ships) await ask(`POST /admin/orders/${id}/shipments`, { carrier: "DHL" });
  const request = (sent: unknown) =>
    call(`POST /account/orders/${id}/returns`, { as: buyer.token, body: sent, headers: onPurpose() });
  return { id, item, buyer, lamp, request };
}

async function aReturn(quantity = 2, of: { quantity?: number } = {}) {
  const order = await anOrder(of);
  const { body, status } = await order.request({ items: [{ id: order.item, quantity }], reason: "Too small" });
  expect(status).toBe(201);
  return { ...order, returned: Number(body.data.id) };
}

type Refused = Parameters<typeof expectRefusal>[0];

function expectCode(answer: Refused, status: number, field: string, code: string): void {
  expectRefusal(answer, status, field);
  expect(answer.body.details).toMatchObject([{ field, code }]);
}

const change = (id: number, body: unknown, headers?: Record<string, string>) =>
  ask(`PUT /admin/returns/${id}`, body, headers);
const settle = (id: number, body: unknown = {}) => ask(`POST /admin/returns/${id}/settle`, body);

it("says which downloads of its lines were used", async () => {
  const [buyer, file] = [await aUser({ wallet: 100_000 }), await aFile({ access: "package" })];
  const [ebook, lamp] = [await aProduct({ type: "digital" }), await aProduct()];
  await db.insert(productFiles).values({ productId: ebook.id, fileId: file.id });
  const items = [ebook, lamp].map(({ id, price }) => ({ product_id: id, quantity: 1, price: price / 100 }));
  const body = { ...orderOf(lamp), items };
  const { id } = (await call("POST /orders", { as: buyer.token, body, headers: onPurpose() })).body.data;
  await ask(`POST /admin/orders/${id}/shipments`, { carrier: "DHL" });
  const { data } = (await ask(`POST /admin/orders/${id}/returns`, {})).body;
  const used = async () =>
    (await ask(`GET /admin/returns/${data.id}`)).body.data.items.map(
      (item: { downloads_used: number }) => item.downloads_used,
    );
  expect(await used()).toEqual([0, 0]);
  expect((await call(`GET /download-file?file_id=${file.id}`, { as: buyer.token })).status).toBe(200);
  expect(await used()).toEqual([1, 0]);
});

describe("a return", () => {
  it("goes from request to refund: damaged units are written off, damage is deducted, and the refund names the return", async () => {
    const { id, item, buyer, lamp, returned } = await aReturn(3);
    expect((await call(`GET /account/returns?order_id=${id}`, { as: buyer.token })).body.data).toMatchObject([
      { id: returned, order_id: id, status: "requested", requested_by: "customer", reason: "Too small", late: false },
    ]);
    const approved = await change(returned, { status: "approved", instructions: "Mill Lane 12" });
    expect(approved.body.data).toMatchObject({ status: "approved", instructions: "Mill Lane 12" });
    const sent = await change(returned, { status: "in_transit", carrier: "DHL", tracking_number: "00340" });
    expect(sent.body.data.tracking_url).toContain("00340");
    const counted = [{ id: item, intact: 1, damaged: 1 }];
    const arrived = await change(returned, { status: "received", items: counted });
    expect(arrived.body.data).toMatchObject({ status: "received", items: [{ quantity: 3, intact: 1, damaged: 1 }] });
    expect((await productNow(lamp.id))?.stockQuantity).toBe(7);
    const { status, body } = await settle(returned, { deduction: money(5) });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ refunded_total: money(15), payment_status: "partially_refunded" });
    expect(body.data.history.at(-1)).toMatchObject({ kind: "refund", amount: money(15), return_id: returned });
    expect((await productNow(lamp.id))?.stockQuantity).toBe(8);
    const { data } = (await ask(`GET /admin/returns/${returned}`)).body;
    expect(data).toMatchObject({ status: "settled", refunded_amount: money(15) });
    // The unit that did not arrive can be returned later.
    expect(
      (await call(`POST /account/orders/${id}/returns`, { as: buyer.token, body: {} })).body.data.items,
    ).toMatchObject([{ id: item, quantity: 1 }]);
    expect(await brokenInvariants()).toEqual({});
  });

  it("tells the buyer of its receipt, its approval with the address, and the reason of a refusal", async () => {
    const { buyer, returned } = await aReturn(1);
    await change(returned, { status: "approved", instructions: "Mill Lane 12", label_url: "https://labels.test/1" });
    await change(returned, { status: "declined", decline_reason: "Nothing arrived" });
    await followEvents({ ...env, ...bindings });
    const emails = received(buyer.email).filter(({ subject }) => subject.includes("return"));
    expect(emails.map(({ subject }) => subject.replace(/#\d+/, "#"))).toEqual([
      "We received your return request for order #",
      "Your return for order # was approved",
      "Your return for order # was declined",
    ]);
    expect(emails[1]?.text).toContain("Mill Lane 12");
    expect(emails[1]?.text).toContain("https://labels.test/1");
    expect(emails[2]?.text).toContain("Nothing arrived");
  });

  it("takes no more units than were delivered and are in no other return", async () => {
    const unsent = await anOrder({ ships: false });
    expectCode(await unsent.request({}), 400, "items", "exceeds_returnable");
    const { item, request, returned } = await aReturn(2);
    expectCode(await request({ items: [{ id: item, quantity: 2 }] }), 400, "items.0.quantity", "exceeds_returnable");
    expectCode(await request({ items: [{ id: item + 1, quantity: 1 }] }), 400, "items.0.id", "unknown_reference");
    expect((await request({ items: [{ id: item, quantity: 1 }] })).status).toBe(201);
    expectCode(await request({}), 400, "items", "exceeds_returnable");
    await change(returned, { status: "declined", decline_reason: "Worn" });
    expect((await request({ items: [{ id: item, quantity: 2 }] })).status).toBe(201);
  });

  it("holds its units against a partial refund, and is settled by a refund of everything", async () => {
    const { id, item, returned } = await aReturn(2);
    const refund = (body: unknown) => ask(`POST /admin/orders/${id}/refunds`, body);
    expectCode(await refund({ items: [{ id: item, quantity: 2 }] }), 409, "items", "units_in_return");
    expect((await refund({ items: [{ id: item, quantity: 1 }] })).status).toBe(200);
    const { data } = (await refund({})).body;
    expect(data).toMatchObject({ status: "refunded", refunded_total: money(30) });
    expect(data.history).toContainEqual(expect.objectContaining({ kind: "refund", return_id: returned }));
    expect((await ask(`GET /admin/returns/${returned}`)).body.data.status).toBe("settled");
    expect(await brokenInvariants()).toEqual({});
  });

  it("keeps its deduction when the last units are returned or refunded, until everything is refunded", async () => {
    const { id, item, returned, request } = await aReturn(1);
    const received = async (which: number) => {
      await change(which, { status: "approved" });
      await change(which, { status: "received" });
    };
    const refund = (body: unknown) => ask(`POST /admin/orders/${id}/refunds`, body);
    await received(returned);
    expect((await settle(returned, { deduction: money(4) })).body.data.refunded_total).toBe(money(6));
    const second = Number((await request({ items: [{ id: item, quantity: 1 }] })).body.data.id);
    await received(second);
    expect((await settle(second)).body.data.refunded_total).toBe(money(16));
    const third = Number((await request({})).body.data.id);
    await received(third);
    expect((await settle(third)).body.data).toMatchObject({ status: "refunded", refunded_total: money(26) });
    expect((await refund({})).body.data).toMatchObject({ refunded_total: money(30), payment_status: "refunded" });
    expect(await brokenInvariants()).toEqual({});
  });

  it("keeps its deduction when the other units are refunded by name, and loses it when everything is refunded", async () => {
    const settled = async () => {
      const order = await aReturn(1);
      await change(order.returned, { status: "approved" });
      await change(order.returned, { status: "received" });
      await settle(order.returned, { deduction: money(4) });
      return order;
    };
    const [named, whole] = [await settled(), await settled()];
    const refund = (id: number, body: unknown) => ask(`POST /admin/orders/${id}/refunds`, body);
    const { data } = (await refund(named.id, { items: [{ id: named.item, quantity: 2 }] })).body;
    expect(data).toMatchObject({ status: "refunded", refunded_total: money(26) });
    expect((await refund(whole.id, {})).body.data).toMatchObject({ status: "refunded", refunded_total: money(30) });
  });

  it("moves forward only, and is counted and settled only after it arrived", async () => {
    const { item, returned } = await aReturn(1);
    expectCode(await settle(returned), 409, "status", "move_not_allowed");
    expectCode(await change(returned, { status: "received" }), 409, "status", "move_not_allowed");
    expectCode(await change(returned, { items: [{ id: item, intact: 1 }] }), 400, "items", "not_applicable");
    expectCode(await change(returned, { status: "declined" }), 400, "decline_reason", "required");
    await change(returned, { status: "approved" });
    const tooMany = [{ id: item, intact: 1, damaged: 1 }];
    expectCode(
      await change(returned, { status: "received", items: tooMany }),
      400,
      "items.0.intact",
      "exceeds_returnable",
    );
    await change(returned, { status: "received", items: [{ id: item, intact: 0 }] });
    // Nothing arrived.
    expectCode(await settle(returned), 409, "status", "move_not_allowed");
    await change(returned, { items: [{ id: item, intact: 1 }] });
    expectCode(await settle(returned, { deduction: money(10.01) }), 400, "deduction", "exceeds_refundable");
    expect((await settle(returned)).status).toBe(200);
    expectCode(await change(returned, { carrier: "DHL" }), 409, "status", "move_not_allowed");
    expectCode(await settle(returned), 409, "status", "move_not_allowed");
  });

  it("by staff is approved at once, and may have a version that must still hold", async () => {
    const { id } = await anOrder();
    const { status, body } = await ask(`POST /admin/orders/${id}/returns`, { instructions: "Mill Lane 12" });
    expect([status, body.data.status, body.data.requested_by]).toEqual([201, "approved", "staff"]);
    const etag = String((await ask(`GET /admin/returns/${body.data.id}`)).headers.get("ETag"));
    expect((await change(body.data.id, { carrier: "DHL" }, { "If-Match": etag })).status).toBe(200);
    expect((await change(body.data.id, { carrier: "UPS" }, { "If-Match": etag })).status).toBe(412);
  });

  it("belongs to the buyer of its order", async () => {
    const [{ id, returned }, stranger] = [await aReturn(1), await aUser()];
    expect((await call("GET /account/returns", { as: stranger.token })).body.data).toEqual([]);
    expect((await call(`POST /account/orders/${id}/returns`, { as: stranger.token, body: {} })).status).toBe(404);
    const { body } = await ask(`GET /admin/returns?status=requested&order_id=${id}`);
    expect(body.data).toMatchObject([{ id: returned }]);
  });

  it("can be requested twenty times for an order by each party", async () => {
    const { id, request } = await anOrder();
    const row = { orderId: id, status: "declined", requestedBy: "customer", declineReason: "No" } as const;
    for (let made = 0; made < 20; made++) await db.insert(returns).values({ ...row, createdAt: 0, updatedAt: 0 });
    expectCode(await request({}), 409, "body", "too_many_returns");
    // Others' requests do not count: neither staff nor withdrawals, which strangers may declare, can be shut out.
    await db.insert(returns).values({ ...row, requestedBy: "withdrawal", createdAt: 0, updatedAt: 0 });
    expect((await ask(`POST /admin/orders/${id}/returns`, {})).status).toBe(201);
  });
});

it("has units that the database refuses to refund beside it", async () => {
  const { item } = await aReturn(2);
  const refund = db.update(orderItems).set({ refundedQuantity: 2 }).where(eq(orderItems.id, item));
  await expect(refund.run()).rejects.toThrow();
});
