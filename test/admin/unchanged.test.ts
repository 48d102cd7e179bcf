import { count } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import document from "../../public/openapi.json";
import { auditLog, events, stockAdjustments } from "../../src/platform/db/schema.ts";
import { administration } from "../support/administration.ts";
import { call } from "../support/call.ts";
import { noRules } from "../support/pricing.ts";
import { aKey, aProduct, aUser, db } from "../support/shop.ts";
import { adminEndpoints } from "./endpoints/index.ts";

const { admin, ask } = administration();

/** Number of audit entries that report a change. */
async function written() {
  const counts = [auditLog, events, stockAdjustments].map((table) => db.select({ rows: count() }).from(table).get());
  return (await Promise.all(counts)).map((counted) => counted?.rows);
}

type Answer = Awaited<ReturnType<typeof call>>;
/** Status, version and state of a response. A draft's quote is left out because it follows the catalogue. */
const version = ({ status, body, headers }: Answer) => [
  status,
  headers.get("ETag"),
  { ...body.data, quote: undefined },
];

/**
 * These routes have no state to send back: uploading a part again replaces it, and connecting an account again checks its
 * keys and its webhook.
 */
const NO_STATE = ["PUT /uploads/:id/parts/:number", "PUT /payment-accounts/stripe", "PUT /payment-accounts/paypal"];
const puts = Object.keys(adminEndpoints).filter((line) => line.startsWith("PUT ") && !NO_STATE.includes(line));

/** Operations of the document at a route's path, by method. */
const operationsAt = (line: string): object =>
  Reflect.get(document.paths, `/api/v1/admin${line.slice("PUT ".length).replace(/:(\w+)/g, "{$1}")}`);

/** Names of the fields that a PUT accepts. */
function fieldsOf(line: string): string[] {
  const [, name = ""] =
    /"requestBody".*?schemas\/(\w+)"/.exec(JSON.stringify(Reflect.get(operationsAt(line), "put"))) ?? [];
  return Object.keys(Reflect.get(Reflect.get(document.components.schemas, name), "properties"));
}

const hasOwnGet = (line: string): boolean => "get" in operationsAt(line);

/** Another value of the same kind. */
const other = (value: unknown): unknown => {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value)) return [...value, "another"];
  return typeof value === "string" ? `${value}9` : { another: "value" };
};

/** A resource in the state in which a route's request leaves it. */
async function changed(line: string) {
  await noRules();
  const { path, body } = (await adminEndpoints[line]?.request(admin.id)) ?? expect.unreachable();
  const { note: _, email: _proposed, ...lasting } = Object(body);
  await ask(`PUT /admin${path}`, lasting);
  const read = await ask(`GET /admin${path}`);
  return { path, read, put: (sent: unknown, headers = {}) => ask(`PUT /admin${path}`, sent, headers) };
}

describe.each(puts)("%s", (line) => {
  it("returns 200 and writes nothing for the stored state", async () => {
    const { path, body } = (await adminEndpoints[line]?.request(admin.id)) ?? expect.unreachable();
    const { note: _, email: _proposed, ...lasting } = Object(body);
    const first = await ask(`PUT /admin${path}`, lasting);
    expect(first.status).toBe(200);
    const before = await written();
    expect(version(await ask(`PUT /admin${path}`, lasting))).toEqual(version(first));
    expect(await written()).toEqual(before);
  });

  if (!hasOwnGet(line)) return;
  it("returns 200 and writes nothing for its whole GET, sent back", async () => {
    const { read, put } = await changed(line);
    const before = await written();
    const same = await put(read.body.data);
    expect(same.body.details).toBeUndefined();
    expect(version(same)).toEqual(version(read));
    expect(await written()).toEqual(before);
  });

  it("names every read-only field that differs, and writes nothing", async () => {
    const { read, put } = await changed(line);
    const state: object = read.body.data;
    const accepted = fieldsOf(line);
    const readOnly = Object.entries(state).filter(([name]) => !accepted.includes(name));
    expect(readOnly).not.toEqual([]);
    const before = await written();
    for (let from = 0; from < readOnly.length; from += 20) {
      const some = readOnly.slice(from, from + 20).map(([name, value]) => [name, other(value)] as const);
      const refused = await put({ ...state, ...Object.fromEntries(some) });
      expect([refused.status, refused.body.details]).toEqual([
        400,
        expect.arrayContaining(some.map(([field]) => ({ field, code: "read_only" }))),
      ]);
    }
    expect(await written()).toEqual(before);
  });
});

