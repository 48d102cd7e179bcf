import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { entriesOf } from "../../support/administration.ts";
import { call } from "../../support/call.ts";
import { shared } from "../../support/callers.ts";
import { brokenInvariants, stockThatCameIn } from "../../support/invariants.ts";
import { orderNow, productNow } from "../../support/orders.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { ADDRESS, aProduct, aUser } from "../../support/shop.ts";
import { anAdministrator, placed } from "./support.ts";

const anAdmin = shared(() => anAdministrator());

let admin: Awaited<ReturnType<typeof anAdministrator>>;

beforeEach(async () => {
  admin = await anAdmin();
});

type Parcel = {
  items?: { id: number; quantity: number }[] | undefined;
  carrier?: string;
  [name: string]: unknown;
};

const send = (id: number, { carrier = "Post", ...parcel }: Parcel = {}, headers?: Record<string, string>) =>
  admin.ask(`POST /admin/orders/${id}/shipments`, { carrier, ...parcel }, headers);

/** An order of three lamps, two stools and a service that is not shipped. */
async function mixed(method: "wallet" | "paypal" = "wallet") {
  const buyer = await aUser({ wallet: 100_000 });
  const [lamp, stool, advice] = [
    await aProduct({ stock: 10 }),
    await aProduct({ stock: 5 }),
    await aProduct({ type: "service", stock: null }),
  ];
  const items = [
    { product_id: lamp.id, quantity: 3, price: 10 },
    { product_id: stool.id, quantity: 2, price: 10 },
    { product_id: advice.id, quantity: 1, price: 10 },
  ];
  const body = { items, shipping_address: ADDRESS, payment_method: method };
  const { data } = (await call("POST /orders", { as: buyer.token, body })).body;
  const [lamps, stools, hours] = data.items.map(({ id }: { id: number }) => id);
  const cancel = () => call(`POST /account/orders/${data.id}/cancel`, { as: buyer.token });
  return { id: data.id as number, buyer, lamp, stool, lamps, stools, hours, cancel };
}

const of = (id: number, quantity: number) => ({ id, quantity });
const shown = (id: number, quantity: number) => ({ id, item_id: id, quantity });

