import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { runners } from "../../src/apps/job-steps.ts";
import { runSlice } from "../../src/platform/jobs/run-slice.ts";
import { administration } from "../support/administration.ts";
import { call } from "../support/call.ts";
import { aCheckedImport, anImport, failuresOf, jobOf, productBySku, runJob } from "../support/jobs.ts";
import { aCategory, aProduct, aUser, orderOf } from "../support/shop.ts";

const { ask } = administration();

const CSV = `sku;name;type;price;category;stock_quantity;status
IMP-1;"Mug; blue";physical;12,50;Kitchen > Mugs;5;active
IMP-2;Poster;physical;9.00;;;
IMP-3;;physical;9.00;;;
IMP-1;Again;physical;1;;;
`;

it("previews a file's effects without changing anything, and then applies them", async () => {
  const checked = await aCheckedImport(CSV);
  expect(checked).toMatchObject({ state: "ready", format: "csv", rows: 4, to_create: 2, to_update: 0, failed: 2 });
  expect(checked.samples.map(({ line, name }: { line: number; name: string }) => [line, name])).toEqual([
    [2, "Mug; blue"],
    [3, "Poster"],
  ]);
  expect(await failuresOf(checked.check_job_id)).toMatchObject([
    { line: 4, field: "name", code: "required", is_warning: false },
    { line: 5, field: "sku", code: "repeated" },
  ]);
  expect(await productBySku("IMP-1")).toBeUndefined();

  const { body } = await ask(`POST /admin/imports/products/${checked.id}/start`, {});
  await runJob(body.data.job_id);
  expect(await jobOf(body.data.job_id)).toMatchObject({ state: "completed", done: 2, failed: 2, can_undo: true });
  expect(await productBySku("IMP-1")).toMatchObject({
    name: "Mug; blue",
    slug: "mug-blue",
    price: 12.5,
    status: "active",
    stock_quantity: 5,
    category: { name: "Mugs", slug: "mugs", path: [{ name: "Kitchen", slug: "kitchen" }, { name: "Mugs" }] },
  });
  expect(await productBySku("IMP-2")).toMatchObject({ status: "draft", manage_stock: false, category: null });
  const again = await ask(`POST /admin/imports/products/${checked.id}/start`, {});
  expect([again.status, again.body.code]).toEqual([409, "wrong_job_state"]);
});

it("updates products by SKU, moves stock by an adjustment, and undoes only that", async () => {
  const before = await aProduct({ sku: "UPD-1", stock: 7, price: 1000 });
  const edited = await aProduct({ sku: "UPD-2" });
  const same = await aProduct({ sku: "UPD-3", name: "Same" });
  await aCategory("Sale");
  const lines = [
    { sku: "UPD-1", price: 8, stock_quantity: 12, category: "Sale" },
    { sku: "UPD-2", name: "Renamed" },
    { sku: "UPD-3", name: "Same" },
  ];
  const done = await anImport(lines.map((line) => JSON.stringify(line)).join("\n"), { name: "p.ndjson" });
  expect(done).toMatchObject({ state: "completed", format: "ndjson", to_update: 2, unchanged: 1, failed: 0 });
  expect(await productBySku("UPD-1")).toMatchObject({ price: 8, stock_quantity: 12, category: { slug: "sale" } });
  const { body: stock } = await ask(`GET /admin/products/${before.id}/stock`);
  expect(stock.data).toMatchObject([{ delta: 5, reason: expect.stringContaining("Import") }]);
  const { body: audit } = await ask(`GET /admin/audit-log?subject=product&subject_id=${before.id}`);
  expect(audit.data).toMatchObject([{ action: "product.update", before: { price: 10 }, after: { price: 8 } }]);
  expect((await ask(`GET /admin/audit-log?subject=product&subject_id=${same.id}`)).body.data).toEqual([]);

  await ask(`PUT /admin/products/${edited.id}`, { name: "By hand" });
  const undo = await ask(`POST /admin/jobs/${done.job_id}/undo`, {});
  expect(undo.status).toBe(201);
  await runJob(undo.body.data.id);
  expect(await jobOf(undo.body.data.id)).toMatchObject({ state: "completed", done: 1, failed: 1 });
  expect(await failuresOf(undo.body.data.id)).toMatchObject([{ subject_id: edited.id, code: "changed_meanwhile" }]);
  expect(await jobOf(done.job_id)).toMatchObject({
    state: "undone",
    can_undo: false,
    undone_by: undo.body.data.id,
  });
  expect(await productBySku("UPD-1")).toMatchObject({ price: 10, stock_quantity: 7, category: null });
  expect((await productBySku("UPD-2")).name).toBe("By hand");
  const twice = await ask(`POST /admin/jobs/${done.job_id}/undo`, {});
  expect([twice.status, twice.body.code]).toEqual([409, "wrong_job_state"]);
});

