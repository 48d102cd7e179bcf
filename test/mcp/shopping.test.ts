import { beforeAll, expect, it } from "vitest";
import { request, rpc } from "../support/mcp.ts";
import { settleShop } from "../support/pricing.ts";
import { aProduct } from "../support/shop.ts";
import { openToAgents, PROFILE } from "../ucp/agent.ts";

const MCP = "/mcp";

beforeAll(openToAgents);

const meta = { "ucp-agent": { profile: PROFILE } };

/** Uses a tool as an agent does, and returns what the protocol calls the result. */
async function use(name: string, given: object, headers?: Record<string, string>) {
  const { body } = await rpc(MCP, undefined, request("tools/call", { name, arguments: given }), headers);
  if (body.result) expect(JSON.parse(body.result.content[0].text)).toEqual(body.result.structuredContent);
  return { answer: body.result?.structuredContent, error: body.error };
}

it("lists the operations of the protocol with schemas of their arguments", async () => {
  const { tools } = (await rpc(MCP, undefined, request("tools/list"))).body.result;
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(["search_catalog", "lookup_catalog", "get_product"]);
});

it("answers operations as the REST binding does", async () => {
  const { id } = await aProduct({ name: "Ruled notebook", price: 1250 });
  const { answer } = await use("search_catalog", { meta, catalog: { query: "notebook" } });
  expect(answer).toMatchObject({
    ucp: { status: "success" },
    products: [{ title: "Ruled notebook", variants: [{ id: String(id), price: { amount: 1250 } }] }],
  });
});

it("takes the agent from the header if the arguments name none", async () => {
  const given = { catalog: { ids: ["999999"] } };
  const named = await use("lookup_catalog", given, { "UCP-Agent": `profile="${PROFILE}"` });
  expect(named.answer).toMatchObject({ products: [], messages: [{ code: "not_found" }] });
  expect(await use("lookup_catalog", given)).toMatchObject({
    error: { code: -32_001, data: { code: "invalid_profile_url" } },
  });
});

it("refuses arguments by field, unknown tools, and everything while the shop is closed to agents", async () => {
  expect(await use("search_catalog", { meta })).toMatchObject({
    error: { code: -32_602, message: expect.stringContaining("catalog is required") },
  });
  expect(await use("lookup_catalog", { meta, catalog: { ids: Array(51).fill("1") } })).toMatchObject({
    error: { code: -32_602, data: { messages: [{ path: "$.catalog.ids" }] } },
  });
  expect(await use("steal_catalog", { meta })).toMatchObject({ error: { code: -32_602 } });

  await settleShop({ agentAccess: "off" });
  expect((await rpc(MCP, undefined, request("tools/list"))).status).toBe(404);
  expect(await use("search_catalog", { meta, catalog: {} })).toMatchObject({ error: { code: -32_000 } });
  await openToAgents();
});
