import { beforeAll, expect, it } from "vitest";
import { request, rpc, useTool } from "../support/mcp.ts";
import { ADDRESS, aKey, aProduct } from "../support/shop.ts";

// Five jobs of staff, done with nothing but the list of tools: before a tool is called, each argument is looked up in
// the tool's schema.

const ADMIN = "/mcp/admin";

type Schema = { type?: string | string[]; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] };

let key: string;
let schemas: Map<string, Schema>;

beforeAll(async () => {
  ({ key } = await aKey({ permissions: ["read", "write", "payments:write"] }));
  const { tools } = (await rpc(ADMIN, key, request("tools/list"))).body.result;
  schemas = new Map(tools.map(({ name, inputSchema }: { name: string; inputSchema: Schema }) => [name, inputSchema]));
});

/** Fields of a value that a schema does not list. */
function unlisted(value: unknown, { properties, items, anyOf }: Schema, place = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => unlisted(item, items ?? {}, place));
  if (typeof value !== "object" || value === null) return [];
  const fields = [properties, ...(anyOf ?? []).map((each) => each.properties)];
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = fields.find((each) => each && name in each)?.[name];
    return field ? unlisted(inner, field, `${place}.${name}`) : [`${place}.${name}`];
  });
}

async function use(name: string, given: object) {
  const schema = schemas.get(name);
  if (!schema) throw new Error(`No tool ${name} is listed`);
  expect([name, unlisted(given, schema)]).toEqual([name, []]);
  const { answer, isError } = await useTool(ADMIN, key, name, given);
  expect([name, isError, answer?.errors]).toEqual([name, false, undefined]);
  return answer.data;
}

async function anOrder(paid: boolean) {
  const { id } = await aProduct({ price: 3000 });
  return use("adminCreateOrder", {
    body: {
      customer: { name: "Greta Guest", email: "greta@shop.test" },
      items: [{ product_id: id, quantity: 1 }],
      shipping_address: ADDRESS,
      payment_method: "bank_transfer",
      paid,
    },
  });
}

it("creates a product with two variants", async () => {
  const sizes = ["S", "M"];
  const body = { name: "Shirt", sku: "JOB-1", type: "physical", price: 20, options: [{ name: "Size", values: sizes }] };
  const { id } = await use("createProduct", { body });
  for (const value of sizes) {
    const variant = { sku: `JOB-1-${value}`, price: 20, option_values: [{ name: "Size", value }] };
    await use("createVariants", { id, body: variant });
  }
  const { variants } = await use("adminGetProduct", { id });
  expect(variants.map(({ sku }: { sku: string }) => sku).toSorted()).toEqual(["JOB-1-M", "JOB-1-S"]);
});

it("refunds half of an order", async () => {
  const { number, total } = await anOrder(true);
  const [{ id }] = await use("adminListOrders", { number });
  const refunded = await use("createRefund", { id, body: { amount: total / 2 } });
  expect(refunded).toMatchObject({ payment_status: "partially_refunded", refunded_total: total / 2 });
});

it("lists the unpaid orders, by the word for them that people use as well", async () => {
  const [unpaid, paid] = [await anOrder(false), await anOrder(true)];
  for (const payment_status of ["unpaid", "pending"]) {
    const ids = (await use("adminListOrders", { payment_status })).map(({ id }: { id: number }) => id);
    expect(ids).toContain(unpaid.id);
    expect(ids).not.toContain(paid.id);
  }
});

it("counts the stock of a product", async () => {
  const product = await aProduct({ name: "Counted pencil", stock: 5 });
  const [found] = await use("adminListProducts", { search: "counted pencil" });
  expect(found.id).toBe(product.id);
  await use("createStockAdjustment", { id: found.id, body: { quantity: 8, reason: "Stock count" } });
  expect(await use("adminGetProduct", { id: found.id })).toMatchObject({ stock_quantity: 8 });
});

it("creates a discount that ends with a day", async () => {
  const body = { name: "Autumn", code: "AUTUMN", kind: "percentage", percent: 10, ends_at: "2099-10-31" };
  expect(await use("createDiscount", { body })).toMatchObject({ ends_at: "2099-11-01T00:00:00.000Z" });
});