describe("a stock count", () => {
  it("equal to the stock returns 200, and leaves no adjustment, entry or event", async () => {
    const { id } = await aProduct({ manageStock: true, stockQuantity: 7 });
    const read = await ask(`GET /admin/products/${id}`);
    const before = await written();
    for (const headers of [{}, { "Idempotency-Key": crypto.randomUUID() }]) {
      const body = { quantity: 7, reason: "Counted tonight" };
      const counted = await call(`POST /admin/products/${id}/stock`, { as: admin.token, headers, body });
      expect([counted.status, counted.body.data]).toEqual([200, read.body.data]);
    }
    expect(await written()).toEqual(before);
    expect(
      (await ask(`POST /admin/products/${id}/stock`, { quantity: 6, reason: "One broke" })).body.data,
    ).toMatchObject({
      stock_quantity: 6,
    });
  });

  it("for a product whose stock is not managed is refused, whatever the count", async () => {
    const { id } = await aProduct({ manageStock: false, stockQuantity: null });
    const refused = await ask(`POST /admin/products/${id}/stock`, { quantity: 0, reason: "Counted" });
    expect(refused).toMatchObject({
      status: 400,
      body: { details: [{ field: "quantity", code: "stock_not_managed" }] },
    });
  });
});

it.each(["/account/profile", "/account/addresses/:id"])(
  "%s stays unchanged when it is sent back as read",
  async (path) => {
    const { token } = await aUser({ role: "admin" });
    const own = (line: string, body?: unknown) => call(line, { as: token, ...(body !== undefined && { body }) });
    const place = { name: "A", address: "B", city: "C", zip: "BS1 5TY", country: "GB", phone: "020 7946 0123" };
    const { id } = (await own("POST /account/addresses", place)).body.data;
    const at = path.replace(":id", String(id));
    const { data } = (await own(`GET ${at}`)).body;
    const before = await written();
    const same = await own(`PUT ${at}`, data);
    expect([same.status, same.body.data]).toEqual([200, data]);
    expect(await written()).toEqual(before);
    expect((await own(`PUT ${at}`, { ...data, id: id + 7, created_at: "2020-01-01T00:00:00Z" })).body.details).toEqual([
      { field: "id", code: "read_only" },
      { field: "created_at", code: "read_only" },
    ]);
  },
);