describe("a parcel", () => {
  it("takes part of an order, and the order is shipped with the last parcel", async () => {
    const { id, buyer, lamps, stools, lamp } = await mixed();
    const tracking = { carrier: "Post", tracking_number: "X 1", tracking_url: "https://post.example/X1" };
    const first = await send(id, { ...tracking, items: [of(lamps, 2), of(stools, 1)] });
    expect([first.status, first.body.message]).toEqual([200, "Shipped"]);
    expect(first.headers.get("ETag")).toBe(await admin.etagOf(id));
    expect(first.body.data).toMatchObject({
      status: "processing",
      fulfillment_status: "partially_fulfilled",
      items: [
        { requires_shipping: true, shipped_quantity: 2, unshipped_quantity: 1 },
        { requires_shipping: true, shipped_quantity: 1, unshipped_quantity: 1 },
        { requires_shipping: false, shipped_quantity: 0, unshipped_quantity: 0 },
      ],
    });
    const parcel = {
      id: expect.any(Number),
      ...tracking,
      shipped_at: expect.stringMatching(/Z$/),
      shipped_by: `user:${admin.id}`,
      items: [shown(lamps, 2), shown(stools, 1)],
    };
    expect(first.body.data.shipments).toEqual([parcel]);
    expect((await productNow(lamp.id))?.stockQuantity).toBe(7);
    expect(await brokenInvariants()).toEqual({});

    const rest = (await send(id, { carrier: "Coach" })).body.data;
    expect(rest).toMatchObject({ status: "shipped", fulfillment_status: "fulfilled" });
    const last = { carrier: "Coach", tracking_number: null, tracking_url: null, items: [of(lamps, 1), of(stools, 1)] };
    expect(rest.shipments).toMatchObject([parcel, last]);
    expect(rest.shipment).toEqual(rest.shipments[1]);
    expect(rest.history.map(({ to }: { to: string }) => to)).toEqual(["pending", "processing", "shipped"]);
    expect((await call(`GET /account/orders/${id}`, { as: buyer.token })).body.data).toEqual(rest);
    expect(await entriesOf(id)).toMatchObject([
      { action: "order.ship", before: { status: "processing", shipment: null }, after: { status: "shipped" } },
      {
        action: "order.ship",
        before: { fulfillment_status: "unfulfilled", shipment: null },
        after: { fulfillment_status: "partially_fulfilled", shipment: { ...tracking, items: parcel.items } },
      },
    ]);
    expect(await stockThatCameIn(lamp.id)).toBe(10);
    expect(await brokenInvariants()).toEqual({});
  });

  it("is listed under the order's fulfilment, and the status shipped sends all remaining units", async () => {
    const { id, buyer, lamps, stools } = await mixed();
    await send(id, { items: [of(lamps, 1)] });
    const found = await admin.ask(`GET /admin/orders?fulfillment_status=partially_fulfilled&user_id=${buyer.id}`);
    expect(found.body.data.map((order: { id: number }) => order.id)).toEqual([id]);
    const { body } = await admin.ship(id, "Coach");
    expect(body.data).toMatchObject({ status: "shipped", shipments: [{}, { items: [of(lamps, 2), of(stools, 2)] }] });
  });

  it.each([
    ["items.0.quantity", "exceeds_unsent", ({ lamps }) => [of(lamps, 4)]],
    ["items.1.id", "unknown_reference", ({ lamps }) => [of(lamps, 1), of(lamps, 1)]],
    ["items.0.id", "unknown_reference", () => [of(999_999, 1)]],
    ["items.0.quantity", "exceeds_unsent", ({ hours }) => [of(hours, 1)]],
    ["items.0.quantity", "too_small", ({ lamps }) => [of(lamps, 0)]],
    ["items", "too_small", () => []],
  ] satisfies [string, string, (order: Awaited<ReturnType<typeof mixed>>) => object[]][])(
    "names %s that is %s, and nothing is sent",
    async (field, code, items) => {
      const order = await mixed();
      const answer = await send(order.id, { items: items(order) as Parcel["items"] });
      expectRefusal(answer, 400, field);
      expect(answer.body.details).toMatchObject([{ field, code }]);
      expect(await orderNow(order.id)).toMatchObject({ status: "processing", shipments: [] });
    },
  );

  it("takes `item_id`, the name in 1.0, and answers it beside `id`", async () => {
    const { id, lamps } = await mixed();
    const parcel = (line: object) =>
      admin.ask(`POST /admin/orders/${id}/shipments`, { items: [line], carrier: "Post" });
    expectRefusal(await parcel({ id: lamps, item_id: lamps, quantity: 1 }), 400, "items.0.id");
    expectRefusal(await parcel({ quantity: 1 }), 400, "items.0.id");
    const { body } = await parcel({ item_id: lamps, quantity: 1 });
    expect(body.data.shipments).toMatchObject([{ items: [{ id: lamps, item_id: lamps, quantity: 1 }] }]);
  });

  it("is refused for unpaid or shipped orders, and for orders that the caller may not see", async () => {
    const unpaid = await mixed("paypal");
    expectRefusal(await send(unpaid.id), 409, "status");
    const sent = await mixed();
    await send(sent.id);
    expectRefusal(await send(sent.id), 409, "status");
    expect((await send(987_654)).status).toBe(404);
    const { id } = await mixed();
    const outdated = await send(id, {}, { "If-Match": '"1"' });
    expect(outdated.status).toBe(412);
  });

  it("never contains a unit twice, whoever ships at the same moment", async () => {
    const { id, lamps } = await mixed();
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(id, { items: [of(lamps, 2)] })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect((await orderNow(id)).items[0]?.shippedQuantity).toBe(2);
    expect(await brokenInvariants()).toEqual({});
  });

  it("links to the carrier's page, and follows the number unless the link was sent", async () => {
    const { id } = await mixed();
    const sent = (await send(id, { carrier: "ups", tracking_number: "1Z 999" })).body.data;
    const [{ id: parcel, tracking_url: link }] = sent.shipments;
    expect(link).toBe("https://www.ups.com/track?tracknum=1Z999");
    const correct = async (body: object) =>
      (await admin.ask(`PUT /admin/orders/${id}/shipments/${parcel}`, body)).body.data.shipments[0].tracking_url;
    expect(await correct({ tracking_number: "1Z&8" })).toBe("https://www.ups.com/track?tracknum=1Z%268");
    expect(await correct({ carrier: "Coach" })).toBeNull();
    expect(await correct({ tracking_url: "https://coach.test/1" })).toBe("https://coach.test/1");
    expect(await correct({ carrier: "UPS" })).toBe("https://coach.test/1");
  });

  it("is corrected afterwards by its id, and keeps its content", async () => {
    const { id, lamps } = await mixed();
    const [first, second] = [(await send(id, { items: [of(lamps, 1)] })).body.data, (await send(id)).body.data];
    const [parcel] = first.shipments;
    const change = (shipment: number, body: object) => admin.ask(`PUT /admin/orders/${id}/shipments/${shipment}`, body);
    const { body, headers } = await change(parcel.id, { tracking_number: "X 2" });
    expect(body.data.shipments).toEqual([{ ...parcel, tracking_number: "X 2" }, second.shipments[1]]);
    expect(headers.get("ETag")).toBe(await admin.etagOf(id));
    expect((await entriesOf(id))[0]).toMatchObject({
      action: "order.update",
      before: { shipment: { carrier: "Post", tracking_number: null } },
      after: { shipment: { carrier: "Post", tracking_number: "X 2" } },
    });
    expect((await change(987_654, { carrier: "Coach" })).status).toBe(404);
    expectRefusal(await change(parcel.id, {}), 400, "body");
    expectRefusal(await change(parcel.id, { tracking_url: "javascript:alert(1)" }), 400, "tracking_url");
  });
});

