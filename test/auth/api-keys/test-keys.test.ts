import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import document from "../../../public/openapi.json";
import { addUpAllSales } from "../../../src/back-office/sales/add-up.ts";
import { permissions } from "../../../src/platform/auth/roles.ts";
import * as tables from "../../../src/platform/db/schema.ts";
import { writeEventEmails } from "../../../src/platform/email/follow.ts";
import { everyMinute } from "../../../src/scheduled.ts";
import { askTestPage } from "../../payments/support/test-card.ts";
import { call } from "../../support/call.ts";
import { aDiscount } from "../../support/pricing.ts";
import { aFile, aKey, aProduct, aUser, db, orderOf } from "../../support/shop.ts";

const aTestKey = (columns = {}) => aKey({ test: true, permissions, ...columns });

const place = (as: string, product: { id: number; price: number }, quantity = 1, differs = {}) =>
  call("POST /orders", { as, body: { ...orderOf(product, quantity), payment_method: "test_card", ...differs } });

const stockOf = async ({ id }: { id: number }) =>
  (await db.select().from(tables.products).where(eq(tables.products.id, id)).get())?.stockQuantity;

/** All records that belong to buyers or the shop. */
const real = async () => {
  const of = (statement: string) =>
    env.DB.prepare(statement)
      .all()
      .then(({ results }) => results);
  return {
    money: await of("SELECT user_id, method, sum(amount) FROM transactions WHERE method <> 'test_card' GROUP BY 1, 2"),
    wallets: await of("SELECT id, wallet_balance, order_count, spent FROM users"),
    stock: await of("SELECT id, stock_quantity FROM products"),
    allocations: await of("SELECT * FROM stock_allocations"),
    sales: await of("SELECT * FROM sales"),
    orders: await of("SELECT * FROM orders WHERE NOT sandbox"),
    packages: await of("SELECT * FROM packages"),
    redemptions: await of("SELECT * FROM discount_redemptions"),
    emails: await of("SELECT * FROM emails"),
    refunds: await of("SELECT * FROM refunds"),
    next: await of("SELECT * FROM next_order_number"),
  };
};

