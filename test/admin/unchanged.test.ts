import { count } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import document from "../../public/openapi.json";
import { auditLog, events, stockAdjustments } from "../../src/platform/db/schema.ts";
import { administration } from "../support/administration.ts";
import { call } from "../support/call.ts";
import { noRules } from "../support/pricing.ts";
import { aProduct, aUser, db } from "../support/shop.ts";
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

/** These routes have no state to send back: uploading a part again replaces it. */
const NO_STATE = ["PUT /uploads/:id/parts/:number"];
const puts = Object.keys(adminEndpoints).filter((line) => line.startsWith("PUT ") && !NO_STATE.includes(line));

/** Fields that responses show in more detail than requests accept, or that can be set only once. */
const READ_ONLY: Record<string, string[]> = {
  "PUT /orders/:id": ["payment_status", "billing_address", "shipment"],
  "PUT /returns/:id": ["decline_reason", "items"],
};

/** Texts of e-mails are read together. */
const READ_TOGETHER = "PUT /email-texts/:template/:language";

/** Names of the fields that a PUT accepts. */
function fieldsOf(line: string): string[] {
  const path = `/api/v1/admin${line.slice("PUT ".length).replace(/:(\w+)/g, "{$1}")}`;
  const operation: unknown = Reflect.get(Reflect.get(document.paths, path), "put");
  const [, name = ""] = /"requestBody".*?schemas\/(\w+)"/.exec(JSON.stringify(operation)) ?? [];
  return Object.keys(Reflect.get(Reflect.get(document.components.schemas, name), "properties"));
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

  if (line === READ_TOGETHER) return;
  it("returns 200 and writes nothing for the body of its own GET", async () => {
    const { path, body } = (await adminEndpoints[line]?.request(admin.id)) ?? expect.unreachable();
    const resource = path.replace(/\/shipments\/\d+$/, "");
    const { note: _, email: _proposed, ...lasting } = Object(body);
    await ask(`PUT /admin${path}`, lasting);
    const read = await ask(`GET /admin${resource}`);
    const state = path === resource ? (read.body.data.content ?? read.body.data) : read.body.data.shipments[0];
    const names = fieldsOf(line).filter((name) => name in state && !READ_ONLY[line]?.includes(name));
    const known = Object.fromEntries(names.map((name) => [name, state[name]]));
    expect(Object.keys(known)).not.toEqual([]);
    const before = await written();
    const put = await ask(`PUT /admin${path}`, known);
    expect(put.body.details).toBeUndefined();
    expect(version(put)).toMatchObject(version(read));
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

it("an account's address and profile stay unchanged when they are sent back as read", async () => {
  const { token } = await aUser({ role: "admin" });
  const own = (line: string, body?: unknown) => call(line, { as: token, ...(body !== undefined && { body }) });
  const place = { name: "A", address: "B", city: "C", zip: "BS1 5TY", country: "GB" };
  const { id, created_at: _c, updated_at: _u, ...address } = (await own("POST /account/addresses", place)).body.data;
  const { data: profile } = (await own("GET /account/profile")).body;
  const before = await written();
  const put = await own(`PUT /account/addresses/${id}`, address);
  expect(put).toMatchObject({ status: 200, body: { data: { id, updated_at: _u } } });
  const { name, phone, company, accepts_marketing, metadata } = profile;
  const same = await own("PUT /account/profile", { name, phone, company, accepts_marketing, metadata });
  expect([same.status, same.body.data]).toEqual([200, profile]);
  expect(await written()).toEqual(before);
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
