import fc, { type Arbitrary } from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { hostileBody, hostileText, hostileValue } from "../../scripts/fuzz/hostile.ts";
import { request, rpc } from "../support/mcp.ts";
import { runsOf } from "../support/runs.ts";
import { aKey } from "../support/shop.ts";
import { openToAgents, PROFILE } from "../ucp/agent.ts";

type Tool = { name: string; inputSchema: { properties: Record<string, unknown> } };

const mintKey = async () => (await aKey({ permissions: ["read", "write", "payments:write"], tier: "premium" })).key;

let key: string;
let tools: Record<string, Tool[]>;

beforeAll(async () => {
  await openToAgents();
  key = await mintKey();
  const listed = async (address: string) => (await rpc(address, key, request("tools/list"))).body.result.tools;
  tools = { "/mcp": await listed("/mcp"), "/mcp/admin": await listed("/mcp/admin") };
});

/** Valid values of arguments, and values that must be refused. */
const value: Arbitrary<unknown> = fc.oneof(
  hostileValue,
  fc.constantFrom<unknown>(1, "1", { items: [{ product_id: 1, quantity: 1 }] }, { "ucp-agent": { profile: PROFILE } }),
  fc.record({ line_items: fc.array(fc.record({ item: hostileValue, quantity: hostileValue }), { maxLength: 3 }) }),
);

/** A call of an existing tool, with known and unknown arguments. */
const use = (address: string): Arbitrary<object> =>
  fc.constantFrom(...(tools[address] ?? [])).chain(({ name, inputSchema: { properties } }) =>
    fc
      .dictionary(
        fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...Object.keys(properties), "meta") }, hostileText),
        value,
        {
          maxKeys: 5,
          noNullPrototype: true,
        },
      )
      .map((given) => request("tools/call", { name, arguments: given })),
  );

const METHODS = ["initialize", "ping", "tools/list", "tools/call", "server/discover", "notifications/cancelled"];

const anyMessage: Arbitrary<object> = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant("2.0") }, hostileValue),
    id: fc.oneof(fc.nat(), hostileValue),
    method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...METHODS) }, hostileValue),
    params: fc.oneof(fc.record({ name: hostileValue, arguments: hostileValue, _meta: hostileValue }), hostileValue),
  },
  { requiredKeys: [] },
);

const version = fc.constantFrom("2024-11-05", "2025-11-25", "2026-07-28", "1", "");

// To send more messages: RUNS=10000 npx vitest run test/mcp/hostile.test.ts
it.each(["/mcp", "/mcp/admin"])(
  "%s answers hostile messages without a fault",
  { timeout: 1_200_000 },
  async (address) => {
    let sent = 0;
    const message = fc.oneof({ weight: 5, arbitrary: use(address) }, { weight: 3, arbitrary: anyMessage }, hostileBody);
    const property = fc.asyncProperty(message, fc.option(version), async (body, named) => {
      // A key may send 1,000 requests a minute.
      if (++sent % 900 === 0) key = await mintKey();
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const answer = await rpc(address, key, text, named === null ? {} : { "MCP-Protocol-Version": named });
      expect(answer.status).toBeLessThan(500);
      // The library reports unreadable handshake parameters as an internal error.
      if (!text.includes('"initialize"')) expect(answer.body?.error?.code).not.toBe(-32_603);
      expect(answer.body?.result?.content?.[0]?.text ?? "").not.toContain('"internal_error"');
    });
    await fc.assert(property, { numRuns: runsOf(150) });
  },
);
