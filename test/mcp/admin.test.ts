import { eq } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { request, rpc, useTool } from "../support/mcp.ts";
import { ADDRESS, aKey, aProduct, aUser, db } from "../support/shop.ts";

const ADMIN = "/mcp/admin";

type Tool = { name: string; inputSchema: { properties: object; required: string[] }; annotations: object };

let key: string;

beforeAll(async () => {
  ({ key } = await aKey({ permissions: ["read", "write", "payments:write"] }));
});

const toolsOf = async (as: string, query = ""): Promise<Tool[]> =>
  (await rpc(ADMIN + query, as, request("tools/list"))).body.result.tools;
const namesOf = async (as: string, query = "") => (await toolsOf(as, query)).map(({ name }) => name);
const toolNamed = async (name: string) => (await toolsOf(key)).find((tool) => tool.name === name);

it("negotiates a version of the protocol without opening a session", async () => {
  const client = { capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const { status, body, headers } = await rpc(
    ADMIN,
    key,
    request("initialize", { protocolVersion: "2025-06-18", ...client }),
  );
  expect(status).toBe(200);
  expect(body.result).toMatchObject({
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "storefront-admin" },
    instructions: expect.stringContaining("never instructions"),
  });
  expect(headers.get("Mcp-Session-Id")).toBeNull();
  expect((await rpc(ADMIN, key, { jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
  for (const method of ["GET", "DELETE"]) {
    expect((await call(`${method} https://shop.test${ADMIN}`, { as: key })).status).toBe(405);
  }
});

it("supports the 2026 protocol, which has no handshake", async () => {
  const client = "io.modelcontextprotocol/";
  const _meta = {
    [`${client}protocolVersion`]: "2026-07-28",
    [`${client}clientInfo`]: { name: "test", version: "1" },
    [`${client}clientCapabilities`]: {},
  };
  const ask = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
    rpc(ADMIN, key, request(method, { _meta, ...params }), {
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": method,
      ...headers,
    });
  expect((await ask("server/discover")).body.result).toMatchObject({ capabilities: { tools: {} } });
  const used = await ask("tools/call", { name: "getShop", arguments: {} }, { "Mcp-Name": "getShop" });
  expect(used.body.result.content[0].text).toContain('"name":"Storefront"');
  // A stream would stay open for changes that never come.
  expect(await ask("subscriptions/listen", { notifications: { toolsListChanged: true } })).toMatchObject({
    status: 404,
    body: { id: 1, error: { code: -32_601 } },
  });
});

it("lists the operations that the key may use, in the requested groups", async () => {
  const all = await namesOf(key);
  expect(all).toContain("createRefund");
  expect(new Set(all).size).toBe(all.length);

  const { key: reader } = await aKey({ permissions: ["orders:read"] });
  expect(await namesOf(reader)).toContain("adminListOrders");
  for (const name of ["createRefund", "updateOrder", "adminListProducts"])
    expect(await namesOf(reader)).not.toContain(name);

  const grouped = await namesOf(key, "?groups=orders,products");
  expect(grouped).toEqual(expect.arrayContaining(["adminListOrders", "adminListProducts"]));
  expect(grouped).not.toContain("listCustomers");
  const refused = await rpc(`${ADMIN}?groups=orders,everything`, key, request("tools/list"));
  expect(refused).toMatchObject({ status: 400, body: { details: [{ field: "groups", code: "invalid_value" }] } });
});

it("describes each tool's input and effect", async () => {
  expect(await toolNamed("adminListOrders")).toMatchObject({
    description: expect.stringMatching(/^Unpaid orders have/),
    inputSchema: { type: "object", properties: { per_page: { type: "integer" }, number: { type: "string" } } },
    annotations: { readOnlyHint: true },
  });
  expect(await toolNamed("createRefund")).toMatchObject({
    inputSchema: { required: ["id"], properties: { body: { properties: {} }, "Idempotency-Key": {} } },
  });
  // Without hints, clients take a tool for a write that may destroy something.
  expect((await toolNamed("createRefund"))?.annotations).toBeUndefined();
  expect((await toolNamed("createProduct"))?.annotations).toEqual({ destructiveHint: false });
  expect((await toolNamed("deleteProduct"))?.annotations).toBeUndefined();
  expect(await toolNamed("adminCreateQuote")).toMatchObject({ annotations: { readOnlyHint: true } });
});

it("has no tool for files, passwords or secrets", async () => {
  const all = await namesOf(key);
  for (const name of ["uploadFile", "uploadPart", "createUpload", "exportOrders", "followDownloadLink"]) {
    expect(all).not.toContain(name);
  }
  for (const name of ["logIn", "createWebhook", "rotateWebhookSecret", "createApiKey", "rotateFeedUrl"])
    expect(all).not.toContain(name);
});

it("does what the operation does, under the key's name and once per Idempotency-Key", async () => {
  const given = {
    "Idempotency-Key": crypto.randomUUID(),
    body: { name: "Notebook", sku: "MCP-1", type: "physical", price: 12.5 },
  };
  const first = await useTool(ADMIN, key, "createProduct", given);
  expect(first).toMatchObject({ isError: false, answer: { data: { name: "Notebook", price: 12.5 } } });
  expect(await useTool(ADMIN, key, "createProduct", given)).toMatchObject({ answer: { data: first.answer.data } });
  expect(await db.$count(tables.products, eq(tables.products.sku, "MCP-1"))).toBe(1);

  const { id } = first.answer.data;
  const read = await useTool(ADMIN, key, "adminGetProduct", { id });
  const changed = { id, "If-Match": read.answer.etag, body: { price: 14 } };
  expect(await useTool(ADMIN, key, "updateProduct", changed)).toMatchObject({ answer: { data: { price: 14 } } });
  expect(await useTool(ADMIN, key, "updateProduct", changed)).toMatchObject({
    isError: true,
    answer: { code: "precondition_failed" },
  });
  expect(await useTool(ADMIN, key, "deleteProduct", { id })).toMatchObject({ answer: { message: "Done" } });

  const { key: admin } = await aUser({ role: "admin" }).then(({ token }) => ({ key: token }));
  const { body } = await call(`GET /admin/audit-log?subject=product&subject_id=${id}`, { as: admin });
  expect(body.data).toHaveLength(3);
  for (const { actor } of body.data) expect(JSON.stringify(actor)).toMatch(/api_key/);
});

it("refunds half of an order that it finds by its number", async () => {
  const product = await aProduct({ price: 3000 });
  const order = {
    customer: { name: "Greta Guest", email: "greta@shop.test" },
    items: [{ product_id: product.id, quantity: 1 }],
    shipping_address: ADDRESS,
    payment_method: "bank_transfer",
    paid: true,
  };
  const { answer: placed } = await useTool(ADMIN, key, "adminCreateOrder", { body: order });
  const { answer: found } = await useTool(ADMIN, key, "adminListOrders", { number: placed.data.number });
  const [{ id, total }] = found.data;
  const { answer: refunded } = await useTool(ADMIN, key, "createRefund", { id, body: { amount: total / 2 } });
  expect(refunded.data).toMatchObject({ payment_status: "partially_refunded", refunded_total: total / 2 });
});

it("returns refusals as results that a model can act on", async () => {
  expect(await useTool(ADMIN, key, "createProduct", { body: { name: "", price: -1 } })).toMatchObject({
    isError: true,
    answer: { code: "validation_failed", errors: { price: [expect.any(String)] } },
  });
  expect(await useTool(ADMIN, key, "adminGetProduct", { id: 999_999 })).toMatchObject({
    answer: { code: "not_found" },
  });
  for (const [given, said] of [
    [{}, "The argument id is required."],
    [{ id: ".." }, "The argument id must be a non-empty text, a number or a boolean."],
    [{ id: "" }, "The argument id must be a non-empty text, a number or a boolean."],
    [{ id: { of: 1 } }, "The argument id must be a non-empty text, a number or a boolean."],
    [{ id: 1, name: "x" }, "The tool has no argument name. Its arguments: id."],
  ] as const) {
    expect(await useTool(ADMIN, key, "adminGetProduct", given)).toMatchObject({ isError: true, said });
  }
  expect(await useTool(ADMIN, key, "adminGetProduct", { id: "1/stock" })).toMatchObject({ isError: true });
  expect(await useTool(ADMIN, key, "dropEverything")).toMatchObject({ error: { code: -32602 } });
  expect(await useTool(`${ADMIN}?groups=orders`, key, "adminListProducts")).toMatchObject({ error: { code: -32602 } });
});

it("counts a tool's use once against the key's limit", async () => {
  const { key: fresh } = await aKey({ permissions: ["read"] });
  const left = async () => {
    const { headers } = await rpc(ADMIN, fresh, request("tools/call", { name: "getShop", arguments: {} }));
    return Number(headers.get("X-RateLimit-Remaining"));
  };
  const before = await left();
  expect(await left()).toBe(before - 1);
});

it("shortens long lists at whole rows and says how to read on", async () => {
  for (let n = 0; n < 30; n++) await aProduct({ name: `Long ${n}`, description: "word ".repeat(600) });
  const { said, answer, remarks } = await useTool(ADMIN, key, "adminListProducts", { per_page: 30, search: "Long" });
  expect(said.length).toBeLessThanOrEqual(40_000);
  const shown = answer.data.length;
  expect(shown).toBeGreaterThan(5);
  expect(answer.data[shown - 1]).toMatchObject({
    name: expect.stringMatching(/^Long/),
    description: expect.any(String),
  });
  expect(remarks).toEqual([
    `Cut to 40,000 characters: data shows ${shown} of 30 items. Request per_page=${shown} and continue with page.`,
  ]);
});

it("refuses callers without a key, invalid keys, and pages of other sites", async () => {
  const list = request("tools/list");
  const without = await rpc(ADMIN, undefined, list);
  expect(without).toMatchObject({ status: 401, body: { code: "unauthorized" } });
  expect(without.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
  expect((await rpc(ADMIN, "sfk_forged", list)).status).toBe(401);
  const { key: revoked } = await aKey({ revokedAt: Date.now() });
  expect((await rpc(ADMIN, revoked, list)).status).toBe(401);

  expect((await rpc(ADMIN, key, list, { Origin: "https://evil.example" })).status).toBe(403);
  expect((await rpc(ADMIN, key, list, { Origin: "null" })).status).toBe(403);
  for (const Origin of ["https://shop.test", "http://localhost:6274"]) {
    expect((await rpc(ADMIN, key, list, { Origin })).status).toBe(200);
  }
});

it("refuses anything but one JSON-RPC message", async () => {
  expect(await rpc(ADMIN, key, "{")).toMatchObject({ status: 400, body: { error: { code: -32700 } } });
  expect(await rpc(ADMIN, key, [request("ping")])).toMatchObject({ status: 400, body: { error: { code: -32600 } } });
  expect((await rpc(ADMIN, key, { hello: "world" })).status).toBe(400);
  expect((await rpc(ADMIN, key, request("resources/list"))).body.error.code).toBe(-32601);
  expect((await rpc(ADMIN, key, `"${"x".repeat(1_100_000)}"`)).status).toBe(413);
  expect((await rpc(ADMIN, key, request("ping"), { "Content-Type": "text/plain" })).status).toBe(415);
});
