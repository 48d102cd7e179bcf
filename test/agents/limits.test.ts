import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import document from "../../public/openapi.json";
import { anAddress, callWith, ORIGIN } from "../support/call.ts";
import { settleShop } from "../support/pricing.ts";
import { anAgent, signed } from "./support.ts";

/** More requests than an address without a credential may send in a minute. */
const MANY = 150;

beforeAll(() => settleShop({ agentAccess: "open" }));

/** Sends a request many times from one address, and returns the statuses that differ. */
async function flood(line: string, asked: { body?: unknown; headers?: Record<string, string> } = {}) {
  const headers = { "CF-Connecting-IP": anAddress(), ...asked.headers };
  const statuses = new Set<number>();
  for (let sent = 0; sent < MANY && !statuses.has(429); sent += 25) {
    const answers = Array.from({ length: 25 }, () => callWith({ PUBLIC_CATALOG: "true" }, line, { ...asked, headers }));
    for (const { status } of await Promise.all(answers)) statuses.add(status);
  }
  return statuses;
}

const UCP = `${ORIGIN}/ucp/v1`;

const agentRoutes = [
  `GET ${ORIGIN}/.well-known/ucp`,
  ...["search", "lookup", "product"].map((name) => `POST ${UCP}/catalog/${name}`),
  ...["carts", "checkout-sessions"].flatMap((name) => [
    `POST ${UCP}/${name}`,
    `GET ${UCP}/${name}/x`,
    `PUT ${UCP}/${name}/x`,
    `POST ${UCP}/${name}/x/cancel`,
  ]),
  `POST ${UCP}/checkout-sessions/x/complete`,
  `GET ${UCP}/orders/x`,
  `GET ${UCP}/nothing`,
  `POST ${ORIGIN}/mcp`,
];

const bodyOf = (line: string) => (line.startsWith("GET") ? {} : { body: "{" });

describe("an address that sends many malformed requests is refused", () => {
  it.each(agentRoutes)("at %s", async (line) => {
    const named = { "UCP-Agent": 'profile="https://agent.example.com/profile.json"' };
    expect(await flood(line, { ...bodyOf(line), headers: named })).toContain(429);
  });

  it.each(agentRoutes)("at %s with a signature of no agent", async (line) => {
    expect(await flood(line, { ...bodyOf(line), headers: { "Signature-Input": "sig1=()" } })).toContain(429);
  });

  it.each(["https://10.0.0.1/profile.json", "http://agent.example.com/", "nothing"])(
    "with the profile %s",
    async (profile) => {
      const headers = { "UCP-Agent": `profile="${profile}"` };
      expect(await flood(`GET ${UCP}/orders/x`, { headers })).toContain(429);
      expect(await flood(`GET ${UCP}/orders/x`, { headers: { ...headers, "Signature-Input": "sig1=()" } })).toContain(
        429,
      );
    },
  );

  it.each([
    { name: "steal_catalog", arguments: {} },
    { name: "search_catalog", arguments: { meta: "wrong" } },
    { name: "search_catalog", arguments: { meta: { "ucp-agent": { profile: 7 } } } },
    { name: 7 },
  ])("with the MCP call %j", async (params) => {
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const headers = { Accept: "application/json, text/event-stream" };
    expect(await flood(`POST ${ORIGIN}/mcp`, { body, headers })).toContain(429);
    expect(await flood(`POST ${ORIGIN}/mcp`, { body, headers: { ...headers, "Signature-Input": "x" } })).toContain(429);
  });
});

const anonymous = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, { security }]: [string, { security?: object[] }]) =>
    security?.some((schemes) => Object.keys(schemes).length === 0)
      ? [`${method.toUpperCase()} ${ORIGIN}${path.replace("{id}", "0")}`]
      : [],
  ),
);

it.each(anonymous)("an address that sends many requests without a credential is refused at %s", async (line) => {
  expect(await flood(line, bodyOf(line))).toContain(429);
});

it("an agent that signs is not limited like an anonymous address, and invalid input counts as its own", async () => {
  const agent = await anAgent();
  const address = anAddress();
  const ask = async () => {
    const request = await signed(agent, { path: "/ucp/v1/carts", body: "{" });
    request.headers.set("CF-Connecting-IP", address);
    return (await exports.default.fetch(request)).status;
  };
  const statuses = new Set<number>();
  for (let sent = 0; sent < MANY; sent += 25)
    for (const status of await Promise.all(Array.from({ length: 25 }, ask))) statuses.add(status);
  expect([...statuses]).toEqual([400]);
});