describe("a resource that is sent back with a change", () => {
  it("changes that field only, also if its read-only fields are written differently", async () => {
    const { read, put } = await changed("PUT /products/:id");
    const { data } = read.body;
    const created_at = data.created_at.replace("Z", "+00:00");
    const { category: _, ...missing } = data;
    const renamed = await put({ ...missing, created_at, name: "Another name" });
    expect(renamed.body.data).toEqual({
      ...data,
      name: "Another name",
      updated_at: renamed.body.data.updated_at,
    });
  });

  it("is refused if it was changed since, by If-Match or by its own time", async () => {
    const { read, put } = await changed("PUT /products/:id");
    const headers = { "If-Match": read.headers.get("ETag") ?? "" };
    expect((await put(read.body.data, headers)).status).toBe(200);
    await put({ name: "Meanwhile" });
    expect((await put(read.body.data)).body.details).toEqual([{ field: "updated_at", code: "read_only" }]);
    const current = (await put({ price: 9 })).body.data;
    expect((await put(current, headers)).status).toBe(412);
  });

  it("of a paid order changes its metadata, by a key that may not record payments", async () => {
    await noRules();
    const { path } = (await adminEndpoints["GET /orders/:id"]?.request(admin.id)) ?? expect.unreachable();
    const { key } = await aKey({ permissions: ["orders:read", "orders:write"] });
    const { data } = (await call(`GET /admin${path}`, { as: key })).body;
    expect(data.payment_status).toBe("paid");
    const metadata = { picked_by: "Ada" };
    const named = await call(`PUT /admin${path}`, { as: key, body: { ...data, metadata } });
    expect(named.body.data).toEqual({ ...data, metadata, updated_at: named.body.data.updated_at });
  });

  it("of a customer changes the name, by a key that may not change roles", async () => {
    const { key } = await aKey({ permissions: ["users:read", "users:write"] });
    const { id } = await aUser();
    const { data } = (await call(`GET /admin/users/${id}`, { as: key })).body;
    expect((await call(`PUT /admin/users/${id}`, { as: key, body: data })).body.data).toEqual(data);
    const renamed = await call(`PUT /admin/users/${id}`, { as: key, body: { ...data, name: "Renamed" } });
    expect(renamed.body.data).toEqual({ ...data, name: "Renamed", updated_at: renamed.body.data.updated_at });
    const role = await call(`PUT /admin/users/${id}`, { as: key, body: { role: "viewer" } });
    expect([role.status, role.body.code]).toEqual([403, "administrators_only"]);
  });

  it("of a key that may not read it has unknown fields", async () => {
    const { path, read } = await changed("PUT /orders/:id");
    const { key } = await aKey({ permissions: ["orders:write"] });
    const refusal = async (body: object) => (await call(`PUT /admin${path}`, { as: key, body })).body.details;
    const unknown = { field: "id", code: "unknown_field" };
    expect(await refusal({ id: read.body.data.id, metadata: {} })).toEqual([unknown]);
    const external_id = "ERP-OF-WRITER";
    expect(await refusal({ metadata: null, external_id })).toMatchObject([{ field: "metadata", code: "invalid_type" }]);
  });

  it("is refused with fields that it does not have, and with a null for a value that cannot be removed", async () => {
    const { read, put } = await changed("PUT /products/:id");
    const refused = await put({ ...read.body.data, name: null, surprise: null });
    expect(refused.body.details).toEqual([
      { field: "name", code: "invalid_type", expected: "string" },
      { field: "surprise", code: "unknown_field" },
    ]);
  });

  it("keeps what a variant inherits", async () => {
    const { id } = (
      await ask("POST /admin/products", {
        name: "Shirt",
        sku: "SHIRT-BACK",
        type: "physical",
        price: 5,
        options: [{ name: "Size", values: ["S"] }],
      })
    ).body.data;
    const variant = { option_values: [{ name: "Size", value: "S" }], sku: "SHIRT-BACK-S", price: 5 };
    const made = (await ask(`POST /admin/products/${id}/variants`, variant)).body.data;
    const read = await ask(`GET /admin/products/${made.id}`);
    expect(read.body.data.inherits).toContain("description");
    expect(version(await ask(`PUT /admin/products/${made.id}`, read.body.data))).toEqual(version(read));
    const dearer = await ask(`PUT /admin/products/${made.id}`, { ...read.body.data, price: 6 });
    expect(dearer.body.data).toMatchObject({ price: 6, inherits: read.body.data.inherits });
  });

  it("may repeat read-only fields within its parts, matched by id", async () => {
    const shipped = await changed("PUT /orders/:id");
    const { shipment } = shipped.read.body.data;
    const corrected = await shipped.put({ shipment: { ...shipment, tracking_number: "X 2" } });
    expect(corrected.body.data.shipment).toEqual({ ...shipment, tracking_number: "X 2" });
    const moved = await shipped.put({ shipment: { ...shipment, shipped_at: "2020-01-01T00:00:00Z" } });
    expect(moved.body.details).toEqual([{ field: "shipment.shipped_at", code: "read_only" }]);
    const returned = await changed("PUT /returns/:id");
    const [item] = returned.read.body.data.items;
    const renamed = await returned.put({ status: "received", items: [{ ...item, intact: 1, name: "Gold" }] });
    expect(renamed.body.details).toEqual([{ field: "items.0.name", code: "read_only" }]);
  });
});

describe("an order that already has the requested status", () => {
  it("stays unchanged, and is refused if the carrier differs", async () => {
    await noRules();
    const { path } = (await adminEndpoints["GET /orders/:id"]?.request(admin.id)) ?? expect.unreachable();
    const put = (body: object) => ask(`PUT /admin${path}`, body);
    const read = await ask(`GET /admin${path}`);
    const before = await written();
    expect(version(await put({ status: "processing" }))).toEqual(version(read));
    expect(await written()).toEqual(before);
    const shipped = { status: "shipped", shipment: { carrier: "Post" } };
    const sent = await put(shipped);
    expect(version(await put(shipped))).toEqual(version(sent));
    expect((await put({ ...shipped, shipment: { carrier: "Coach" } })).body.code).toBe("move_not_allowed");
  });
});
