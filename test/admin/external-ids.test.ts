import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { anImport } from "../support/jobs.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aKey, aProduct, aUser, onPurpose, orderOf } from "../support/shop.ts";

const as = (await aUser({ role: "admin" })).token;

async function anOrder(): Promise<number> {
  const buyer = await aUser({ wallet: 10_000 });
  const body = orderOf(await aProduct());
  return (await call("POST /orders", { as: buyer.token, body, headers: onPurpose() })).body.data.id;
}

const kinds = {
  products: { make: async () => (await aProduct()).id, event: "product" },
  users: { make: async () => (await aUser()).id, event: "user" },
  orders: { make: anOrder, event: "order" },
};

describe.each(Object.entries(kinds))("the external id of %s", (list, { make, event }) => {
  const put = (id: number, body: object) => call(`PUT /admin/${list}/${id}`, { as, body });
  const found = async (externalId: string) =>
    (await call(`GET /admin/${list}?external_id=${externalId}`, { as })).body.data.map(({ id }: { id: number }) => id);

  it("finds the record, belongs to it alone, and is free once it is removed", async () => {
    const [one, other] = [await make(), await make()];
    expect((await put(one, { external_id: "ERP-1" })).body.data).toMatchObject({ id: one, external_id: "ERP-1" });
    expect(await found("ERP-1")).toEqual([one]);
    expectRefusal(await put(other, { external_id: "ERP-1" }), 400, "external_id");
    expect((await put(one, { external_id: null })).body.data.external_id).toBeNull();
    expect(await found("ERP-1")).toEqual([]);
    expect((await put(other, { external_id: "ERP-1" })).status).toBe(200);
  });

  it("is in events and the audit log", async () => {
    const id = await make();
    const [name, noun] = [`EV-${list}`, event];
    await put(id, { external_id: name });
    const change = list === "orders" ? { status: "cancelled" } : { metadata: { colour: "red" } };
    expect((await put(id, change)).status).toBe(200);
    const { body } = await call(`GET /admin/events?subject=${noun}:${id}&per_page=100`, { as });
    expect(body.data.at(-1).data).toMatchObject({ external_id: name });
    const audit = await call(`GET /admin/audit-log?subject=${noun}&subject_id=${id}&per_page=100`, { as });
    expect(audit.body.data.at(-1).after).toMatchObject({ external_id: name });
  });
});

describe.each(Object.entries(kinds))("metadata of %s", (list, { make }) => {
  it("finds the records that have a text exactly, and those alone", async () => {
    const [one, other] = [await make(), await make()];
    const put = (id: number, metadata: object) => call(`PUT /admin/${list}/${id}`, { as, body: { metadata } });
    await put(one, { channel: "market", "a:b": "c_%" });
    await put(other, { channel: "Market 2" });
    const found = async (text: string) => {
      const { body } = await call(`GET /admin/${list}?metadata=${encodeURIComponent(text)}`, { as });
      return body.data.map(({ id }: { id: number }) => id);
    };
    expect(await found("channel:market")).toEqual([one]);
    expect(await found("channel:Market 2")).toEqual([other]);
    expect(await found("a:b:c_%")).toEqual([one]);
    for (const text of ["a:b:c__", "channel:", "channel:mark", "other:market"]) expect(await found(text)).toEqual([]);
    await put(one, {});
    expect(await found("channel:market")).toEqual([]);
    expectRefusal(await call(`GET /admin/${list}?metadata=channel`, { as }), 400, "metadata");
  });
});

it("in metadata of orders is found only by those who may read it", async () => {
  const id = await anOrder();
  await call(`PUT /admin/orders/${id}`, { as, body: { metadata: { margin: "low" } } });
  const found = async (permission: "shipments:read" | "orders:read") => {
    const { key } = await aKey({ permissions: [permission] });
    return (await call("GET /admin/orders?metadata=margin:low", { as: key })).body.data.length;
  };
  expect([await found("shipments:read"), await found("orders:read")]).toEqual([0, 1]);
});