it("clears optional fields with an empty cell, and ignores missing columns", async () => {
  await aProduct({ sku: "CLR-1", name: "Cleared", lowStockThreshold: 9, weightGrams: 5, compareAtPrice: 2000 });
  await anImport("sku,low_stock_threshold,weight_grams,status\nCLR-1,3,,draft\n");
  expect(await productBySku("CLR-1")).toMatchObject({
    ...{ low_stock_threshold: 3, weight_grams: null, compare_at_price: 20, name: "Cleared", status: "draft" },
  });
});

it("deletes its products when it is undone, except those that were sold, which become drafts", async () => {
  const done = await anImport(
    "sku,name,type,price,status,stock_quantity\nNEW-1,One,physical,5,active,3\nNEW-2,Two,physical,5,active,3\n",
  );
  const buyer = await aUser({ wallet: 10_000 });
  const sold = await productBySku("NEW-1");
  const order = await call("POST /orders", { as: buyer.token, body: orderOf({ id: sold.id, price: 500 }) });
  expect(order.status).toBe(201);
  const { body } = await ask(`POST /admin/jobs/${done.job_id}/undo`, {});
  await runJob(body.data.id);
  expect(await jobOf(body.data.id)).toMatchObject({ state: "completed", done: 2, failed: 0, warnings: 1 });
  expect(await productBySku("NEW-1")).toMatchObject({ status: "draft" });
  expect(await productBySku("NEW-2")).toBeUndefined();
});

const undo = async (jobId: number): Promise<number> => (await ask(`POST /admin/jobs/${jobId}/undo`, {})).body.data.id;

it("has one audit entry for each product that an undo drafts or reverts", async () => {
  const there = await aProduct({ sku: "LOG-1", price: 1000 });
  const done = await anImport(
    "sku,name,type,price,status,stock_quantity\nLOG-1,,,8,,\nLOG-2,Two,physical,5,active,3\n",
  );
  const made = await productBySku("LOG-2");
  const buyer = await aUser({ wallet: 10_000 });
  await call("POST /orders", { as: buyer.token, body: orderOf({ id: made.id, price: 500 }) });
  await runJob(await undo(done.job_id));
  const entriesOf = async (id: number) =>
    (await ask(`GET /admin/audit-log?subject=product&subject_id=${id}`)).body.data;
  expect(await entriesOf(there.id)).toMatchObject([{ after: { undone_job: done.job_id } }, { after: { price: 8 } }]);
  expect(await entriesOf(made.id)).toMatchObject([{ after: { status: "draft" } }, { action: "product.create" }]);
});

it("continues after a cancelled undo, and reports only edited products", async () => {
  const rows = Array.from({ length: 120 }, (_, at) => ({
    sku: `HALF-${at}`,
    name: "Half",
    type: "physical",
    price: 1,
  }));
  const edited = await aProduct({ sku: "HALF-0", price: 500 });
  const first = await aProduct({ sku: "HALF-1", price: 500 });
  const done = await anImport(rows.map((row) => JSON.stringify(row)).join("\n"), { name: "half.ndjson" });
  await ask(`PUT /admin/products/${edited.id}`, { name: "By hand" });
  const cancelled = await undo(done.job_id);
  await runSlice(env, runners, cancelled);
  await ask(`POST /admin/jobs/${cancelled}/cancel`, {});
  expect(await jobOf(cancelled)).toMatchObject({ state: "cancelled", done: 100, failed: 0 });
  const again = await undo(done.job_id);
  await runJob(again);
  expect(await jobOf(again)).toMatchObject({ state: "completed", failed: 1, done: 19 });
  expect(await failuresOf(again)).toMatchObject([{ subject_id: edited.id, code: "changed_meanwhile" }]);
  expect(await productBySku("HALF-1")).toMatchObject({ id: first.id, price: 5 });
  expect(await productBySku("HALF-119")).toBeUndefined();
});
