import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { ADDRESS, aFile, aKey, aProduct, aUser, db, manyUsers, onPurpose, orderOf } from "../support/shop.ts";

const productNow = (id: number) => db.select().from(tables.products).where(eq(tables.products.id, id)).get();
const userNow = (id: number) => db.select().from(tables.users).where(eq(tables.users.id, id)).get();
const ledgerOf = (id: number) =>
  db.select().from(tables.transactions).where(eq(tables.transactions.userId, id)).orderBy(tables.transactions.id).all();

it("pays from the wallet at once and returns the whole order", async () => {
  const user = await aUser({ wallet: 10_000 });
  const product = await aProduct({ price: 1250, stock: 5 });
  const { status, body } = await call("POST /orders", { as: user.token, body: orderOf(product, 2) });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    status: "processing",
    payment_status: "paid",
    fulfillment_status: "unfulfilled",
    currency: "USD",
    subtotal: 25,
    total: 25,
    payment_method: "wallet",
    payment: { provider: "wallet", reference: null, next_action: null, paid_at: expect.any(String) },
    customer: { id: user.id, email: user.email, name: user.name },
    shipping_address: ADDRESS,
    items: [{ product_id: product.id, name: product.name, sku: product.sku, quantity: 2, unit_price: 12.5, total: 25 }],
    history: [
      { from: null, to: "pending", actor: `user:${user.id}`, note: null },
      { from: "pending", to: "processing", actor: `user:${user.id}`, note: null },
    ],
    expires_at: null,
  });
  expect(body.data.number).toMatch(/^#\d{4}$/);
  expect(body.data.reference).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  expect((await productNow(product.id))?.stockQuantity).toBe(3);
  expect((await userNow(user.id))?.walletBalance).toBe(7500);
  expect((await ledgerOf(user.id)).at(-1)).toMatchObject({ kind: "charge", amount: -2500, balanceAfter: 7500 });
});

it("sells 7 in stock to exactly 7 of 50 buyers at the same instant", async () => {
  const product = await aProduct({ stock: 7, price: 1000 });
  const buyers = await manyUsers(50, { wallet: 1500 });
  const answers = await Promise.all(
    buyers.map((buyer) => call("POST /orders", { as: buyer.token, body: orderOf(product) })),
  );
  const sold = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 400);
  expect([sold.length, refused.length]).toEqual([7, 43]);
  for (const { body } of refused) expect(body.errors["items.0.quantity"]).toEqual([`${product.name} is out of stock`]);
  expect((await productNow(product.id))?.stockQuantity).toBe(0);
  const balances = await Promise.all(buyers.map(async ({ id }) => (await userNow(id))?.walletBalance));
  expect(balances.toSorted()).toEqual([...Array(43).fill(1500), ...Array(7).fill(500)]);
  const lines = await db.select().from(tables.orderItems).where(eq(tables.orderItems.productId, product.id));
  expect(lines).toHaveLength(7);
});

