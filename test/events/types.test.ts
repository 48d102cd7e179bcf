import { env } from "cloudflare:workers";
import { asc, eq, gt } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { eraseDueAccounts } from "../../src/accounts/personal-data/erase-due.ts";
import { publishStockChanges } from "../../src/catalogue/products/stock-events.ts";
import { expireOrders } from "../../src/checkout/orders/change.ts";
import { type EventType, eventTypeNames } from "../../src/domain/event-types.ts";
import { shopCurrency } from "../../src/domain/money.ts";
import { publishExpiringKeys, publishUnusedKeys } from "../../src/integrations/events/events.ts";
import { Event, toEvent } from "../../src/integrations/events/schemas.ts";
import {
  apiKeys,
  apps,
  events,
  LOW_STOCK,
  licenseKeys,
  orders,
  packages,
  subscriptionPeriods,
  subscriptions,
} from "../../src/platform/db/schema.ts";
import { everyMinute } from "../../src/scheduled.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { administration } from "../support/administration.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { aGiftCardProduct } from "../support/gift-cards.ts";
import { LICENSE } from "../support/license-keys.ts";
import { orderNow, outlive, placeOrder } from "../support/orders.ts";
import { aFile, aKey, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";
import { aForm } from "../support/uploads.ts";
import { aWebhook } from "../webhooks/support.ts";

const { admin } = administration();

const seen = new Set<EventType>();

/** Events that are written by the code, as consumers read them. */
async function written(doing: () => Promise<unknown>) {
  const last = await db.$count(events).then(() => db.select({ id: events.id }).from(events).orderBy(events.id));
  await doing();
  const rows = await db
    .select()
    .from(events)
    .where(gt(events.id, last.at(-1)?.id ?? 0))
    .orderBy(asc(events.id));
  return rows.map((row) => {
    const event = Event.parse(toEvent(row));
    expect(event).toEqual(toEvent(row));
    seen.add(event.type);
    return event;
  });
}

const typesOf = async (doing: () => Promise<unknown>) => (await written(doing)).map(({ type }) => type);

const put = (path: string, body: unknown) => call(`PUT /admin${path}`, { as: admin.token, body });
const post = (path: string, body?: unknown) => call(`POST /admin${path}`, { as: admin.token, body });

async function ordered(method: "wallet" | "paypal", product: Parameters<typeof aProduct>[0] = {}, quantity = 1) {
  const placed = await placeOrder({ product: await aProduct(product), quantity, payment_method: method });
  return { ...placed, sold: placed.product, reference: String(placed.order.reference) };
}

describe("an order", () => {
  it("that is paid at once is created and paid, with its data", async () => {
    let order: Awaited<ReturnType<typeof ordered>> | undefined;
    const all = await written(async () => {
      order = await ordered("wallet");
    });
    const ofOrder = all.filter(({ subject }) => subject === `order:${order?.id}`);
    const data = {
      order_id: order?.id,
      number: order?.number,
      reference: order?.reference,
      user_id: order?.user.id,
      payment_method: "wallet",
      total: 10,
      currency: shopCurrency(),
    };
    expect(ofOrder).toMatchObject([
      { type: "order.created", data: { ...data, status: "pending" } },
      { type: "order.paid", data: { ...data, status: "processing" } },
    ]);
    expect(all.map(({ type }) => type).sort()).toEqual([
      "order.created",
      "order.paid",
      "product.created",
      "user.created",
    ]);
  });

  it("of a download is completed too, and grants its package", async () => {
    const file = await aFile({ access: "package" });
    const types = await typesOf(() => ordered("wallet", { type: "digital", stock: null, fileIds: [file.id] }));
    expect(types.slice(2)).toEqual(["order.created", "order.paid", "order.completed", "package.granted"]);
  });

  it("is paid later, shipped and completed, with an event for each", async () => {
    const { id } = await ordered("paypal");
    expect(await typesOf(() => put(`/orders/${id}`, { payment_status: "paid" }))).toEqual(["order.paid"]);
    const shipment = { carrier: "Post", tracking_number: "T1", tracking_url: "https://post.example/?to=ada" };
    const shipped = await written(() => put(`/orders/${id}`, { status: "shipped", shipment }));
    const subject = `order:${id}`;
    expect(shipped).toMatchObject([
      { type: "shipment.created", subject, data: { shipment_id: expect.any(Number), order_id: id } },
      { type: "order.shipped", subject, data: { status: "shipped" } },
    ]);
    expect(await typesOf(() => put(`/orders/${id}`, { status: "completed" }))).toEqual(["order.completed"]);
    expect(await typesOf(() => put(`/orders/${id}`, { shipment: { carrier: "Other" } }))).toEqual([]);
  });

  it("is shipped in parcels with an event for each, and is shipped with the last or once the rest is refunded", async () => {
    const post = (path: string, body: unknown) => call(`POST /admin${path}`, { as: admin.token, body });
    const { id } = await ordered("wallet", {}, 3);
    const items = (await orderNow(id)).items.map((item) => ({ id: item.id, quantity: 1 }));
    const parcel = () => post(`/orders/${id}/shipments`, { carrier: "Post", items });
    expect(await typesOf(parcel)).toEqual(["shipment.created"]);
    expect(await typesOf(parcel)).toEqual(["shipment.created"]);
    const [item] = items;
    const rest = () => post(`/orders/${id}/refunds`, { items: [{ id: item?.id, quantity: 1 }] });
    expect(await typesOf(rest)).toEqual(["refund.created", "refund.succeeded", "order.shipped"]);
  });

  it("has an event for each step of its returns", async () => {
    const { id, user } = await ordered("wallet", {}, 2);
    await post(`/orders/${id}/shipments`, { carrier: "Post" });
    const [item] = (await orderNow(id)).items;
    const items = [{ id: item?.id, quantity: 1 }];
    const ask = () =>
      call(`POST /account/orders/${id}/returns`, { as: user.token, body: { items }, headers: onPurpose() });
    const [requested] = await written(ask);
    expect(requested).toMatchObject({
      type: "return.requested",
      subject: `order:${id}`,
      data: { requested_by: "customer" },
    });
    const path = `/returns/${Object(requested?.data).return_id}`;
    expect(await typesOf(() => put(path, { status: "declined", decline_reason: "Worn" }))).toEqual(["return.declined"]);
    const [approved] = await written(() => post(`/orders/${id}/returns`, { items }));
    expect(approved?.type).toBe("return.approved");
    const other = `/returns/${Object(approved?.data).return_id}`;
    expect(await typesOf(() => put(other, { status: "in_transit", carrier: "Post" }))).toEqual(["return.in_transit"]);
    expect(await typesOf(() => put(other, { status: "received" }))).toEqual(["return.received"]);
    expect(await typesOf(() => post(`${other}/settle`, {}))).toEqual([
      "return.settled",
      "refund.created",
      "refund.succeeded",
    ]);
  });

  it("is edited, with an event for the edit and one for the refunded difference", async () => {
    const { id } = await ordered("wallet", {}, 2);
    const items = (await orderNow(id)).items.map((item) => ({ id: item.id, quantity: 1 }));
    const edited = await written(() => post(`/orders/${id}/edits`, { items, expected_total: 10 }));
    expect(edited).toMatchObject([
      { type: "order.edited", data: { order_id: id, total: 10, status: "processing" } },
      { type: "refund.created", data: { amount: 10, refunded_total: 0 } },
      { type: "refund.succeeded", data: { amount: 10 } },
    ]);
  });

  it("is cancelled or expires, and may be paid after it has expired", async () => {
    const { id, user } = await ordered("paypal");
    const cancel = () => call(`POST /account/orders/${id}/cancel`, { as: user.token });
    expect(await typesOf(cancel)).toEqual(["order.cancelled"]);
    const other = await ordered("paypal");
    await outlive(other.id);
    expect(await typesOf(() => expireOrders(db, Date.now()))).toEqual(["order.expired"]);
    expect(await typesOf(() => put(`/orders/${other.id}`, { payment_status: "paid" }))).toEqual(["order.paid"]);
  });

  it("whose payment fails has one event for it", async () => {
    const { id } = await ordered("paypal");
    const fail = () => db.update(orders).set({ paymentStatus: "failed" }).where(eq(orders.id, id)).run();
    expect(await typesOf(fail)).toEqual(["order.payment_failed"]);
    expect(await typesOf(fail)).toEqual([]);
  });

  it("is refunded to its wallet at once, in part and in full", async () => {
    const user = await aUser({ wallet: 100_000 });
    const sold = await aProduct();
    const { body } = await call("POST /orders", { as: user.token, body: orderOf(sold, 2) });
    const { id, items } = body.data;
    const refund = (quantity: number) => () =>
      post(`/orders/${id}/refunds`, { items: [{ id: items[0].id, quantity }], restock: true });
    const part = await written(refund(1));
    expect(part).toMatchObject([
      {
        type: "refund.created",
        subject: `order:${id}`,
        data: { order_id: id, amount: 10, refunded_total: 10 },
      },
      { type: "refund.succeeded", data: { amount: 10, currency: shopCurrency() } },
    ]);
    expect(await typesOf(refund(1))).toEqual(["refund.created", "refund.succeeded"]);
  });

  it("refunded by a provider has succeeded or failed when the provider reports it", async () => {
    const { id } = await ordered("paypal");
    await put(`/orders/${id}`, { payment_status: "paid" });
    await db.update(orders).set({ paymentProvider: "paypal" }).where(eq(orders.id, id)).run();
    const step = (kind: string) => () =>
      env.DB.prepare(
        `INSERT INTO order_history (order_id, at, kind, "from", "to", amount, actor) VALUES (?, 1, ?, 'processing', 'processing', 500, 'paypal')`,
      )
        .bind(id, kind)
        .run();
    expect(await typesOf(step("refund"))).toEqual(["refund.created"]);
    expect(await typesOf(step("refund_failed"))).toEqual(["refund.failed"]);
    expect(await typesOf(step("refund_sent"))).toEqual(["refund.succeeded"]);
    expect(await typesOf(step("payment_returned"))).toEqual(["refund.created"]);
  });

  it("is disputed, with an event when the dispute opens and none when it closes", async () => {
    const { id } = await ordered("wallet");
    const step = (kind: string) => () =>
      env.DB.prepare(
        `INSERT INTO order_history (order_id, at, kind, "from", "to", amount, actor) VALUES (?, 1, ?, 'processing', 'processing', 500, 'stripe')`,
      )
        .bind(id, kind)
        .run();
    expect(await written(step("dispute_opened"))).toMatchObject([{ type: "order.disputed", data: { order_id: id } }]);
    expect(await typesOf(step("dispute_closed"))).toEqual([]);
  });
});

describe("a product", () => {
  const product = {
    name: "Mug",
    sku: "MUG-1",
    type: "physical",
    price: 12.5,
    status: "active",
    stock_quantity: LOW_STOCK + 2,
  };

  it("is created, updated and deleted; stock taken by orders is not an update", async () => {
    let id = 0;
    const made = await written(async () => {
      id = (await post("/products", product)).body.data.id;
    });
    expect(made).toMatchObject([
      {
        type: "product.created",
        subject: `product:${id}`,
        data: { product_id: id, sku: "MUG-1", name: "Mug", price: 12.5 },
      },
    ]);
    expect(await typesOf(() => put(`/products/${id}`, { price: 13 }))).toEqual(["product.updated"]);
    const buyer = await aUser({ wallet: 100_000 });
    const body = { ...orderOf({ id, price: 1300 }) };
    expect(await typesOf(() => call("POST /orders", { as: buyer.token, body }))).toEqual([
      "order.created",
      "order.paid",
    ]);
    const unsold = (await post("/products", { ...product, sku: "MUG-2" })).body.data.id;
    expect(await typesOf(() => call(`DELETE /admin/products/${unsold}`, { as: admin.token }))).toEqual([
      "product.deleted",
    ]);
  });

  it("runs low once, runs out and comes back", async () => {
    const { id, price } = await aProduct({ stock: LOW_STOCK + 1 });
    const buyer = await aUser({ wallet: 1_000_000 });
    const buy = (quantity: number) => () =>
      call("POST /orders", { as: buyer.token, body: orderOf({ id, price }, quantity), headers: onPurpose() });
    const ofStock = async (doing: () => Promise<unknown>) =>
      (await written(doing))
        .filter(({ type }) => type.startsWith("product."))
        .map(({ type, data }) => ({ type, left: "stock_quantity" in data && data.stock_quantity }));
    expect(await ofStock(buy(1))).toEqual([{ type: "product.stock_low", left: LOW_STOCK }]);
    expect(await ofStock(buy(1))).toEqual([]);
    expect(await ofStock(buy(LOW_STOCK - 1))).toEqual([{ type: "product.sold_out", left: 0 }]);
    const restock = () => post(`/products/${id}/stock`, { delta: 1, reason: "A delivery" });
    expect((await ofStock(restock)).map(({ type }) => type)).toEqual(["product.back_in_stock"]);
    const low = (low_stock_threshold: number) => () =>
      call(`PUT /admin/products/${id}`, { as: admin.token, body: { low_stock_threshold } });
    expect(await ofStock(low(0))).toEqual([{ type: "product.updated", left: 1 }]);
    expect((await ofStock(low(1))).map(({ type }) => type).toSorted()).toEqual([
      "product.stock_low",
      "product.updated",
    ]);
    expect((await ofStock(low(2))).map(({ type }) => type)).toEqual(["product.updated"]);
  });
});

describe("stock", () => {
  const buyer = shared(() => aUser({ wallet: 10_000_000 }));
  const buy = async (product: Awaited<ReturnType<typeof aProduct>>, quantity = 1) =>
    (await call("POST /orders", { as: (await buyer()).token, body: orderOf(product, quantity), headers: onPurpose() }))
      .body.data;
  let minutes = 0;
  const published = async () =>
    (await written(() => publishStockChanges(db, Date.now() + ++minutes))).map(({ subject, data }) => [
      subject,
      "stock_quantity" in data && data.stock_quantity,
    ]);

  it("that orders and adjustments changed is published by the schedule, once for each product", async () => {
    await published();
    const [sold, counted, other] = [
      await aProduct({ stock: 10 }),
      await aProduct({ stock: 10 }),
      await aProduct({ stock: 10 }),
    ];
    expect((await typesOf(() => buy(sold, 2))).filter((type) => type === "stock.changed")).toEqual([]);
    await buy(sold);
    await post(`/products/${counted.id}/stock`, { quantity: 4, reason: "Counted" });
    expect(await published()).toEqual([
      [`product:${sold.id}`, 7],
      [`product:${counted.id}`, 4],
    ]);
    expect(await published()).toEqual([]);
    const { id } = await buy(other);
    expect(await published()).toEqual([[`product:${other.id}`, 9]]);
    await put(`/orders/${id}`, { status: "cancelled" });
    expect(await published()).toEqual([[`product:${other.id}`, 10]]);
    await put(`/products/${other.id}`, { name: "Renamed" });
    expect(await published()).toEqual([]);
  });

  it("that changed back and forth has no event, and an order that only moves on has none either", async () => {
    const product = await aProduct({ stock: 10 });
    const { id } = await buy(product);
    await published();
    await post(`/products/${product.id}/stock`, { delta: 1, reason: "Found" });
    await post(`/products/${product.id}/stock`, { delta: -1, reason: "Lost" });
    await put(`/orders/${id}`, { status: "shipped", shipment: { carrier: "Royal Mail" } });
    expect(await published()).toEqual([]);
  });

  it("that begins or ceases to be managed is published at once", async () => {
    const { id } = await aProduct({ stock: 10 });
    const changes = async (body: object) =>
      (await written(() => put(`/products/${id}`, body))).filter(({ type }) => type === "stock.changed");
    expect(await changes({ manage_stock: false })).toMatchObject([{ data: { product_id: id, stock_quantity: null } }]);
    expect(await changes({ manage_stock: true, stock_quantity: 5 })).toMatchObject([{ data: { stock_quantity: 5 } }]);
  });
});

describe("a package", () => {
  it("is granted, exhausted by its last download, and revoked", async () => {
    const user = await aUser();
    const file = await aFile({ access: "package" });
    let id = 0;
    const granted = await written(async () => {
      const grant = { user_id: user.id, name: "For Ada", file_ids: [file.id], download_limit: 2 };
      id = (await post("/packages", grant)).body.data.id;
    });
    expect(granted).toMatchObject([
      { type: "package.granted", data: { package_id: id, user_id: user.id, download_limit: 2 } },
    ]);
    expect(JSON.stringify(granted)).not.toContain("Ada");
    const download = () => call(`GET /download-file?file_id=${file.id}`, { as: user.token });
    expect(await typesOf(download)).toEqual([]);
    expect(await typesOf(download)).toEqual(["package.exhausted"]);
    const revoke = () => db.update(packages).set({ revokedAt: Date.now() }).where(eq(packages.id, id)).run();
    expect(await typesOf(revoke)).toEqual(["package.revoked"]);
    expect(await typesOf(revoke)).toEqual([]);
  });
});

describe("a license key", () => {
  it("is created with its paid order and revoked, and its events do not contain it", async () => {
    const [user, product] = [
      await aUser({ wallet: 5000 }),
      await aProduct({ type: "digital", stock: null, license: LICENSE }),
    ];
    const all = await written(() => call("POST /orders", { as: user.token, body: orderOf(product) }));
    const made = all.filter(({ type }) => type === "license_key.created");
    expect(made).toMatchObject([
      { data: { product_id: product.id, user_id: user.id, activation_limit: 2, test: false } },
    ]);
    const [{ id, key }] = (await call("GET /account/license-keys", { as: user.token })).body.data;
    expect(JSON.stringify(made)).not.toContain(key.slice(-4));
    const revoke = () => db.update(licenseKeys).set({ revokedAt: Date.now() }).where(eq(licenseKeys.id, id)).run();
    expect(await typesOf(revoke)).toEqual(["license_key.revoked"]);
    expect(await typesOf(revoke)).toEqual([]);
  });
});

describe("a gift card", () => {
  it("is created with its paid order, and its event does not contain the code", async () => {
    const [user, product] = [await aUser({ wallet: 5000 }), await aGiftCardProduct(2000)];
    const all = await written(() => call("POST /orders", { as: user.token, body: orderOf(product) }));
    const made = all.filter(({ type }) => type === "gift_card.created");
    expect(made).toMatchObject([{ data: { value: 20, test: false } }]);
    const [{ code }] = (await call("GET /account/gift-cards", { as: user.token })).body.data;
    expect(JSON.stringify(made)).not.toContain(code.slice(-4));
  });
});

it("has events of a subscription that begins, is near its renewal, fails to renew, is cancelled and ends", async () => {
  const user = await aUser({ wallet: 5000 });
  const { body } = await call("POST /orders", { as: user.token, body: orderOf(await aProduct()) });
  const orderId = Number(body.data.id);
  const at = Date.now();
  const times = { currentPeriodEnd: at, readAt: at, createdAt: at, updatedAt: at };
  const row = { reference: "sub_told", customer: "cus_told", orderId, ...times };
  const { id } = await db.insert(subscriptions).values(row).returning().get();
  const period = { invoice: "in_told", subscriptionId: id, orderId, accessUntil: at, createdAt: at };
  const begun = await written(() => db.insert(subscriptionPeriods).values(period));
  const iso = new Date(at).toISOString();
  const data = { subscription_id: id, order_id: orderId, user_id: user.id, current_period_end: iso, access_until: iso };
  expect(begun).toMatchObject([{ type: "subscription.created", subject: `subscription:${id}`, data }]);
  const change = (columns: Partial<typeof subscriptions.$inferInsert>) =>
    typesOf(() => db.update(subscriptions).set(columns).where(eq(subscriptions.id, id)));
  for (const [columns, type] of [
    [{ remindedFor: at }, "renewing"],
    [{ pastDue: true }, "payment_failed"],
    [{ cancelsAt: at }, "updated"],
    [{ endedAt: at }, "cancelled"],
  ] as const) {
    expect(await change(columns)).toEqual([`subscription.${type}`]);
    expect(await change(columns)).toEqual([]);
  }
});

describe("an account", () => {
  it("is created, updated and erased; changes of its wallet are not an update", async () => {
    let account: Awaited<ReturnType<typeof anAccount>> | undefined;
    const made = await written(async () => {
      account = await anAccount();
    });
    const [id, token] = [account?.id ?? 0, account?.token];
    expect(made.filter(({ type }) => type === "user.created")).toMatchObject([
      { subject: `user:${id}`, data: { user_id: id, role: "customer", disabled: false } },
    ]);
    expect(await typesOf(() => call("PUT /account/profile", { as: token, body: { name: "Ada" } }))).toEqual([
      "user.updated",
    ]);
    expect(await typesOf(() => post(`/users/${id}/credit`, { amount: 1, reason: "A gift" }))).toEqual([]);
    await post(`/users/${id}/credit`, { amount: -1, reason: "A mistake" });
    await call("DELETE /account", { as: token, body: { current_password: PASSWORD } });
    expect(await typesOf(() => eraseDueAccounts(env, db, Date.now() + 8 * 86_400_000))).toContain("user.deleted");
  });
});

describe("a file", () => {
  it("is created, and updated by an edit or new content", async () => {
    let id = 0;
    const make = async () => {
      id = (await call("POST /admin/files", { as: admin.token, body: aForm({ access: "public" }, { content: "1" }) }))
        .body.data.id;
    };
    expect(await written(make)).toMatchObject([
      { type: "file.created", data: { file_id: id, published: false, version: 1 } },
    ]);
    const edited = await written(() => put(`/files/${id}`, { published: true }));
    expect(edited).toMatchObject([{ type: "file.updated", data: { file_id: id, published: true } }]);
  });
});

describe("an API key", () => {
  it("is created, rotated and revoked; using it is not an event", async () => {
    let made: { id: number; key: string } = { id: 0, key: "" };
    const create = async () => {
      made = (await post("/api-keys", { name: "Shop window", permissions: ["products:read"] })).body.data;
    };
    const first = await written(create);
    expect(first).toMatchObject([{ type: "api_key.created", data: { api_key_id: made.id, name: "Shop window" } }]);
    expect(JSON.stringify(first)).not.toContain(made.key.slice(0, 12));
    expect(await typesOf(() => call("GET /products", { as: made.key }))).toEqual([]);
    expect(await typesOf(() => post(`/api-keys/${made.id}/rotate`, { grace_seconds: 60 }))).toEqual([
      "api_key.rotated",
    ]);
    expect(await typesOf(() => call(`DELETE /admin/api-keys/${made.id}`, { as: admin.token }))).toEqual([
      "api_key.revoked",
    ]);
  });

  it("that expires within a week has one event, and another for a new expiry", async () => {
    const soon = Date.now() + 6 * 86_400_000;
    const { id } = await aKey({ expiresAt: soon });
    await aKey({ expiresAt: soon + 2 * 86_400_000 });
    await aKey({ expiresAt: soon, revokedAt: Date.now() });
    const pass = () => publishExpiringKeys(db, Date.now());
    expect(await written(pass)).toMatchObject([
      { type: "api_key.expiring", subject: `api_key:${id}`, data: { expires_at: new Date(soon).toISOString() } },
    ]);
    expect(await typesOf(pass)).toEqual([]);
    await put(`/api-keys/${id}`, { expires_at: new Date(soon + 1000).toISOString() });
    expect(await typesOf(pass)).toEqual(["api_key.expiring"]);
  });

  it("that has been unused for 90 days has one event, and another after the next 90 days", async () => {
    const [now, day] = [Date.now(), 86_400_000];
    const old = { createdAt: now - 400 * day };
    const lastUsedAt = now - 91 * day;
    const { id } = await aKey({ ...old, lastUsedAt });
    await aKey({ ...old, lastUsedAt: now - 89 * day });
    // Its expiry was announced by an event that is still stored.
    await aKey({ ...old, lastUsedAt: now - 120 * day });
    await aKey({ ...old, lastUsedAt, revokedAt: now });
    await aKey({ ...old, lastUsedAt, expiresAt: now - day });
    await aKey({ createdAt: now - 89 * day });
    const pass = (days: number) => () => publishUnusedKeys(db, now + days * day);
    expect(await written(pass(0))).toMatchObject([
      { type: "api_key.unused", subject: `api_key:${id}`, data: { last_used_at: new Date(lastUsedAt).toISOString() } },
    ]);
    expect(await typesOf(pass(0))).toEqual([]);
    await db.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.id, id));
    expect([await typesOf(pass(89)), await typesOf(pass(91))]).toEqual([[], ["api_key.unused"]]);
  });
});

