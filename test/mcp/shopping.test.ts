import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { anAgent, signed } from "../agents/support.ts";
import { TEST_CARD } from "../payments/support/test-card.ts";
import { anAddress, callWith, ORIGIN } from "../support/call.ts";
import { request, rpc } from "../support/mcp.ts";
import { aShippingMethod, settleShop } from "../support/pricing.ts";
import { aProduct, db } from "../support/shop.ts";
import { aBuyer, deliveredTo, linesOf, openToAgents, PROFILE, paidBy } from "../ucp/agent.ts";

const MCP = "/mcp";

beforeAll(async () => {
  await openToAgents();
  await aShippingMethod({ name: "Post", price: 500 });
});

const meta = { "ucp-agent": { profile: PROFILE } };

/** Calls a tool as an agent does, and returns the result in the sense of the protocol. */
async function use(name: string, given: object, headers?: Record<string, string>) {
  const { body } = await rpc(MCP, undefined, request("tools/call", { name, arguments: given }), headers, TEST_CARD);
  if (body.result) expect(JSON.parse(body.result.content[0].text)).toEqual(body.result.structuredContent);
  return { answer: body.result?.structuredContent, error: body.error };
}

it("lists the operations of the protocol with schemas of their arguments", async () => {
  const { tools } = (await rpc(MCP, undefined, request("tools/list"))).body.result;
  expect(tools.map(({ name }: { name: string }) => name)).toEqual([
    ...["search_catalog", "lookup_catalog", "get_product"],
    ...["create_cart", "get_cart", "update_cart", "cancel_cart"],
    ...["create_checkout", "get_checkout", "update_checkout", "complete_checkout", "cancel_checkout"],
    "get_order",
  ]);
  const create = tools.find(({ name }: { name: string }) => name === "create_checkout");
  expect(create.inputSchema).toMatchObject({
    required: ["meta", "checkout"],
    properties: { checkout: { properties: { line_items: { items: { properties: { item: { required: ["id"] } } } } } } },
  });
});

it("answers operations as the REST binding does", async () => {
  const { id } = await aProduct({ name: "Ruled notebook", price: 1250 });
  const { answer } = await use("search_catalog", { meta, catalog: { query: "notebook" } });
  expect(answer).toMatchObject({
    ucp: { status: "success" },
    products: [{ title: "Ruled notebook", variants: [{ id: String(id), price: { amount: 1250 } }] }],
  });
});

it("sells to an agent once per idempotency key and once per session", async () => {
  const product = await aProduct({ name: "Dotted notebook", price: 1250, stock: 3 });
  const checkout = { line_items: linesOf(product), buyer: aBuyer(), fulfillment: deliveredTo() };
  const keyed = { ...meta, "idempotency-key": crypto.randomUUID() };
  const from = { "CF-Connecting-IP": anAddress() };
  const { answer: first } = await use("create_checkout", { meta: keyed, checkout }, from);
  expect((await use("create_checkout", { meta: keyed, checkout }, from)).answer.id).toBe(first.id);

  const { id } = first;
  const [option] = first.fulfillment.methods[0].groups[0].options;
  const chosen = { line_items: linesOf(product, 2), fulfillment: deliveredTo(undefined, option.id) };
  const { answer: ready } = await use("update_checkout", { meta, id, checkout: chosen });
  expect(ready).toMatchObject({ id, status: "ready_for_complete" });
  const { answer: completed } = await use("complete_checkout", { meta, id, checkout: paidBy() });
  expect(completed).toMatchObject({ status: "completed", order: { label: expect.stringMatching(/^#\d+$/) } });
  expect(await use("complete_checkout", { meta, id, checkout: paidBy() })).toMatchObject({
    answer: { order: completed.order },
  });
  const { answer: order } = await use("get_order", { meta, id: completed.order.id });
  expect(order).toMatchObject({ checkout_id: id, line_items: [{ quantity: { total: 2 } }] });
  expect(await db.$count(tables.orders)).toBe(1);
});

it.each([["application/json"], ["*/*"], [""], ["application/json, text/event-stream"]])(
  "answers JSON to a client that accepts %j",
  async (Accept) => {
    const headers = { Accept };
    const answer = await callWith(TEST_CARD, `POST ${ORIGIN}${MCP}`, { body: request("tools/list"), headers });
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "application/json"]);
    expect(answer.body.result.tools).toHaveLength(13);
  },
);

it("answers a stream to a client that accepts nothing else", async () => {
  const headers = { Accept: "text/event-stream" };
  const answer = await callWith(TEST_CARD, `POST ${ORIGIN}${MCP}`, { body: request("tools/list"), headers });
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "text/event-stream"]);
});