it("lets a wallet pay only up to its balance, however many orders arrive at once", async () => {
  const user = await aUser({ wallet: 3500 });
  const product = await aProduct({ price: 1000 });
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      call("POST /orders", { as: user.token, body: orderOf(product), headers: onPurpose() }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect((await userNow(user.id))?.walletBalance).toBe(500);
  expect((await productNow(product.id))?.stockQuantity).toBe(97);
});

it("leaves no trace of a refused order and reports everything that was wrong with it", async () => {
  const user = await aUser({ wallet: 100 });
  const dear = await aProduct({ price: 2000, stock: 1 });
  const draft = await aProduct({ status: "draft" });
  const fine = await aProduct({ stock: 10 });
  const body = {
    items: [
      { product_id: fine.id, quantity: 1, price: 10 },
      { product_id: dear.id, quantity: 2, price: 19.99 },
      { product_id: draft.id, quantity: 1, price: 10 },
      { product_id: 999_999, quantity: 1, price: 10 },
    ],
    payment_method: "wallet",
  };
  const answer = await call("POST /orders", { as: user.token, body });
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toEqual({
    "items.1.price": [`the price of ${dear.name} is now 20.00`],
    "items.1.quantity": [`${dear.name} has only 1 left in stock`],
    "items.2.product_id": [`product ${draft.id} is not for sale`],
    "items.3.product_id": ["product 999999 is not for sale"],
    shipping_address: ["is required because the order contains items to ship"],
    payment_method: ["the wallet holds 1.00 and the order costs 70.00"],
  });
  expect((await productNow(fine.id))?.stockQuantity).toBe(10);
  expect(await ledgerOf(user.id)).toHaveLength(1);
  expect((await call("GET /account/orders", { as: user.token })).body.pagination.total_items).toBe(0);
});

it("counts all lines of a product together against its stock", async () => {
  const user = await aUser({ wallet: 10_000 });
  const product = await aProduct({ stock: 3 });
  const line = { product_id: product.id, quantity: 2, price: 10 };
  const answer = await call("POST /orders", { as: user.token, body: { ...orderOf(product), items: [line, line] } });
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toHaveProperty(["items.1.quantity"]);
  expect((await productNow(product.id))?.stockQuantity).toBe(3);
});

it("completes an order with nothing to ship, without an address, and grants a package per line item", async () => {
  const user = await aUser({ wallet: 10_000 });
  const file = await aFile({ access: "package" });
  const product = await aProduct({
    type: "digital",
    stock: null,
    fileIds: [file.id],
    downloadLimit: 3,
    downloadDays: 30,
  });
  const { body } = await call("POST /orders", {
    as: user.token,
    body: orderOf(product, 2, { shipping_address: undefined }),
  });
  expect(body.data).toMatchObject({ status: "completed", fulfillment_status: "not_required", shipping_address: null });
  const granted = await db.select().from(tables.packages).where(eq(tables.packages.userId, user.id));
  expect(granted).toHaveLength(1);
  expect(granted[0]).toMatchObject({ units: 2, downloadLimit: 6, downloadsUsed: 0, orderId: body.data.id });
  expect((granted[0]?.expiresAt ?? 0) - (granted[0]?.startsAt ?? 0)).toBe(30 * 86_400_000);
});

it("reserves the stock of a card order for half an hour and grants nothing before it is paid", async () => {
  const user = await aUser();
  const file = await aFile({ access: "package" });
  const product = await aProduct({ stock: 4, fileIds: [file.id] });
  const { status, body } = await call("POST /orders", {
    as: user.token,
    body: orderOf(product, 3, { payment_method: "credit_card" }),
  });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    status: "pending",
    payment_status: "unpaid",
    payment: { paid_at: null, next_action: null },
  });
  expect(Date.parse(body.data.expires_at) - Date.parse(body.data.created_at)).toBe(30 * 60_000);
  expect((await productNow(product.id))?.stockQuantity).toBe(1);
  expect(await db.select().from(tables.packages).where(eq(tables.packages.userId, user.id))).toEqual([]);
});

it("treats a free order as paid", async () => {
  const user = await aUser();
  const product = await aProduct({ price: 0 });
  const { body } = await call("POST /orders", {
    as: user.token,
    body: orderOf(product, 1, { payment_method: "paypal" }),
  });
  expect(body.data).toMatchObject({ status: "processing", payment_status: "paid", total: 0 });
  expect(await ledgerOf(user.id)).toEqual([]);
});

it("removes ordered items from the cart and leaves the rest", async () => {
  const user = await aUser({ wallet: 10_000 });
  const [all, some, other] = [await aProduct(), await aProduct(), await aProduct()];
  for (const [product, quantity] of [
    [all, 1],
    [some, 3],
    [other, 1],
  ] as const) {
    await call("POST /cart", { as: user.token, body: { product_id: product.id, quantity } });
  }
  const items = [all, some].map(({ id }) => ({ product_id: id, quantity: 1, price: 10 }));
  expect((await call("POST /orders", { as: user.token, body: { ...orderOf(all), items } })).status).toBe(201);
  const { body } = await call("GET /cart", { as: user.token });
  expect(body.data.items).toMatchObject([
    { product_id: some.id, quantity: 2 },
    { product_id: other.id, quantity: 1 },
  ]);
});