describe("a partly shipped order", () => {
  it("cannot be cancelled by anybody, and the error names the alternatives", async () => {
    const { id, lamps, cancel } = await mixed();
    await send(id, { items: [of(lamps, 1)] });
    for (const answer of [await cancel(), await admin.change(id, { status: "cancelled" })]) {
      expectRefusal(answer, 409, "status");
      expect(answer.body.details[0].allowed).toEqual(["shipped", "completed", "refunded"]);
    }
  });

  it("is shipped once the remaining units are refunded, at the same time and without another parcel", async () => {
    const { id, lamps, stools, lamp, stool } = await mixed();
    await send(id, { items: [of(lamps, 2), of(stools, 2)] });
    const { body } = await admin.refund(id, { items: [{ id: lamps, quantity: 1 }], restock: true });
    expect(body.data).toMatchObject({
      status: "shipped",
      fulfillment_status: "fulfilled",
      payment_status: "partially_refunded",
      history: [{}, {}, { kind: "refund", to: "processing" }, { kind: "status", to: "shipped" }],
    });
    expect((await entriesOf(id))[0]).toMatchObject({ action: "order.refund", after: { status: "shipped" } });
    expect((await productNow(lamp.id))?.stockQuantity).toBe(8);
    expect((await productNow(stool.id))?.stockQuantity).toBe(3);
    expect(await brokenInvariants()).toEqual({});
  });

  it("refunds unshipped units before shipped ones, and ships no more than remains", async () => {
    const { id, lamps, lamp } = await mixed();
    await send(id, { items: [of(lamps, 1)] });
    await admin.refund(id, { items: [{ id: lamps, quantity: 1 }], restock: false });
    expectRefusal(await send(id, { items: [of(lamps, 2)] }), 400, "items.0.quantity");
    await admin.refund(id, { items: [{ id: lamps, quantity: 2 }], restock: true });
    expectRefusal(await send(id, { items: [of(lamps, 1)] }), 400, "items.0.quantity");
    expect(await orderNow(id)).toMatchObject({ status: "processing", fulfillmentStatus: "partially_fulfilled" });
    expect((await productNow(lamp.id))?.stockQuantity).toBe(9);
    expect(await stockThatCameIn(lamp.id)).toBe(10);
    expect(await brokenInvariants()).toEqual({});
  });

  it("is refunded in full without being shipped first, and completed when the rest is handed over", async () => {
    const refunded = await mixed();
    await send(refunded.id, { items: [of(refunded.lamps, 1)] });
    const { data } = (await admin.refund(refunded.id, { restock: true })).body;
    expect(data).toMatchObject({ status: "refunded", payment_status: "refunded" });
    expect(data.history.map(({ to }: { to: string }) => to)).not.toContain("shipped");
    expect((await productNow(refunded.lamp.id))?.stockQuantity).toBe(10);
    const handed = await mixed();
    await send(handed.id, { items: [of(handed.lamps, 1)] });
    const completed = (await admin.change(handed.id, { status: "completed" })).body.data;
    expect(completed).toMatchObject({ status: "completed", fulfillment_status: "fulfilled", shipments: [{}] });
    expect(await brokenInvariants()).toEqual({});
  });

  it("is not shipped once nothing remains to be shipped", async () => {
    const { id, lamps, stools } = await mixed();
    const items = [
      { id: lamps, quantity: 3 },
      { id: stools, quantity: 2 },
    ];
    expect((await admin.refund(id, { items })).body.data.status).toBe("processing");
    const answer = await admin.ship(id);
    expectRefusal(answer, 409, "status");
    expect(answer.body.details[0].allowed).toEqual(["completed", "cancelled", "refunded"]);
  });
});

