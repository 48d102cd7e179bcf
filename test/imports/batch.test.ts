import { describe, expect, it } from "vitest";
import { findJob } from "../../src/platform/jobs/jobs.ts";
import { call, callWith } from "../support/call.ts";
import { counted, QUERY_LIMIT } from "../support/counting.ts";
import { productBySku, runJob } from "../support/jobs.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aKey, aProduct, aUser, db, orderOf, someProducts } from "../support/shop.ts";

const admin = (await aUser({ role: "admin" })).token;
const { key } = await aKey({ permissions: ["products:read_all", "products:write"], tier: "premium" });

const send = (items: object[], headers = {}, as = key) =>
  call("POST /admin/products/batch", { as, headers, body: { items } });

async function written(items: object[]) {
  const { status, body } = await send(items);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

const bySku = (sku: string) => productBySku(sku, admin);

describe("a batch", () => {
  it("creates products with their variants, and changes prices and stock by SKU or id, each item with its result", async () => {
    const counted = await aProduct({ sku: "BAT-1", stock: 5 });
    const priced = await aProduct({ sku: "BAT-2", price: 1000 });
    const option = { name: "Size", value: "M" };
    const { job_id, items, failed } = await written([
      { sku: "BAT-NEW", name: "Shirt", type: "physical", options: [{ name: "Size", values: ["S", "M"] }] },
      { sku: "BAT-NEW-M", parent_sku: "BAT-NEW", option_values: [option], price: 20, stock_quantity: 3 },
      { sku: "BAT-1", stock: { quantity: 9, reason: "Counted" } },
      { id: priced.id, price: 12, name: "Renamed" },
    ]);
    expect({ failed, items }).toMatchObject({
      failed: 0,
      items: [
        { sku: "BAT-NEW", status: "created", errors: [] },
        { sku: "BAT-NEW-M", status: "created" },
        { id: counted.id, status: "updated" },
        { id: priced.id, sku: "BAT-2", status: "updated" },
      ],
    });
    expect(await bySku("BAT-NEW-M")).toMatchObject({ price: 20, stock_quantity: 3, option_values: [option] });
    expect(await bySku("BAT-1")).toMatchObject({ stock_quantity: 9 });
    expect(await bySku("BAT-2")).toMatchObject({ price: 12, name: "Renamed" });
    const { body: stock } = await call(`GET /admin/products/${counted.id}/stock`, { as: admin });
    expect(stock.data).toMatchObject([{ delta: 4, reason: "Counted", actor: expect.stringContaining("api_key:") }]);
    const undo = await call(`POST /admin/jobs/${job_id}/undo`, { as: admin, body: {} });
    await runJob(undo.body.data.id);
    expect(await bySku("BAT-NEW")).toBeUndefined();
    expect(await bySku("BAT-2")).toMatchObject({ price: 10 });
  });

  it("writes the others when items fail, and says why each did", async () => {
    const few = await aProduct({ sku: "PART-1", stock: 2 });
    const managed = await aProduct({ sku: "PART-2", stock: 2 });
    const other = await aProduct({ sku: "PART-7" });
    const { body } = await send([
      { sku: "PART-1", stock: { delta: -3, reason: "Broken" } },
      { sku: "PART-3", name: "New", type: "physical", price: 5 },
      { id: managed.id, stock_quantity: 7 },
      { sku: "PART-4", price: 5, prize: 1 },
      { sku: "PART-5", price: 5 },
      { id: 987_654, price: 5 },
      { sku: "PART-3", price: 6 },
      { id: few.id, sku: "OTHER", price: 6 },
      { sku: "PART-6", name: "N".repeat(201), type: "physical", price: 5 },
      { id: few.id, price: "free" },
      { id: "no", sku: 7 },
      { id: other.id, parent_sku: "PART-1", price: 6 },
    ]);
    expect(body.message).toBe("11 of 12 items failed");
    const results = body.data.items.map(({ status, errors }: Record<string, [{ field: string; code: string }]>) => [
      status,
      ...(errors ?? []).map(({ field, code }) => `${field} ${code}`).sort(),
    ]);
    expect(results).toEqual([
      ["failed", "stock_quantity negative_stock"],
      ["created"],
      ["failed", "stock_quantity read_only"],
      ["failed", "prize unknown_field"],
      ["failed", "name required", "type required"],
      ["failed", "id unknown_reference"],
      ["failed", "sku repeated"],
      ["failed", "sku read_only"],
      ["failed", "name too_big"],
      ["failed", "price invalid_type"],
      ["failed", "id invalid_type", "sku invalid_type"],
      ["failed", "parent_sku read_only"],
    ]);
    const created = await bySku("PART-3");
    expect(body.data.items.map(({ id, sku }: Record<string, unknown>) => [id, sku])).toEqual([
      [few.id, "PART-1"],
      [created.id, "PART-3"],
      [managed.id, "PART-2"],
      [null, "PART-4"],
      [null, "PART-5"],
      [987_654, null],
      [created.id, "PART-3"],
      [few.id, "OTHER"],
      [null, "PART-6"],
      [few.id, "PART-1"],
      [null, null],
      [other.id, "PART-7"],
    ]);
    expect(await bySku("PART-3")).toMatchObject({ price: 5 });
    expect([await bySku("PART-4"), await bySku("PART-6")]).toEqual([undefined, undefined]);
  });

  it("counts stock beside what open orders hold", async () => {
    const product = await aProduct({ sku: "HELD-1", stock: 5, price: 100 });
    const buyer = await aUser({ wallet: 10_000 });
    await call("POST /orders", { as: buyer.token, body: orderOf(product, 2) });
    await written([{ sku: "HELD-1", stock: { quantity: 10, reason: "Counted" } }]);
    expect(await bySku("HELD-1")).toMatchObject({ stock_quantity: 8 });
  });

  it("sets the stock of new, counted and uncounted products by the same item, however often it is sent", async () => {
    await aProduct({ sku: "SAME-1", stock: 5 });
    await aProduct({ sku: "SAME-2", stock: null });
    const skus = ["SAME-1", "SAME-2", "SAME-3"];
    const item = { name: "Mug", type: "physical", price: 5, stock: { quantity: 7, reason: "Warehouse" } };
    for (const statuses of [["updated", "updated", "created"], skus.map(() => "updated")]) {
      const { items } = await written(skus.map((sku) => ({ sku, ...item })));
      expect(items.map(({ status }: { status: string }) => status)).toEqual(statuses);
      for (const sku of skus) expect(await bySku(sku)).toMatchObject({ manage_stock: true, stock_quantity: 7 });
    }
    const { items } = await written([
      { sku: "SAME-4", ...item, stock: { delta: 7, reason: "Delivery" } },
      { sku: "SAME-5", ...item, options: [{ name: "Size", values: ["S"] }] },
      { sku: "SAME-6", ...item, manage_stock: false },
    ]);
    expect(items.map(({ errors }: { errors: object[] }) => errors)).toMatchObject([
      [{ field: "stock", code: "not_applicable" }],
      [{ field: "stock", code: "not_applicable" }],
      [{ field: "stock_quantity", code: "not_applicable" }],
    ]);
  });

  it("takes null for what is not sent, except for a value that an existing product has", async () => {
    const { id } = await aProduct({ sku: "NULL-1", price: 100 });
    const item = { parent_sku: null, option_values: null, stock: null, slug: null, tags: null, brand: null };
    const { items } = await written([
      { id: null, sku: "NULL-2", name: "New", type: "physical", price: 5, ...item },
      { id, sku: null, parent_sku: null, stock: null, brand: null, price: 6 },
      { sku: "NULL-1", price: null },
    ]);
    expect(items).toMatchObject([
      { sku: "NULL-2", status: "created", errors: [] },
      { id, status: "updated", errors: [] },
      { id, status: "failed", errors: [{ field: "price", code: "invalid_type" }] },
    ]);
    expect(await bySku("NULL-1")).toMatchObject({ price: 6 });
  });

  it("is written once, and its repetition has the same results", async () => {
    const headers = { "Idempotency-Key": "batch-once" };
    await aProduct({ sku: "ONCE-1", stock: 5 });
    const items = [{ sku: "ONCE-1", stock: { delta: 2, reason: "Delivery" } }, { sku: "ONCE-2" }];
    const [first, again] = [await send(items, headers), await send(items, headers)];
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect(first.body.data).toMatchObject({ failed: 1, items: [{ status: "updated" }, { status: "failed" }] });
    expect(await bySku("ONCE-1")).toMatchObject({ stock_quantity: 7 });
    const { parameters } = (await findJob(db, first.body.data.job_id)) ?? {};
    expect(parameters).toMatchObject({ records: [{ line: 1, fields: { sku: "ONCE-1" } }, { line: 2 }] });
    expect(JSON.stringify(parameters)).not.toContain("Delivery");
    const other = await send([{ sku: "ONCE-1", price: 3 }], headers);
    expectRefusal(other, 409, "idempotency-key");
  });

  it("changes a hundred products by few queries, and counts as ten requests", async () => {
    const products = await someProducts(100, { stock: 1 });
    const items = products.map(({ id }, n) => ({ id, price: n + 1, stock: { delta: n + 1, reason: "Delivery" } }));
    const before = await call("GET /admin/products?per_page=1", { as: key });
    const { bindings, trips, work } = counted();
    const { body, headers } = await callWith(bindings, "POST /admin/products/batch", { as: key, body: { items } });
    expect(body.data.items.filter(({ status }: { status: string }) => status !== "updated")).toEqual([]);
    expect(trips.d1).toBeLessThan(12);
    expect(work.statements).toBeLessThan(60);
    const remaining = (sent: Headers) => Number(sent.get("X-RateLimit-Remaining"));
    expect(remaining(before.headers) - remaining(headers)).toBe(10);
  });

  it("leaves what the database refuses item by item to the job, within the limits of a request", async () => {
    const products = await someProducts(30, { stock: 0 });
    const items = products.map(({ id }) => ({ id, stock: { delta: -1, reason: "Counted" } }));
    const { bindings, work } = counted();
    const { body } = await callWith(bindings, "POST /admin/products/batch", { as: key, body: { items } });
    expect(work.statements).toBeLessThanOrEqual(QUERY_LIMIT);
    const statuses = new Set(body.data.items.map(({ status }: { status: string }) => status));
    expect(statuses).toEqual(new Set(["failed", "pending"]));
    await runJob(body.data.job_id);
    const job = await call(`GET /admin/jobs/${body.data.job_id}`, { as: admin });
    expect(job.body.data).toMatchObject({ failed: 30, state: "completed" });
  });

  it("is refused whole without quota for its items, with the time after which it has enough", async () => {
    const { key: small } = await aKey({ permissions: ["products:write"] });
    const items = Array.from({ length: 100 }, () => ({ sku: "NONE" }));
    const answers = [await send([{ sku: "NONE" }], {}, small)];
    for (let n = 0; n < 10; n++) answers.push(await send(items, {}, small));
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429]);
    expect(answers.at(-1)?.headers.get("Retry-After")).toBe("60");
  });

  it("has 1 to 100 items", async () => {
    expectRefusal(await send([]), 400, "items");
    expectRefusal(await send(Array.from({ length: 101 }, () => ({ sku: "A" }))), 400, "items");
  });
});
