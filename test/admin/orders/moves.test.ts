import { beforeEach, describe, expect, it } from "vitest";
import { expireOrders } from "../../../src/checkout/orders/change.ts";
import { entriesOf } from "../../support/administration.ts";
import { call } from "../../support/call.ts";
import { shared } from "../../support/callers.ts";
import { brokenInvariants } from "../../support/invariants.ts";
import { orderNow, outlive, pay, productNow, userNow } from "../../support/orders.ts";
import { aRefusal, expectRefusal } from "../../support/refusal.ts";
import { ADDRESS, aFile, aKey, db, orderOf } from "../../support/shop.ts";
import { anAdministrator, placed } from "./support.ts";

const anAdmin = shared(() => anAdministrator());

let admin: Awaited<ReturnType<typeof anAdministrator>>;

beforeEach(async () => {
  admin = await anAdmin();
});

const DIGITAL = { type: "digital", stock: null } as const;

describe("shipping", () => {
  it("ships a paid order with its tracking, and shows the buyer who did it and why", async () => {
    const { id, user } = await placed();
    const shipment = { carrier: "Post", tracking_number: "X 1", tracking_url: "https://post.example/?n=X1&l=en" };
    const { status, body, headers } = await admin.change(id, { status: "shipped", shipment, note: "By coach" });
    expect(status).toBe(200);
    expect(headers.get("ETag")).toBe(await admin.etagOf(id));
    const seen = (await call(`GET /account/orders/${id}`, { as: user.token })).body.data;
    expect(seen).toEqual(body.data);
    expect(seen).toMatchObject({
      status: "shipped",
      fulfillment_status: "fulfilled",
      shipment: { ...shipment, shipped_at: expect.stringMatching(/Z$/) },
    });
    expect(seen.history.at(-1)).toMatchObject({
      from: "processing",
      to: "shipped",
      actor: `user:${admin.id}`,
      note: "By coach",
    });
  });

  it("changes the address in the same request", async () => {
    const { id } = await placed();
    const shipping_address = { ...ADDRESS, city: "Bath" };
    const { body } = await admin.change(id, { status: "shipped", shipment: { carrier: "Post" }, shipping_address });
    expect(body.data).toMatchObject({
      status: "shipped",
      shipping_address,
      shipment: { tracking_number: null, tracking_url: null },
    });
    expect(await entriesOf(id)).toMatchObject([
      {
        action: "order.ship",
        before: { status: "processing", shipping_address: ADDRESS, shipment: null },
        after: { status: "shipped", shipping_address, shipment: { carrier: "Post" } },
      },
    ]);
  });

  it("is corrected afterwards, field by field, and keeps its time", async () => {
    const { id } = await placed();
    const { body } = await admin.ship(id);
    const corrected = await admin.change(id, { shipment: { tracking_number: "X2" } });
    expect(corrected.body.data.shipment).toEqual({ ...body.data.shipment, tracking_number: "X2" });
    expect(corrected.body.data.history).toEqual(body.data.history);
    const cleared = await admin.change(id, { status: "completed", shipment: { tracking_number: null } });
    expect(cleared.body.data).toMatchObject({
      status: "completed",
      shipment: { carrier: "Post", tracking_number: null },
    });
  });

  it("refuses to correct unshipped orders, and to change the address of shipped ones", async () => {
    const { id } = await placed();
    expectRefusal(await admin.change(id, { shipment: { carrier: "Post" } }), 409, "shipment", "order_not_sent");
    await admin.ship(id);
    const moved = await admin.change(id, { shipping_address: { ...ADDRESS, city: "Bath" } });
    expectRefusal(moved, 409, "shipping_address", "order_sent");
    expect(await entriesOf(id)).toHaveLength(1);
  });

  it("lets one of many succeed who ship it at the same moment, and logs only that one", async () => {
    const { id } = await placed();
    const carriers = ["A", "B", "C", "D", "E"];
    const answers = await Promise.all(carriers.map((carrier) => admin.ship(id, carrier)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    const won = answers.find(({ status }) => status === 200);
    expect((await orderNow(id)).shipments[0]?.carrier).toBe(won?.body.data.shipment.carrier);
    expect(await entriesOf(id)).toHaveLength(1);
  });
});

describe("completing", () => {
  it("fulfils without a shipment, or completes a shipped order", async () => {
    const handed = await placed();
    const { body } = await admin.change(handed.id, { status: "completed", note: "Collected" });
    expect(body.data).toMatchObject({ status: "completed", fulfillment_status: "fulfilled", shipment: null });
    const sent = await placed();
    await admin.ship(sent.id);
    expect((await admin.change(sent.id, { status: "completed" })).body.data.status).toBe("completed");
    expect((await entriesOf(sent.id))[0]).toMatchObject({
      action: "order.complete",
      before: { status: "shipped" },
      after: { status: "completed" },
    });
  });
});

describe("marking paid", () => {
  it("records a manual payment: the order proceeds, its packages are granted, and the note says how", async () => {
    const file = await aFile({ access: "package" });
    const { id, user } = await placed({ method: "paypal", fileIds: [file.id] });
    const { body } = await admin.change(id, { payment_status: "paid", note: "In cash" });
    expect(body.data).toMatchObject({
      status: "processing",
      payment_status: "paid",
      payment: { provider: null, reference: null, next_action: null, paid_at: expect.any(String) },
      expires_at: null,
    });
    expect((await call("GET /account/packages", { as: user.token })).body.data).toHaveLength(1);
    const transactions = await admin.ask(`GET /admin/transactions?order_id=${id}`);
    expect(transactions.body.data).toMatchObject([{ kind: "charge", method: "paypal", amount: -10, note: "In cash" }]);
    expect(await entriesOf(id)).toMatchObject([
      {
        actor: `user:${admin.id}`,
        action: "order.mark_paid",
        before: { status: "pending", payment_status: "unpaid" },
        after: { status: "processing", payment_status: "paid", note: "In cash" },
      },
    ]);
    expect(await brokenInvariants()).toEqual({});
  });

  it.each([
    ["processing", {}, { status: "processing" }],
    ["processing", {}, { status: "processing", payment_status: "paid" }],
    ["completed", DIGITAL, { status: "completed" }],
    ["completed", DIGITAL, { payment_status: "paid" }],
  ])("makes it %s, depending on its items: %j %j", async (becomes, columns, body) => {
    const { id } = await placed({ method: "paypal", ...columns });
    expect((await admin.change(id, body)).body.data).toMatchObject({ status: becomes, payment_status: "paid" });
  });

  it.each([
    [{}, { status: "completed" }],
    [{}, { status: "completed", payment_status: "paid" }],
    [{}, { status: "shipped", shipment: { carrier: "Post" }, payment_status: "paid" }],
    [DIGITAL, { status: "processing" }],
  ])("refuses to make it the other status: %j %j", async (columns, body) => {
    const { id } = await placed({ method: "paypal", ...columns });
    expectRefusal(await admin.change(id, body), 409, "status");
    expect(await orderNow(id)).toMatchObject({ status: "pending", paymentStatus: "unpaid" });
  });

  it("refuses orders that are paid or cancelled", async () => {
    const paid = await placed();
    expectRefusal(await admin.change(paid.id, { payment_status: "paid" }), 409, "payment_status");
    const { id } = await placed({ method: "paypal" });
    await admin.change(id, { status: "cancelled" });
    const answer = await admin.change(id, { payment_status: "paid" });
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining("it can no longer change")]);
  });

  it("revives an expired order while its stock is available, and says so when it was sold", async () => {
    const [early, late] = [
      await placed({ method: "paypal", quantity: 5 }),
      await placed({ method: "paypal", quantity: 5 }),
    ];
    for (const { id } of [early, late]) await outlive(id);
    await expireOrders(db, Date.now());
    expect((await admin.change(early.id, { status: "processing" })).status).toBe(200);
    expect((await productNow(early.product.id))?.stockQuantity).toBe(5);
    await call("POST /orders", { as: late.user.token, body: orderOf(late.product, 6) });
    const refused = await admin.change(late.id, { payment_status: "paid" });
    expect([refused.status, refused.body]).toEqual([409, aRefusal("stock_gone", expect.stringContaining("stock"))]);
    expect((await orderNow(late.id)).status).toBe("expired");
    expect(await entriesOf(late.id)).toEqual([]);
    expect(await brokenInvariants()).toEqual({});
  });

  it("keeps one payment if the provider's arrives at the same moment, and returns the other", async () => {
    const orders = await Promise.all(Array.from({ length: 5 }, () => placed({ method: "paypal" })));
    await Promise.all(orders.flatMap(({ id }) => [admin.change(id, { payment_status: "paid" }), pay(id)]));
    for (const { id } of orders) {
      const { status, refundedTotal } = await orderNow(id);
      expect([status, refundedTotal]).toEqual(["processing", 0]);
    }
    expect(await brokenInvariants()).toEqual({});
  });
});