describe("a test key", () => {
  it("is created as one, stays one, and says so", async () => {
    const { token } = await aUser({ role: "admin" });
    const body = { name: "Try it", permissions: ["products:read"], test: true };
    const { data } = (await call("POST /admin/api-keys", { as: token, body })).body;
    expect([data.key.slice(0, 9), data.test]).toEqual(["sfk_test_", true]);
    expect(data.key.startsWith(data.start)).toBe(true);
    expect((await call("GET /products", { as: data.key })).status).toBe(200);
    const change = await call(`PUT /admin/api-keys/${data.id}`, { as: token, body: { test: false } });
    expect([change.status, change.body.details[0].field]).toEqual([400, "test"]);
    const rotated = (await call(`POST /admin/api-keys/${data.id}/rotate`, { as: token, body: {} })).body.data;
    expect([rotated.key.slice(0, 9), rotated.start, rotated.test]).toEqual(["sfk_test_", data.start, true]);
    const flip = db.update(tables.apiKeys).set({ test: false }).where(eq(tables.apiKeys.id, data.id));
    await expect(flip).rejects.toMatchObject({ cause: { message: expect.stringContaining("api_key_mode_is_final") } });
  });

  it("writes only carts, quotes and orders, whatever its permissions", async () => {
    const product = await aProduct({ stock: 5 });
    const user = await aUser({ wallet: 5_000 });
    const bought = await call("POST /orders", {
      as: user.token,
      body: { ...orderOf(product, 1), payment_method: "wallet" },
    });
    expect(bought.status).toBe(201);
    const before = await real();
    const admitted: string[] = [];
    let key = "";
    let asked = 0;
    for (const [path, methods] of Object.entries(document.paths).filter(
      ([path]) => !path.includes("/webhooks/{provider}"),
    )) {
      for (const method of Object.keys(methods).filter((name) => name !== "get")) {
        if (asked++ % 15 === 0) key = (await aTestKey()).key;
        const at = path.replace("{orderId}", String(bought.body.data.id)).replace(/\{\w+\}/g, "1");
        const { status, body } = await call(`${method.toUpperCase()} https://shop.test${at}`, { as: key, body: {} });
        if (status !== 403 && status !== 401) admitted.push(`${method.toUpperCase()} ${path}`);
        else
          expect(["live_key_required", "administrators_only", "staff_only", "user_token_required"]).toContain(
            body.code,
          );
      }
    }
    expect(admitted.toSorted()).toEqual([
      "DELETE /api/v1/user/cart",
      "DELETE /api/v1/user/cart/items/{id}",
      "POST /api/v1/admin/orders/{id}/refunds",
      "POST /api/v1/admin/orders/{id}/shipments",
      "POST /api/v1/user/account/orders/{orderId}/cancel",
      "POST /api/v1/user/account/orders/{orderId}/returns",
      "POST /api/v1/user/cart",
      "POST /api/v1/user/checkout/quote",
      "POST /api/v1/user/orders",
      "PUT /api/v1/admin/orders/{id}",
      "PUT /api/v1/admin/orders/{id}/shipments/{shipment}",
      "PUT /api/v1/user/cart/items/{id}",
    ]);
    expect(await real()).toEqual(before);
  }, 60_000);

  it("places a paid order that touches nothing real, where test payments are off", async () => {
    const product = await aProduct({ stock: 3, price: 2_000 });
    const discount = await aDiscount({ code: "TRIAL", maxUses: 1 });
    const { key } = await aTestKey();
    await addUpAllSales(db, Date.now());
    const before = await real();
    const customer = { email: "buyer@shop.example", name: "Real Buyer" };
    const { status, body } = await place(key, product, 2, { customer, discount_codes: [discount.code] });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ test: true, number: expect.stringMatching(/^TEST-\d+$/), status: "pending" });
    await askTestPage(body.data.payment.next_action.url, "succeed", {});
    const { data } = (await call(`GET /account/orders/${body.data.id}`, { as: key })).body;
    expect(data).toMatchObject({ payment_status: "paid", test: true });
    const again = await place(key, product, 1, { customer });
    expect((await call(`POST /account/orders/${again.body.data.id}/cancel`, { as: key, body: {} })).status).toBe(200);
    await writeEventEmails(env);
    await addUpAllSales(db, Date.now());
    await everyMinute(env, Date.now() + 60 * 60_000);
    expect(await real()).toEqual(before);
    expect(await stockOf(product)).toBe(3);
    const told = await db
      .select()
      .from(tables.events)
      .where(eq(tables.events.subject, `order:${body.data.id}`));
    expect(told.map(({ type }) => type)).toContain("order.paid");
    expect(told.every(({ data }) => data.test === true)).toBe(true);
  });

  it("ships and refunds its own orders, which touches nothing real, and finds no other", async () => {
    const product = await aProduct({ stock: 3, price: 2_000 });
    const [{ key }, other, live] = [await aTestKey(), await aTestKey(), await aKey({ permissions })];
    const sold = { ...orderOf(product, 1), payment_method: "bank_transfer" };
    const { id: real_id } = (await call("POST /orders", { as: live.key, body: sold })).body.data;
    const { id, payment } = (await place(key, product, 2)).body.data;
    await askTestPage(payment.next_action.url, "succeed", {});
    await addUpAllSales(db, Date.now());
    const { refunds: _, ...before } = await real();
    const ship = (as: string, which: number) =>
      call(`POST /admin/orders/${which}/shipments`, { as, body: { carrier: "DHL" } });
    const refund = (as: string, which: number) => call(`POST /admin/orders/${which}/refunds`, { as, body: {} });
    for (const write of [ship, refund])
      expect([(await write(key, real_id)).status, (await write(other.key, id)).status]).toEqual([404, 404]);
    const shipped = await ship(key, id);
    expect(shipped.body.data).toMatchObject({ fulfillment_status: "fulfilled", test: true });
    const [{ id: parcel }] = shipped.body.data.shipments;
    const correct = (as: string) =>
      call(`PUT /admin/orders/${id}/shipments/${parcel}`, { as, body: { carrier: "UPS" } });
    expect([(await correct(other.key)).status, (await correct(key)).status]).toEqual([404, 200]);
    expect((await refund(key, id)).body.data).toMatchObject({ payment_status: "refunded" });
    await writeEventEmails(env);
    await addUpAllSales(db, Date.now());
    await everyMinute(env, Date.now() + 60 * 60_000);
    const { refunds: __, ...after } = await real();
    expect(after).toEqual(before);
    const { body: events } = await call(`GET /admin/events?subject=order:${id}&per_page=100`, { as: key });
    const types = events.data.map(({ type }: { type: string }) => type);
    expect(types).toEqual(expect.arrayContaining(["order.paid", "order.shipped"]));
  });

  it("moves its own orders through their life, expiry included, and no live order", async () => {
    const product = await aProduct({ stock: 3, price: 2_000 });
    const [{ key }, live] = [await aTestKey(), await aKey({ permissions })];
    const sold = { ...orderOf(product, 1), payment_method: "bank_transfer" };
    const { id: real_id } = (await call("POST /orders", { as: live.key, body: sold })).body.data;
    const { refunds: _, ...before } = await real();
    const put = (as: string, id: number, body: object) => call(`PUT /admin/orders/${id}`, { as, body });
    expect((await put(live.key, real_id, { status: "expired" })).body).toMatchObject({
      code: "move_not_allowed",
      details: [{ field: "status", code: "move_not_allowed", allowed: ["processing", "completed", "cancelled"] }],
    });
    expect((await put(key, real_id, { status: "expired" })).status).toBe(404);
    const { id } = (await place(key, product, 2)).body.data;
    const steps: [object, object][] = [
      [{ status: "expired" }, { status: "expired", payment_status: "unpaid" }],
      [{ payment_status: "paid" }, { status: "processing", payment_status: "paid" }],
      [{ status: "shipped", shipment: { carrier: "DHL" } }, { status: "shipped" }],
      [{ status: "completed" }, { status: "completed" }],
      [{ status: "refunded" }, { status: "refunded", payment_status: "refunded" }],
    ];
    for (const [body, becomes] of steps) expect((await put(key, id, body)).body.data).toMatchObject(becomes);
    expect((await put(key, id, { status: "expired" })).status).toBe(409);
    await writeEventEmails(env);
    await addUpAllSales(db, Date.now());
    await everyMinute(env, Date.now() + 60 * 60_000);
    const { refunds: __, ...after } = await real();
    expect(after).toEqual(before);
    const { body: events } = await call(`GET /admin/events?subject=order:${id}&per_page=100`, { as: key });
    const types = events.data.map(({ type }: { type: string }) => type);
    expect(types).toEqual(expect.arrayContaining(["order.expired", "order.paid", "order.shipped", "order.completed"]));
  });

  it("places orders that a list can name or leave out", async () => {
    const [live, test, product] = [await aKey({ permissions: ["orders:read"] }), await aTestKey(), await aProduct()];
    const buyer = await aUser({ wallet: 10_000 });
    const own = await call("POST /orders", { as: buyer.token, body: orderOf(product) });
    const tried = await place(test.key, product);
    const listed = async (query: string) =>
      (await call(`GET /admin/orders?${query}`, { as: live.key })).body.data.map(({ id }: { id: number }) => id);
    const [id, testId] = [own.body.data.id, tried.body.data.id];
    for (const more of ["", "&after_id=0", `&updated_since=${own.body.data.updated_at}`]) {
      expect(await listed(`test=true&per_page=100${more}`)).toEqual(expect.not.arrayContaining([id]));
      expect(await listed(`test=false&per_page=100${more}`)).toEqual(expect.not.arrayContaining([testId]));
    }
    expect(await listed("test=true&per_page=100")).toContain(testId);
    expect(await listed("test=false&per_page=100")).toContain(id);
  });

  it("reads events of test orders alone, or those of all others", async () => {
    const [test, product] = [await aTestKey(), await aProduct()];
    const buyer = await aUser({ wallet: 10_000 });
    const { headers } = await call("GET /admin/events", { as: test.key });
    const [, after] = /[?&]after_id=(\d+)>; rel="last"/.exec(headers.get("Link") ?? "") ?? expect.unreachable();
    const own = (await call("POST /orders", { as: buyer.token, body: orderOf(product) })).body.data.id;
    const tried = (await place(test.key, product)).body.data.id;
    const subjects = async (query: string) => {
      const { body } = await call(`GET /admin/events?after_id=${after}&per_page=100&${query}`, { as: test.key });
      return new Set(body.data.map(({ subject }: { subject: string }) => subject));
    };
    expect(await subjects("test=true")).toEqual(new Set([`order:${tried}`]));
    expect(await subjects("test=false")).toEqual(new Set([`order:${own}`]));
    expect(await subjects(`test=false&subject=order:${tried}`)).toEqual(new Set());
  });

  it("numbers its orders separately", async () => {
    const product = await aProduct({ stock: 9 });
    const { key } = await aTestKey();
    const { token } = await aUser({ wallet: 50_000 });
    const wallet = { ...orderOf(product, 1), payment_method: "wallet" };
    const first = (await call("POST /orders", { as: token, body: wallet })).body.data.number;
    const tests = [await place(key, product, 1), await place(key, product, 2)];
    const [one, two] = tests.map(({ body }) => Number(body.data.number.replace("TEST-", "")));
    expect(two).toBe((one ?? 0) + 1);
    const next = (await call("POST /orders", { as: token, body: { ...wallet, items: orderOf(product, 2).items } })).body
      .data.number;
    expect(Number(next.replace("#", ""))).toBe(Number(first.replace("#", "")) + 1);
  });

  it.each(["credit_card", "paypal", "bank_transfer", "invoice", "cash", "wallet"])(
    "cannot pay by %s",
    async (method) => {
      const product = await aProduct({ stock: 3 });
      const { key } = await aTestKey();
      const { status, body } = await place(key, product, 1, { payment_method: method });
      expect([status, body.code]).toEqual([400, "method_not_offered"]);
      const free = await aProduct({ stock: 3, price: 0 });
      expect((await place(key, free, 1, { payment_method: method })).status).toBe(400);
    },
  );

  it("orders files for a guest with an e-mail address, and unlocks none", async () => {
    const product = await aProduct({ type: "digital", stock: null });
    const { id } = await aFile({ access: "package" });
    await db.insert(tables.productFiles).values({ productId: product.id, fileId: id });
    const { key } = await aTestKey();
    expect((await place(key, product)).body.details).toMatchObject([{ field: "customer.email", code: "required" }]);
    const customer = { email: "test@example.test", name: "Tess" };
    expect((await place(key, product, 1, { customer })).status).toBe(201);
    expect(await db.$count(tables.packages)).toBe(0);
  });

  it("offers only the test card, which a live key does not", async () => {
    const product = await aProduct({ stock: 3 });
    const [{ key }, live] = [await aTestKey(), await aKey()];
    const ask = async (as: string) => {
      const { body } = await call("POST /checkout/quote", {
        as,
        body: { items: [{ product_id: product.id, quantity: 1 }] },
      });
      return body.data.payment_options.map(({ method }: { method: string }) => method);
    };
    expect(await ask(key)).toEqual(["test_card"]);
    expect(await ask(live.key)).not.toContain("test_card");
    expect((await place(live.key, product)).body.code).toBe("method_not_offered");
  });

  it("does not count against a buyer's limit of unpaid orders", async () => {
    const product = await aProduct({ stock: 100 });
    const [{ key }, live] = [await aTestKey(), await aKey()];
    const customer = { email: "often@shop.example", name: "Often" };
    for (let count = 1; count <= 10; count++) {
      expect(
        (
          await place(key, product, 1, {
            customer,
            expected_total: undefined,
            discount_codes: [],
            shipping_address: { ...orderOf(product, 1).shipping_address, address: `${count} Quay` },
          })
        ).status,
      ).toBe(201);
    }
    const order = { ...orderOf(product, 1), payment_method: "bank_transfer", customer };
    expect((await call("POST /orders", { as: live.key, body: order })).status).toBe(201);
  });
});

