import { env } from "cloudflare:workers";
import { and, asc, desc, eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { runners } from "../../src/apps/job-steps.ts";
import { auditLog, orders, products, transactions, users } from "../../src/platform/db/schema.ts";
import { listJobs } from "../../src/platform/jobs/jobs.ts";
import { runSlice } from "../../src/platform/jobs/run-slice.ts";
import { call, callWith } from "../support/call.ts";
import { counted, QUERY_LIMIT } from "../support/counting.ts";
import { runJob } from "../support/jobs.ts";
import { anAdministrator } from "../support/panel.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aCategory, aKey, aProduct, aUser, db, orderOf, someProducts } from "../support/shop.ts";

const admin = await aUser({ role: "admin" });

const act = (what: "products" | "orders", body: object, as = admin.token, headers = {}) =>
  call(`POST /admin/${what}/bulk-actions`, { as, body, headers });

async function done(what: "products" | "orders", body: object, as = admin.token) {
  const { status, body: answer } = await act(what, body, as);
  expect(status, JSON.stringify(answer)).toBe(201);
  return answer.data;
}

async function failuresOf({ id }: { id: number }) {
  const { body } = await call(`GET /admin/jobs/${id}/failures`, { as: admin.token });
  return body.data.map(({ subject_id, code }: { subject_id: number; code: string }) => [subject_id, code]);
}

const rowsOf = (ids: number[]) =>
  db
    .select()
    .from(products)
    .where(sql`${products.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
    .orderBy(asc(products.id));

const entriesOf = (subject: "product" | "order", id: number) =>
  db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.subject, subject), eq(auditLog.subjectId, id)))
    .orderBy(desc(auditLog.id));

async function some(count: number, facts: Parameters<typeof aProduct>[0] = {}): Promise<number[]> {
  return (await someProducts(count, facts)).map(({ id }) => id);
}

describe("products", () => {
  it("change status and category at once, each with its entry in the audit log", async () => {
    const ids = await some(3);
    const category = await aCategory("Bulk goods");
    const job = await done("products", { ids, change: { status: "draft", category_id: category.id } });
    expect(job).toMatchObject({ state: "completed", total: 3, done: 3, failed: 0, can_undo: true });
    for (const row of await rowsOf(ids)) expect(row).toMatchObject({ status: "draft", categoryId: category.id });
    for (const id of ids) {
      expect((await entriesOf("product", id))[0]).toMatchObject({
        action: "product.update",
        actor: `user:${admin.id}`,
        before: { status: "active", category_id: null },
        after: { status: "draft", category_id: category.id },
      });
    }
  });

  it("get and lose tags, and an undo restores the previous ones", async () => {
    const ids = await some(2);
    await call(`PUT /admin/products/${ids[0]}`, { as: admin.token, body: { tags: ["Bulk A"] } });
    const tagsOf = async () => (await rowsOf(ids)).map(({ tags }) => tags);
    const added = await done("products", { ids, change: { add_tags: ["bulk a", "Bulk B"] } });
    expect(await tagsOf()).toEqual([
      ["Bulk A", "Bulk B"],
      ["Bulk A", "Bulk B"],
    ]);
    const { body } = await call("GET /admin/products?tag=bulk%20b", { as: admin.token });
    expect(body.pagination.total_items).toBe(2);
    const removed = await done("products", { filters: { tag: "bulk b" }, change: { remove_tags: ["BULK A"] } });
    expect(await tagsOf()).toEqual([["Bulk B"], ["Bulk B"]]);
    for (const { id } of [removed, added]) {
      const { body: undo } = await call(`POST /admin/jobs/${id}/undo`, { as: admin.token, body: {} });
      await runJob(undo.data.id);
    }
    expect(await tagsOf()).toEqual([["Bulk A"], []]);
  });

  it("change prices by a percentage, and show the previous price", async () => {
    const ids = [(await aProduct({ price: 1999 })).id, (await aProduct({ price: 1005 })).id];
    await done("products", { ids, change: { price_percent: -50, compare_at_price: "previous" } });
    expect((await rowsOf(ids)).map(({ price, compareAtPrice }) => [price, compareAtPrice])).toEqual([
      [1000, 1999],
      [503, 1005],
    ]);
  });

  it("stay unchanged if they already have the new value", async () => {
    const [id = 0] = await some(1);
    const before = await rowsOf([id]);
    expect(await done("products", { ids: [id], change: { status: "active" } })).toMatchObject({ done: 1, failed: 0 });
    expect(await rowsOf([id])).toEqual(before);
    expect(await entriesOf("product", id)).toEqual([]);
  });

  it("get their stock set and increased, and those that cannot change say why", async () => {
    const counted = await some(2, { stock: 5 });
    const [unmanaged = 0] = await some(1, { stock: null });
    const [empty = 0] = await some(1, { stock: 1 });
    const ids = [...counted, unmanaged, empty, 999_999_999];
    const job = await done("products", { ids, stock: { delta: -2, reason: "Water damage" } });
    expect(job).toMatchObject({ state: "completed", total: 5, done: 2, failed: 3, can_undo: false });
    expect((await failuresOf(job)).toSorted()).toEqual(
      [
        [unmanaged, "stock_not_managed"],
        [empty, "negative_stock"],
        [999_999_999, "not_found"],
      ].toSorted(),
    );
    expect((await rowsOf([...counted, empty])).map(({ stockQuantity }) => stockQuantity)).toEqual([3, 3, 1]);
    await done("products", { ids: counted, stock: { quantity: 40, reason: "Counted" } });
    expect((await rowsOf(counted)).map(({ stockQuantity }) => stockQuantity)).toEqual([40, 40]);
    expect((await entriesOf("product", counted[0] ?? 0))[0]).toMatchObject({ action: "product.adjust_stock" });
  });

  it("get their previous values back, except those edited since", async () => {
    const ids = await some(3, { price: 1000 });
    const job = await done("products", { ids, change: { status: "draft", price_percent: 10 } });
    const [edited = 0, renamed = 0] = ids;
    await call(`PUT /admin/products/${edited}`, { as: admin.token, body: { price: 5 } });
    await call(`PUT /admin/products/${renamed}`, { as: admin.token, body: { name: "Renamed" } });
    const undo = await call(`POST /admin/jobs/${job.id}/undo`, { as: admin.token, body: {} });
    expect(undo.status).toBe(201);
    while (await runSlice(env, runners, undo.body.data.id));
    expect((await rowsOf(ids)).map(({ status, price }) => [status, price])).toEqual([
      ["draft", 500],
      ["active", 1000],
      ["active", 1000],
    ]);
    expect(await failuresOf(undo.body.data)).toEqual([[edited, "changed_meanwhile"]]);
  });

  it("are counted by an undo only if the job changed them", async () => {
    const ids = [...(await some(2)), ...(await some(1, { status: "draft" }))];
    const job = await done("products", { ids, change: { status: "draft" } });
    expect(job).toMatchObject({ total: 3, done: 3 });
    const { body: undo } = await call(`POST /admin/jobs/${job.id}/undo`, { as: admin.token, body: {} });
    await runJob(undo.data.id);
    const { body: undone } = await call(`GET /admin/jobs/${undo.data.id}`, { as: admin.token });
    expect(undone.data).toMatchObject({ state: "completed", total: 2, done: 2, failed: 0 });
  });

  it("change the prices of all variants with their product, and nothing else about them", async () => {
    const options = [{ name: "Size", values: ["S", "M"] }];
    const shirt = { name: "Bulk shirt", sku: "BULK-SHIRT", type: "physical", status: "active", price: 20, options };
    const { body: made } = await call("POST /admin/products", { as: admin.token, body: shirt });
    const path = `/admin/products/${made.data.id}`;
    const generated = { generate: true, price: 20, stock_quantity: 5 };
    const { body } = await call(`POST ${path}/variants`, { as: admin.token, body: generated });
    const [small, medium] = body.data.variants.map(({ id }: { id: number }) => id);
    const read = async () => (await call(`GET ${path}`, { as: admin.token })).body.data;
    const job = await done("products", { ids: [made.data.id], change: { price_percent: 10, status: "draft" } });
    expect(job).toMatchObject({ state: "completed", total: 3, done: 3, failed: 0 });
    expect(await read()).toMatchObject({ status: "draft", variants: [{ price: 22, status: "active" }, { price: 22 }] });
    const { body: undone } = await call(`POST /admin/jobs/${job.id}/undo`, { as: admin.token, body: {} });
    await runJob(undone.data.id);
    expect(await read()).toMatchObject({ status: "active", price: 20, variants: [{ price: 20 }, { price: 20 }] });
    await done("products", { ids: [medium, small, made.data.id], change: { status: "draft" } });
    expect(await read()).toMatchObject({ status: "draft", variants: [{ status: "draft" }, { status: "draft" }] });
    const category = await aCategory("Bulk shirts");
    const refused = await done("products", { ids: [small, made.data.id], change: { category_id: category.id } });
    expect(await failuresOf(refused)).toEqual([[small, "not_applicable"]]);
    expect(await read()).toMatchObject({ category: { name: "Bulk shirts" } });
    const stock = await done("products", { ids: [small, made.data.id], stock: { delta: 2, reason: "Found" } });
    expect(await failuresOf(stock)).toEqual([[made.data.id, "not_applicable"]]);
    expect(await read()).toMatchObject({ variants: [{ stock_quantity: 7 }, { stock_quantity: 5 }] });
  });

  it("get their previous values back after a cancelled undo, and are reported once", async () => {
    const ids = await some(60, { price: 1000 });
    const job = await done("products", { ids, change: { price_percent: 10 } });
    const undo = async () =>
      (await call(`POST /admin/jobs/${job.id}/undo`, { as: admin.token, body: {} })).body.data.id;
    const cancelled = await undo();
    await runSlice(env, runners, cancelled);
    await call(`POST /admin/jobs/${cancelled}/cancel`, { as: admin.token, body: {} });
    const again = await undo();
    while (await runSlice(env, runners, again));
    expect((await call(`GET /admin/jobs/${again}`, { as: admin.token })).body.data).toMatchObject({
      ...{ state: "completed", done: 35, failed: 0 },
    });
    expect(new Set((await rowsOf(ids)).map(({ price }) => price))).toEqual(new Set([1000]));
  });

  it("can be all products of a filtered list, and more than a hundred become a job", async () => {
    const category = await aCategory("Many goods");
    const ids = await some(102, { categoryId: category.id });
    const [other = 0] = await some(1);
    const filters = { category: category.slug, status: "active" };
    const job = await done("products", { filters, change: { status: "draft" } });
    expect(job).toMatchObject({ total: 102 });
    while (await runSlice(env, runners, job.id));
    expect((await call(`GET /admin/jobs/${job.id}`, { as: admin.token })).body.data).toMatchObject({ done: 102 });
    expect(new Set((await rowsOf(ids)).map(({ status }) => status))).toEqual(new Set(["draft"]));
    expect((await rowsOf([other]))[0]?.status).toBe("active");
    expectRefusal(await act("products", { filters, change: { status: "draft" } }), 400, "filters");
  });

  it.each([
    ["ids", { change: { status: "draft" } }],
    ["ids", { ids: [1], filters: {}, change: { status: "draft" } }],
    ["ids", { ids: [], change: { status: "draft" } }],
    ["filters.status", { filters: { status: "gone" }, change: { status: "draft" } }],
    // Pages and `updated_since` select only part of a list, so "all matching products" would be misleading.
    ["filters", { filters: { page: "2", per_page: "5" }, change: { status: "draft" } }],
    ["filters", { filters: { updated_since: "2030-01-01T00:00:00Z" }, change: { status: "draft" } }],
    ["filters.category", { filters: { category: "no-such" }, change: { status: "draft" } }],
    ["filters.__proto__", { filters: { ["__proto__"]: "draft" }, change: { status: "draft" } }],
    ["change", { ids: [1] }],
    ["change", { ids: [1], change: {} }],
    ["change", { ids: [1], change: { status: "draft" }, stock: { delta: 1, reason: "x" } }],
    ["change.price_percent", { ids: [1], change: { price_percent: -100.5 } }],
    ["change.price_percent", { ids: [1], change: { price_percent: 0 } }],
    ["change.compare_at_price", { ids: [1], change: { compare_at_price: "none" } }],
    ["change.category_id", { ids: [1], change: { category_id: 999_999 } }],
    ["stock.delta", { ids: [1], stock: { reason: "x" } }],
  ])("refuse a wrong %s", async (field, body) => {
    expectRefusal(await act("products", body), 400, field);
  });

  it("that the database refuses individually are left to the workflow, and all of them say why", async () => {
    const ids = await some(40, { stock: 0 });
    const { bindings, trips, work } = counted();
    const stock = { delta: -1, reason: "Counted" };
    const { status, body } = await callWith(bindings, "POST /admin/products/bulk-actions", {
      as: admin.token,
      body: { ids, stock },
    });
    expect([status, body.data.state]).toEqual([201, "running"]);
    expect(trips.d1).toBeLessThan(200);
    expect(work.statements).toBeLessThanOrEqual(QUERY_LIMIT);
    await runJob(body.data.id);
    const { total, failed, state } = (await call(`GET /admin/jobs/${body.data.id}`, { as: admin.token })).body.data;
    expect({ total, failed, state }).toEqual({ total: 40, failed: 40, state: "completed" });
    expect(new Set((await failuresOf(body.data)).map(([, code]: [number, string]) => code))).toEqual(
      new Set(["negative_stock"]),
    );
    const { rows } = await listJobs(db, { page: 1, per_page: 5 }, ["adjust_stock"]);
    expect(rows[0]).toMatchObject({ id: body.data.id, total: 40 });
    expect(rows[0]?.parameters).not.toHaveProperty("ids");
  });

  it("change once, however often the action is requested", async () => {
    const ids = await some(1, { price: 1000 });
    const key = { "Idempotency-Key": "bulk-once" };
    const body = { ids, change: { price_percent: 10 } };
    const [first, again] = [
      await act("products", body, admin.token, key),
      await act("products", body, admin.token, key),
    ];
    expect(again.body.data).toEqual(first.body.data);
    expect((await rowsOf(ids))[0]?.price).toBe(1100);
  });
});

async function ordered(facts: Record<string, unknown> = {}, price = 1000) {
  const buyer = await aUser({ wallet: 100_000 });
  const product = await aProduct({ price });
  return (await call("POST /orders", { as: buyer.token, body: orderOf(product, 1, facts) })).body.data.id;
}

const byCard = { payment_method: "paypal" };
const statusOf = async (id: number) => (await db.select().from(orders).where(eq(orders.id, id)).get())?.status;

describe("orders", () => {
  it("are shipped as they would be one by one, and those that cannot be shipped say why", async () => {
    const [paid, unpaid] = [await ordered(), await ordered(byCard)];
    const change = { status: "shipped", shipment: { carrier: "Royal Mail" } };
    const job = await done("orders", { ids: [paid, unpaid], change });
    expect(job).toMatchObject({ state: "completed", done: 1, failed: 1, can_undo: false });
    expect(await failuresOf(job)).toEqual([[unpaid, "move_not_allowed"]]);
    expect([await statusOf(paid), await statusOf(unpaid)]).toEqual(["shipped", "pending"]);
    expect((await entriesOf("order", paid))[0]).toMatchObject({ action: "order.ship" });
    const { body } = await call(`GET /admin/orders/${paid}`, { as: admin.token });
    expect(JSON.stringify(body.data)).toContain("Royal Mail");
  });

  it("are marked as paid once, each with its row in the ledger", async () => {
    const ids = [await ordered(byCard), await ordered(byCard)];
    await done("orders", { ids, change: { payment_status: "paid" } });
    const again = await done("orders", { ids, change: { payment_status: "paid" } });
    expect(await failuresOf(again)).toEqual(ids.map((id) => [id, "already_paid"]));
    for (const id of ids) {
      expect(await statusOf(id)).toBe("processing");
      expect(await db.select().from(transactions).where(eq(transactions.orderId, id))).toHaveLength(1);
    }
  });

  it("move no more money than the caller may", async () => {
    const support = await aUser({ role: "support" });
    const ids = [await ordered(byCard, 15_000), await ordered(byCard, 15_000)];
    const job = await done("orders", { ids, change: { payment_status: "paid" } }, support.token);
    expect(job).toMatchObject({ done: 1, failed: 1 });
    expect(await failuresOf(job)).toEqual([[ids[1], "spending_limit"]]);
    expect(await Promise.all(ids.map(statusOf))).toEqual(["processing", "pending"]);
  });

  it("require payments:write where money moves, and visible orders", async () => {
    const [unpaid, paid] = [await ordered(byCard), await ordered()];
    const { key } = await aKey({ permissions: ["orders:write"] });
    const refused = await act("orders", { ids: [unpaid], change: { payment_status: "paid" } }, key);
    expectRefusal(refused, 403, "authorization");
    const staff = await db.select({ id: orders.userId }).from(orders).where(eq(orders.id, paid)).get();
    await db
      .update(users)
      .set({ role: "viewer", emailVerifiedAt: 1 })
      .where(eq(users.id, staff?.id ?? 0));
    const job = await done(
      "orders",
      { ids: [paid], change: { status: "shipped", shipment: { carrier: "Post" } } },
      key,
    );
    expect(await failuresOf(job)).toEqual([[paid, "not_found"]]);
  });

  it.each([
    ["change", { ids: [1] }],
    ["change.status", { ids: [1], change: {} }],
    ["change.status", { ids: [1], change: { status: "cancelled" } }],
    ["change.shipment", { ids: [1], change: { status: "shipped" } }],
    ["change.shipment", { ids: [1], change: { payment_status: "paid", shipment: { carrier: "Post" } } }],
    ["filters", { filters: { after_id: "5" }, change: { payment_status: "paid" } }],
    ["filters.status", { filters: { status: "lost" }, change: { payment_status: "paid" } }],
  ])("refuse a wrong %s", async (field, body) => {
    expectRefusal(await act("orders", body), 400, field);
  });
});

describe("in the panel, without script", () => {
  it("selected products become drafts, and the list confirms it", async () => {
    const ids = await some(2);
    const { get, post } = await anAdministrator();
    const { html } = await get("/admin/products");
    expect(html).toContain(`name="ids" value="${ids[0]}"`);
    const answer = await post("/admin/products/bulk", {
      ids: ids.map(String),
      action: "draft",
      filters: "status=active",
    });
    expect(answer.location).toBe("/admin/products?status=active");
    expect((await get(String(answer.location))).html).toContain("Updated 2 products");
    expect((await rowsOf(ids)).map(({ status }) => status)).toEqual(["draft", "draft"]);
  });

  it("a wrong value is asked for again, with the selection kept", async () => {
    const [id = 0] = await some(1, { price: 1000 });
    const { post } = await anAdministrator();
    const form = { ids: [String(id)], action: "price", "change.price_percent": "a tenth" };
    const { status, html } = await post("/admin/products/bulk", form);
    expect(status).toBe(400);
    expect(html).toContain(`name="ids" value="${id}"`);
    const mended = await post("/admin/products/bulk", { ...form, "change.price_percent": "-10 %" });
    expect(mended.location).toBe("/admin/products");
    expect((await rowsOf([id]))[0]?.price).toBe(900);
  });

  it("orders that failed link to their job, which says why", async () => {
    const unpaid = await ordered(byCard);
    const { get, post } = await anAdministrator();
    const form = { ids: [String(unpaid)], action: "ship", carrier: "Royal Mail" };
    const { location } = await post("/admin/orders/bulk", form);
    expect(location).toMatch(/^\/admin\/jobs\/\d+$/);
    expect((await get(String(location))).html).toContain("cannot become shipped");
    expect((await post("/admin/orders/bulk", { ids: ["3", "5"], action: "packing-slips" })).location).toBe(
      "/admin/orders/packing-slips?ids=3,5",
    );
    const { number } = (await call(`GET /admin/orders/${unpaid}`, { as: admin.token })).body.data;
    const all = { all: "true", ids: ["3"], action: "packing-slips" };
    expect(
      (await post("/admin/orders/bulk", { ...all, filters: `search=${encodeURIComponent(number)}` })).location,
    ).toBe(`/admin/orders/packing-slips?ids=${unpaid}`);
    expect((await post("/admin/orders/bulk", { ...all, filters: "search=unheard" })).html).toContain("match nothing");
  });

  it("read-only staff see no checkboxes", async () => {
    await some(1);
    const { get } = await anAdministrator({ role: "viewer" });
    expect((await get("/admin/products")).html).not.toContain('name="ids"');
  });
});