it("keeps an order as it was when its product changes", async () => {
  const user = await aUser({ wallet: 10_000 });
  const product = await aProduct({ name: "Before" });
  const { body } = await call("POST /orders", { as: user.token, body: orderOf(product) });
  await db.update(tables.products).set({ name: "After", price: 5 }).where(eq(tables.products.id, product.id));
  const again = await call(`GET /account/orders/${body.data.id}`, { as: user.token });
  expect(again.body.data).toEqual(body.data);
});

it("shows a caller only their own orders, newest first, and filters by status", async () => {
  const [user, stranger] = [await aUser({ wallet: 10_000 }), await aUser()];
  const product = await aProduct();
  const paid = await call("POST /orders", { as: user.token, body: orderOf(product) });
  const pending = await call("POST /orders", {
    as: user.token,
    body: orderOf(product, 1, { payment_method: "paypal" }),
  });
  const list = await call("GET /account/orders", { as: user.token });
  expect(list.body.data).toEqual([pending.body.data, paid.body.data]);
  expect(list.body.pagination).toEqual({ current_page: 1, total_pages: 1, total_items: 2, total_items_exact: true });
  const filtered = await call("GET /account/orders?status=pending&per_page=1", { as: user.token });
  expect(filtered.body.data).toEqual([pending.body.data]);
  expect((await call(`GET /account/orders/${paid.body.data.id}`, { as: stranger.token })).status).toBe(404);
  expect((await call("GET /account/orders", { as: stranger.token })).body.data).toEqual([]);
});

it("accepts a guest order from an API key, which sees only the orders placed with it", async () => {
  const [key, other] = [await aKey(), await aKey()];
  const product = await aProduct();
  const customer = { email: "Guest@Shop.test", name: "Guest" };
  const body = orderOf(product, 1, { payment_method: "credit_card", customer });
  const placed = await call("POST /orders", { as: key.key, body });
  expect(placed.status).toBe(201);
  expect(placed.body.data).toMatchObject({
    customer: { id: null, email: "guest@shop.test", name: "Guest" },
    status: "pending",
  });
  expect((await call(`GET /account/orders/${placed.body.data.id}`, { as: key.key })).body.data).toEqual(
    placed.body.data,
  );
  expect((await call(`GET /account/orders/${placed.body.data.id}`, { as: other.key })).status).toBe(404);
  const wallet = await call("POST /orders", { as: key.key, body: orderOf(product) });
  expect([wallet.status, wallet.body.errors]).toEqual([400, { payment_method: ["wallet requires a user token"] }]);
});

it("lists a user's transactions, and for a key those of its orders", async () => {
  const user = await aUser({ wallet: 5_000 });
  const product = await aProduct({ price: 1999 });
  const order = await call("POST /orders", { as: user.token, body: orderOf(product) });
  const { body } = await call("GET /account/transactions", { as: user.token });
  expect(body.data).toMatchObject([
    { order_id: order.body.data.id, kind: "charge", method: "wallet", amount: -19.99, balance_after: 30.01 },
    { order_id: null, kind: "credit", method: "wallet", amount: 50, balance_after: 50 },
  ]);
  const { key } = await aKey();
  expect((await call("GET /account/transactions", { as: key })).body.data).toEqual([]);
});

it("sells no files to a guest without an e-mail address, who could not download them", async () => {
  const { key } = await aKey();
  const product = await aProduct({ fileIds: [(await aFile({ access: "package" })).id] });
  const answer = await call("POST /orders", { as: key, body: orderOf(product, 1, { payment_method: "paypal" }) });
  expect(answer.status).toBe(400);
  expect(answer.body.errors["customer.email"]).toEqual(["is required because a guest gets downloads by e-mail"]);
});

it("grants at most 100 packages in one order", async () => {
  const user = await aUser();
  const product = await aProduct({ price: 0, type: "digital", stock: null, fileIds: [(await aFile()).id] });
  const line = { product_id: product.id, quantity: 60, price: 0 };
  const answer = await call("POST /orders", { as: user.token, body: { ...orderOf(product), items: [line, line] } });
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ["items.1.quantity"]]);
  expect((await call("POST /orders", { as: user.token, body: orderOf(product, 100) })).status).toBe(201);
  const files = await call("GET /files", { as: user.token });
  expect(files.status).toBe(200);
});