describe("the database", () => {
  it("keeps live and test orders apart", async () => {
    const product = await aProduct({ stock: 3 });
    const [{ key }, live] = [await aTestKey(), await aKey()];
    const test = (await place(key, product)).body.data;
    const order = { ...orderOf(product, 1), payment_method: "bank_transfer" };
    const sold = (await call("POST /orders", { as: live.key, body: order })).body.data;
    const rows = { api_key_id: live.id, sequence: -1_000_000, number: "TEST-1000000" };
    const copy = async (differs: object) => {
      const row = await env.DB.prepare("SELECT * FROM orders WHERE id = ?").bind(test.id).first();
      const { id: _, ...columns }: Record<string, unknown> = {
        ...row,
        reference: crypto.randomUUID(),
        keyed: 1,
        ...differs,
      };
      const names = Object.keys(columns);
      const insert = `INSERT INTO orders (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
      return env.DB.prepare(insert)
        .bind(...Object.values(columns))
        .run();
    };
    // A live key cannot place sandbox orders, and a test key can place only sandbox orders.
    await expect(copy(rows)).rejects.toThrow("FOREIGN KEY");
    await expect(copy({ sandbox: 0, sequence: 1_000_000, number: "#1000000" })).rejects.toThrow("FOREIGN KEY");
    const run = (statement: string, id: number) => env.DB.prepare(statement).bind(id).run();
    await expect(run("UPDATE orders SET sandbox = FALSE WHERE id = ?", test.id)).rejects.toThrow(
      "order_leaves_sandbox",
    );
    await expect(run("UPDATE orders SET sandbox = TRUE WHERE id = ?", sold.id)).rejects.toThrow("order_leaves_sandbox");
    await expect(run("UPDATE orders SET payment_method = 'cash' WHERE id = ?", test.id)).rejects.toThrow(
      "sandboxed_order_is_apart",
    );
    await expect(run("UPDATE orders SET api_key_id = NULL WHERE id = ?", test.id)).rejects.toThrow(
      "sandboxed_order_is_apart",
    );
  });
});