describe("cancelling", () => {
  it("ends an unpaid order, and returns money and stock of a paid one", async () => {
    for (const method of ["paypal", "wallet"] as const) {
      const { id, user, product } = await placed({ method, quantity: 3 });
      const { body } = await admin.change(id, { status: "cancelled", note: "Out of print" });
      expect(body.data).toMatchObject({ status: "cancelled", refunded_total: method === "wallet" ? 30 : 0 });
      expect(body.data.history.at(-1)).toMatchObject({ actor: `user:${admin.id}`, note: "Out of print" });
      expect((await productNow(product.id))?.stockQuantity).toBe(10);
      expect((await userNow(user.id))?.walletBalance).toBe(100_000);
      expect((await entriesOf(id))[0]).toMatchObject({ action: "order.cancel", after: { status: "cancelled" } });
    }
    expect(await brokenInvariants()).toEqual({});
  });

  it("suggests a refund if a download was used", async () => {
    const file = await aFile({ access: "package" });
    const { id, user } = await placed({ fileIds: [file.id] });
    await call(`GET /download-file?file_id=${file.id}`, { as: user.token });
    const refused = await admin.change(id, { status: "cancelled" });
    expectRefusal(refused, 409, "status");
    expect(refused.body.message).toContain("refund");
    expect(await entriesOf(id)).toEqual([]);
    expect((await admin.change(id, { status: "refunded" })).body.data.status).toBe("refunded");
  });
});