it("reserves the remaining units of an order that was partly shipped before its stock was managed", async () => {
  const { id, lamps, lamp } = await mixed();
  const put = (body: object) => admin.ask(`PUT /admin/products/${lamp.id}`, body);
  await put({ manage_stock: false });
  await send(id, { items: [of(lamps, 2)] });
  const answer = await put({ manage_stock: true, stock_quantity: 8 });
  expect(answer.status).toBe(200);
  expect((await productNow(lamp.id))?.stockQuantity).toBe(7);
  expect(await brokenInvariants()).toEqual({});
});

describe("the database", () => {
  const run = (sql: string, ...values: unknown[]) =>
    env.DB.prepare(sql)
      .bind(...values)
      .run();
  const aParcel = (order: number) =>
    run("INSERT INTO shipments (order_id, carrier, shipped_at, shipped_by) VALUES (?, 'Post', 1, 'user:1')", order);
  const aLine = (order: number, item: number, quantity: number) =>
    run("INSERT INTO shipment_lines SELECT max(id), ?2, ?3 FROM shipments WHERE order_id = ?1", order, item, quantity);

  it("refuses parcels of unpaid orders, too many units, items of other orders, and items that are not shipped", async () => {
    await expect(aParcel((await mixed("paypal")).id)).rejects.toThrow("shipment_order_closed");
    const [{ id, lamps, hours }, other] = [await mixed(), await placed()];
    await admin.refund(id, { items: [{ id: lamps, quantity: 1 }] });
    await aParcel(id);
    for (const [item, quantity] of [
      [lamps, 3],
      [hours, 1],
      [other.item, 1],
    ]) {
      await expect(aLine(id, Number(item), Number(quantity))).rejects.toThrow("shipment_exceeds_order");
    }
    await expect(aLine(id, lamps, 0)).rejects.toThrow("shipment_quantity_positive");
    await aLine(id, lamps, 2);
    await expect(run("UPDATE shipment_lines SET quantity = 1")).rejects.toThrow("shipment_lines_are_final");
    await expect(run("DELETE FROM shipments")).rejects.toThrow("shipments_stay");
  });

  it("refuses to ship an order while units remain, and to cancel a partly shipped one", async () => {
    const { id, lamps } = await mixed();
    await send(id, { items: [of(lamps, 1)] });
    await expect(run("UPDATE orders SET status = 'shipped' WHERE id = ?", id)).rejects.toThrow("has_unsent_units");
    await expect(run("UPDATE orders SET status = 'cancelled' WHERE id = ?", id)).rejects.toThrow("partly_sent");
  });
});
