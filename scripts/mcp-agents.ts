import { readFileSync } from "node:fs";
import { Agent } from "./agents/client.ts";
import { serveProfile } from "./agents/profile.ts";
import { buyNotebook } from "./agents/shopper.ts";
import { refundHalf } from "./agents/staff.ts";
import { CREDENTIALS, type DemoAccess } from "./credentials.ts";

// `npm run mcp:agents` simulates two agents that know only what `tools/list` says, against the shop started by `npm
// start`, and prints every call with its answer.

const { base_url, admin }: DemoAccess & { base_url: string } = JSON.parse(readFileSync(CREDENTIALS, "utf8"));

const profile = await serveProfile();
const shopper = new Agent(new URL("/mcp", base_url), { "UCP-Agent": `profile="${profile.url}/profile.json"` });
await buyNotebook(shopper);
profile.close();

const { token } = await api("/user/auth/login", admin);
const { data: key } = await api(
  "/admin/api-keys",
  { name: "Assistant of support", permissions: ["orders:read", "orders:write", "payments:write"] },
  token,
);
const assistant = new Agent(new URL("/mcp/admin?groups=orders", base_url), { Authorization: `Bearer ${key.key}` });
await refundHalf(assistant, "1001");

console.log(`# Buy the cheapest notebook in stock for delivery to Berlin

${shopper.lines.join("\n")}
# Refund order 1001 by half

${assistant.lines.join("\n").trimEnd()}`);

// biome-ignore lint/suspicious/noExplicitAny: two answers, of which two fields are read
async function api(path: string, body: object, as?: string): Promise<any> {
  const response = await fetch(new URL(`/api/v1${path}`, base_url), {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(as !== undefined && { Authorization: `Bearer ${as}` }) },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { data?: { token?: string } };
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer.data?.token === undefined ? answer : answer.data;
}
