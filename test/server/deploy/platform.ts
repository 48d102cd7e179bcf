import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answered, answerDatabase, type Databases } from "./databases.ts";
import { answerWorker, type Worker } from "./worker.ts";

// A stand-in for the parts of the platform's API that wrangler calls to deploy this project. Its state can be read
// back: databases run statements, versions keep their tags, and secrets are listed by name.

export type Account = {
  databases: Databases;
  buckets: string[];
  workers: Map<string, Worker>;
  /** Ids of versions that have answered `/health`, the only route. */
  answered: Set<string>;
};

export type Call = { method: string; path: string; body: string };

/** Answer of the API: `result` in its envelope, or an error with the platform's code. */
type Answer = Answered | undefined;

export async function openPlatform() {
  const account: Account = {
    databases: new Map(),
    buckets: [],
    workers: new Map(),
    answered: new Set(),
  };
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const call = await read(request);
    if (call.path === "/health") {
      return health(response, account, String(request.headers["cloudflare-workers-version-overrides"] ?? ""));
    }
    calls.push(call);
    send(response, answerTo(account, call) ?? { code: 7_003, message: `There is no ${call.method} ${call.path}` });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    account,
    calls,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function read(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return { method: request.method ?? "", path: request.url ?? "", body: Buffer.concat(chunks).toString() };
}

function send(response: ServerResponse, answer: Answered): void {
  const failed = "code" in answer;
  response.writeHead(failed ? 400 : 200, { "Content-Type": "application/json" });
  const envelope = {
    success: !failed,
    errors: failed ? [answer] : [],
    messages: [],
    ...(failed ? { result: null } : answer),
  };
  response.end(JSON.stringify(envelope));
}

/**
 * The Worker's own URL. The version that the request names answers if it has traffic, otherwise the one with the most
 * traffic.
 */
function health(response: ServerResponse, { workers, answered }: Account, override: string): void {
  const shares = workers.get("storefront")?.deployments[0]?.versions ?? [];
  const [, named] = /storefront="([\w-]+)"/.exec(override) ?? [];
  const [largest] = shares.toSorted((one, other) => other.percentage - one.percentage);
  const { version_id: version = "" } = shares.find(({ version_id }) => version_id === named) ?? largest ?? {};
  answered.add(version);
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ status: "success", message: "", data: { version } }));
}

function answerTo(account: Account, call: Call): Answer {
  const [path = ""] = call.path.split("?");
  const route = `${call.method} ${path}`;
  if (route === "GET /user/tokens/verify") return { result: { id: "token", status: "active" } };
  if (route === "GET /user") return { result: { id: "user", email: "owner@shop.example" } };
  if (/^GET \/(accounts|memberships)$/.test(route)) {
    return { result: [{ id: "acc", name: "Shop", account: { id: "acc", name: "Shop" } }] };
  }
  return (
    answerBuckets(account, route, call) ??
    answerDatabase(account.databases, route, call) ??
    answerWorker(account, route, call)
  );
}

function answerBuckets({ buckets }: Account, route: string, { body }: Call): Answer {
  const [, method, name] = /^(\w+) \/accounts\/acc\/r2\/buckets(?:\/([\w-]+))?$/.exec(route) ?? [];
  if (method === "POST") {
    buckets.push(JSON.parse(body).name);
    return { result: {} };
  }
  if (method !== "GET") return undefined;
  if (name === undefined) return { result: { buckets: buckets.map((bucket) => ({ name: bucket })) } };
  if (!buckets.includes(name)) return { code: 10_006, message: "The specified bucket does not exist." };
  return { result: { name, creation_date: "2026-01-01", location: "WEUR", storage_class: "Standard" } };
}
