import { beforeAll, expect, it } from "vitest";
import { products } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { aCategory, aProduct, aUser, db, orderOf } from "../support/shop.ts";

let as: string;

beforeAll(async () => {
  as = (await aUser({ role: "admin" })).token;
});

const exported = async (list: string) => {
  const { status, headers, body } = await call(`GET /admin/exports/${list}`, { as });
  expect(status, JSON.stringify(body)).toBe(200);
  return { headers, text: typeof body === "string" ? body : JSON.stringify(body) };
};

const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");

it("neutralizes in CSV what a spreadsheet would execute, and nowhere else", async () => {
  const names = ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "＝1", "'=1", "plain", 'with "quotes", and more'];
  for (const [n, name] of names.entries()) await aProduct({ sku: `CELL-${n}`, name, price: 1250 });
  const { headers, text } = await exported("products/csv?search=CELL");
  expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(headers.get("Content-Disposition")).toBe('attachment; filename="products.csv"');
  for (const cell of [
    "'=1+1",
    "'+1",
    "'-1",
    "'@SUM(A1)",
    "' =1",
    "'＝1",
    "''=1",
    "plain",
    '"with ""quotes"", and more"',
  ])
    expect(text).toContain(`,${cell},`);
  expect(text).toContain(",12.5,");
  const raw = linesOf((await exported("products/ndjson?search=CELL")).text).map((line) => JSON.parse(line).name);
  expect(raw.sort()).toEqual([...names].sort());
  const { body } = await call("GET /admin/audit-log?subject=shop", { as });
  expect(body.data[0]).toMatchObject({ action: "shop.export", after: { list: "products", format: "ndjson" } });
  expect(JSON.stringify(body.data[0])).not.toContain("CELL");
});

it("exports every row once, beyond one page, with the list's own filters", async () => {
  const category = await aCategory("Many");
  const rows = Array.from({ length: 620 }, (_, n) => ({
    ...{ name: `Many ${n}`, slug: `many-${n}`, sku: `MANY-${n}`, type: "service" as const, status: "active" as const },
    ...{ price: n, requiresShipping: false, manageStock: false, categoryId: category.id, createdAt: 1, updatedAt: 1 },
  }));
  for (let n = 0; n < rows.length; n += 3) await db.insert(products).values(rows.slice(n, n + 3));
  const lines = linesOf((await exported("products/ndjson?category=many")).text);
  const skus = lines.map((line) => JSON.parse(line).sku);
  const last = lines.at(-1) ?? "";
  expect(new Set(skus).size).toBe(620);
  expect(skus).toHaveLength(620);
  const found = linesOf((await exported("products/csv?search=Many&category=many")).text);
  expect(found).toHaveLength(621);
  const after = rows.length - 3;
  const rest = linesOf((await exported(`products/ndjson?search=Many&after_id=${JSON.parse(last).id - after}`)).text);
  expect(rest).toHaveLength(after);
  const refused = await call("GET /admin/exports/products/csv?page=2", { as });
  expect([refused.status, refused.body.details]).toMatchObject([400, [{ field: "page", code: "unknown_field" }]]);
  const unknown = await call("GET /admin/exports/products/xlsx", { as });
  expect(unknown.status).toBe(400);
});

it("exports orders, their lines, customers, transactions, files and the audit log", async () => {
  const buyer = await aUser({ wallet: 10_000, name: "Ada Exported" });
  const product = await aProduct();
  const { body } = await call("POST /orders", { as: buyer.token, body: orderOf(product, 2) });
  const order = body.data;
  const rowsOf = async (list: string) => linesOf((await exported(list)).text).map((line) => JSON.parse(line));
  expect(await rowsOf(`orders/ndjson?user_id=${buyer.id}`)).toMatchObject([{ id: order.id, total: order.total }]);
  expect(await rowsOf(`order-lines/ndjson?user_id=${buyer.id}`)).toMatchObject([
    { order_id: order.id, order_number: order.number, sku: product.sku, quantity: 2 },
  ]);
  expect((await rowsOf("customers/ndjson?search=Exported")).map(({ id }) => id)).toEqual([buyer.id]);
  expect((await exported("customers/csv?search=Exported")).text).not.toContain("password");
  expect(await rowsOf(`transactions/ndjson?user_id=${buyer.id}&kind=charge`)).toHaveLength(1);
  expect(await rowsOf("files/ndjson")).toEqual([]);
  expect((await rowsOf("audit-log/ndjson?subject=shop")).length).toBeGreaterThan(0);
  const support = (await aUser({ role: "support" })).token;
  const theirs = await call("GET /admin/exports/customers/ndjson", { as: support });
  expect(String(theirs.body)).not.toContain('"role":"admin"');
});