it("of a variant is its own", async () => {
  const body = { name: "Shirt", sku: "EXT-P", type: "physical", price: 1, options: [{ name: "Size", values: ["S"] }] };
  const { id } = (await call("POST /admin/products", { as, body: { ...body, external_id: "EXT-P" } })).body.data;
  const variant = { option_values: [{ name: "Size", value: "S" }], sku: "EXT-V", price: 2, external_id: "EXT-V" };
  const made = await call(`POST /admin/products/${id}/variants`, { as, body: variant });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { data } = (await call("GET /admin/products?external_id=EXT-V", { as })).body;
  expect(data).toMatchObject([{ sku: "EXT-V", parent_id: id, external_id: "EXT-V" }]);
});

it("of a new customer is set when staff add the customer", async () => {
  const body = { name: "Ada", email: "ada-external@shop.test", external_id: "CRM-7" };
  expect((await call("POST /admin/users", { as, body })).body.data).toMatchObject({ external_id: "CRM-7" });
  const again = await call("POST /admin/users", { as, body: { ...body, email: "bob-external@shop.test" } });
  expectRefusal(again, 400, "external_id");
});

it("and metadata of a new order are set when staff or a program place it", async () => {
  const { key } = await aKey({ permissions: ["orders:read", "orders:write"] });
  const place = async (external_id: string) => {
    const { items, shipping_address } = orderOf(await aProduct());
    const lines = items.map(({ product_id, quantity }) => ({ product_id, quantity }));
    const customer = { email: "ada@market.test", name: "Ada" };
    const body = { items: lines, customer, shipping_address, payment_method: "invoice" };
    const own = { external_id, metadata: { channel: "market" } };
    return call("POST /admin/orders", { as: key, body: { ...body, ...own }, headers: onPurpose() });
  };
  const { status, body } = await place("MKT-1");
  expect([status, body.data]).toMatchObject([201, { external_id: "MKT-1", metadata: { channel: "market" } }]);
  const { data } = (await call("GET /admin/orders?external_id=MKT-1", { as: key })).body;
  expect(data).toMatchObject([{ id: body.data.id }]);
  const { data: events } = (await call(`GET /admin/events?subject=order:${body.data.id}`, { as })).body;
  expect(events[0]).toMatchObject({ type: "order.created", data: { external_id: "MKT-1" } });
  const again = await place("MKT-1");
  expectRefusal(again, 400, "external_id");
  expect(again.body.code).toBe("external_id_taken");
});

it("is imported, and a row with the id of another product fails", async () => {
  await aProduct({ sku: "IMP-EXT-1" });
  await aProduct({ sku: "IMP-EXT-2" });
  const done = await anImport("sku,external_id\nIMP-EXT-1,I-1\nIMP-EXT-2,I-1\n", { as });
  expect(done).toMatchObject({ state: "completed", to_update: 2 });
  const { data } = (await call("GET /admin/products?external_id=I-1", { as })).body;
  expect(data.map(({ sku }: { sku: string }) => sku)).toEqual(["IMP-EXT-1"]);
  const { body } = await call(`GET /admin/jobs/${done.job_id}/failures`, { as });
  expect(body.data).toMatchObject([{ field: "external_id", code: "external_id_taken" }]);
});

it("of a real order is free although a test order has it, and the reverse", async () => {
  const { key } = await aKey({ test: true, permissions: ["checkout:write", "orders:write"] });
  const body = { ...orderOf(await aProduct()), payment_method: "test_card" };
  const tried = (await call("POST /orders", { as: key, body })).body.data.id;
  const real = await anOrder();
  const put = (id: number, caller: string) =>
    call(`PUT /admin/orders/${id}`, { as: caller, body: { external_id: "SO-BOTH" } });
  expect([(await put(tried, key)).status, (await put(real, as)).status]).toEqual([200, 200]);
  expectRefusal(await put(await anOrder(), as), 400, "external_id");
});

it("and metadata of an order leave the rest of it as it is", async () => {
  const id = await anOrder();
  const before = (await call(`GET /admin/orders/${id}`, { as })).body.data;
  expect(before).toMatchObject({ external_id: null, metadata: {} });
  const body = { external_id: "SO-1", metadata: { warehouse: "North" } };
  const after = (await call(`PUT /admin/orders/${id}`, { as, body })).body.data;
  expect({ ...after, updated_at: before.updated_at }).toEqual({ ...before, ...body });
});