describe("any change", () => {
  it.each([
    ["pending", "shipped", ["processing", "completed", "cancelled"]],
    ["pending", "expired", ["processing", "completed", "cancelled"]],
    ["pending", "refunded", ["processing", "completed", "cancelled"]],
    ["processing", "pending", ["shipped", "completed", "cancelled", "refunded"]],
  ])("refuses to change a %s order to %s, and names its possible statuses", async (from, to, open) => {
    const { id } = await placed({ method: from === "pending" ? "paypal" : "wallet" });
    const { status, body } = await admin.change(id, { status: to, shipment: { carrier: "Post" } });
    expect([status, body.code]).toEqual([409, "move_not_allowed"]);
    expect(body.details).toEqual([{ field: "status", code: "move_not_allowed", allowed: open }]);
  });

  it.each([
    ["body", {}],
    ["status", { status: "sold" }],
    ["status", { status: null }],
    ["payment_status", { payment_status: "unpaid" }],
    ["shipment.carrier", { status: "shipped" }],
    ["shipment.carrier", { status: "shipped", shipment: { tracking_number: "X1" } }],
    ["shipment.carrier", { status: "shipped", shipment: { carrier: "" } }],
    ["shipment.tracking_url", { status: "shipped", shipment: { carrier: "A", tracking_url: "javascript:alert(1)" } }],
    ["shipment.tracking_url", { status: "shipped", shipment: { carrier: "A", tracking_url: 'https://a/"onclick=' } }],
    ["shipment.shipped_at", { status: "shipped", shipment: { carrier: "A", shipped_at: "2026-01-01" } }],
    ["shipment", { shipment: {} }],
    ["shipping_address", { shipping_address: null }],
    ["shipping_address.zip", { shipping_address: { ...ADDRESS, zip: undefined } }],
    ["restock", { status: "cancelled", restock: true }],
    ["note", { note: "For nothing" }],
    ["note", { status: "completed", note: "x".repeat(501) }],
    ["total", { total: 1 }],
  ])("refuses a wrong %s: %j", async (field, body) => {
    const { id } = await placed();
    const before = await orderNow(id);
    expectRefusal(await admin.change(id, body), 400, field);
    expect(await orderNow(id)).toEqual(before);
    expect(await entriesOf(id)).toEqual([]);
  });

  it("does nothing if one part of it is refused", async () => {
    const { id } = await placed({ method: "paypal" });
    const shipping_address = { ...ADDRESS, city: "Bath" };
    expect((await admin.change(id, { status: "refunded", shipping_address })).status).toBe(409);
    expect((await orderNow(id)).shippingAddress).toEqual(ADDRESS);
    const paid = await admin.change(id, { payment_status: "paid", shipping_address });
    expect(paid.body.data).toMatchObject({ status: "processing", shipping_address });
  });

  it("keeps a script in a note and a carrier as text", async () => {
    const { id } = await placed();
    const text = '<script>alert("x")</script>';
    const { body } = await admin.change(id, { status: "shipped", shipment: { carrier: text }, note: text });
    expect([body.data.shipment.carrier, body.data.history.at(-1).note]).toEqual([text, text]);
  });

  it("is made by one of many who correct the same version at the same moment", async () => {
    const { id } = await placed();
    const headers = { "If-Match": await admin.etagOf(id) };
    const answers = await Promise.all(
      ["Bath", "Bristol", "Leeds", "York", "Hull", "Derby"].map((city) =>
        admin.change(id, { shipping_address: { ...ADDRESS, city } }, headers),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 409, 412]).toContain(status);
    expect(await entriesOf(id)).toMatchObject([
      { action: "order.update", before: { shipping_address: ADDRESS }, after: { shipping_address: expect.anything() } },
    ]);
  });

  it("sees others' changes to the order as another version, including payments and refunds", async () => {
    const { id, item } = await placed({ method: "paypal", quantity: 2 });
    const etags = [await admin.etagOf(id)];
    await pay(id);
    etags.push(await admin.etagOf(id));
    await admin.refund(id, { items: [{ id: item, quantity: 1 }] });
    etags.push(await admin.etagOf(id));
    expect(new Set(etags).size).toBe(3);
  });

  it("is made by an API key in its own name", async () => {
    const { id } = await placed();
    const { key, id: keyId } = await aKey({ permissions: ["orders:write"] });
    const answer = await call(`PUT /admin/orders/${id}`, { as: key, body: { status: "completed" } });
    expect(answer.body.data.history.at(-1).actor).toBe(`api_key:${keyId}`);
    expect((await entriesOf(id))[0]?.actor).toBe(`api_key:${keyId}`);
    expect((await call(`GET /admin/orders/${id}`, { as: key })).status).toBe(403);
  });
});