it("takes the agent from the header if the arguments name none", async () => {
  const given = { catalog: { ids: ["999999"] } };
  const named = await use("lookup_catalog", given, { "UCP-Agent": `profile="${PROFILE}"` });
  expect(named.answer).toMatchObject({ products: [], messages: [{ code: "not_found" }] });
  expect(await use("lookup_catalog", given)).toMatchObject({
    error: { code: -32_001, data: { code: "invalid_profile_url" } },
  });
});

it("takes the agent from the address of a connector that can set no headers, and lists meta as required otherwise", async () => {
  const address = `${MCP}?profile=${encodeURIComponent(PROFILE)}`;
  const { tools } = (await rpc(address, undefined, request("tools/list"))).body.result;
  const search = tools.find(({ name }: { name: string }) => name === "search_catalog");
  expect(search.inputSchema.required).toEqual(["catalog"]);
  const call = { name: "search_catalog", arguments: { catalog: { query: "lamp" } } };
  const { body } = await rpc(address, undefined, request("tools/call", call));
  expect(body.result.structuredContent).toMatchObject({ ucp: { status: "success" } });
  const { tools: others } = (await rpc(MCP, undefined, request("tools/list"))).body.result;
  for (const { inputSchema } of others) {
    expect(inputSchema.required).toContain("meta");
    expect(inputSchema.properties.meta.required).toEqual(["ucp-agent"]);
  }
});

it("verifies the signature of a signing agent over the message as it was sent", async () => {
  const agent = await anAgent();
  const body = JSON.stringify(request("tools/call", { name: "search_catalog", arguments: { catalog: {} } }));
  const ask = async (sent: Request) => {
    const text = await (await app.fetch(sent, env, createExecutionContext())).text();
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  };
  const signedRequest = () =>
    signed(agent, { path: "/mcp", body, headers: { accept: "application/json, text/event-stream" } });
  // This agent's profile declares no capability.
  const { result } = await ask(await signedRequest());
  expect(result.structuredContent.messages).toMatchObject([{ code: "capabilities_incompatible" }]);
  const forged = new Request(await signedRequest(), { body: body.replace("search_catalog", "get_product") });
  expect(await ask(forged)).toMatchObject({ error: { code: -32_600, data: { code: "digest_mismatch" } } });
});

it("refuses arguments by field, unknown tools, and everything while the shop is closed to agents", async () => {
  expect(await use("search_catalog", { meta })).toMatchObject({
    error: { code: -32_602, message: expect.stringContaining("catalog is required") },
  });
  expect(await use("lookup_catalog", { meta, catalog: { ids: Array(51).fill("1") } })).toMatchObject({
    error: { code: -32_602, data: { code: "request_too_large" } },
  });
  expect(await use("steal_catalog", { meta })).toMatchObject({ error: { code: -32_602 } });

  await settleShop({ agentAccess: "off" });
  expect((await rpc(MCP, undefined, request("tools/list"))).status).toBe(404);
  expect(await use("search_catalog", { meta, catalog: {} })).toMatchObject({ error: { code: -32_000 } });
  await openToAgents();
});