it("tells an app that is removed", async () => {
  const now = Date.now();
  const described = { clientId: "https://app.example/client.json", name: "Mailer", redirectUris: [] };
  const [app] = await db
    .insert(apps)
    .values({ ...described, createdAt: now, updatedAt: now })
    .returning();
  const { id } = await aKey({ appId: app?.id ?? 0 });
  const remove = () => db.update(apiKeys).set({ revokedAt: now }).where(eq(apiKeys.id, id));
  expect(await written(remove)).toContainEqual(
    expect.objectContaining({
      type: "app.uninstalled",
      subject: `api_key:${id}`,
      data: { client_id: described.clientId, installation_id: id },
    }),
  );
});

describe("an alert", () => {
  it("is raised, and resolved once its condition has been gone for a while", async () => {
    const { id } = await aWebhook({ types: ["file.*"] });
    await env.DB.prepare("UPDATE webhook_endpoints SET enabled = FALSE, pause_reason = 'gone' WHERE id = ?")
      .bind(id)
      .run();
    const from = Date.now() + 60 * 60_000;
    const at = (minutes: number) => everyMinute(env, from + minutes * 60_000);
    const raised = (await written(() => at(0))).filter(({ type }) => type === "system.alert_raised");
    expect(raised).toMatchObject([
      { subject: expect.stringMatching(/^alert:/), data: { kind: "endpoint_paused", about: `webhook:${id}` } },
    ]);
    expect(await typesOf(() => at(5))).toEqual([]);
    await env.DB.prepare("DELETE FROM webhook_endpoints WHERE id = ?").bind(id).run();
    expect(await typesOf(() => at(10))).toEqual([]);
    expect(await typesOf(() => at(20))).toEqual(["system.alert_resolved"]);
  });
});

it("has covered every type except the test of a webhook", () => {
  expect(eventTypeNames.filter((type) => !seen.has(type))).toEqual(["webhook.test"]);
});
