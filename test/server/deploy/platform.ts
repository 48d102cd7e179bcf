import type { IncomingMessage, ServerResponse } from "node:http";
import { listen } from "../../../scripts/listen.ts";
import type { Answer, Call } from "./call.ts";
import { answerDatabase, type Databases, receiveUpload } from "./databases.ts";
import { answerWorker, type Version, type Worker } from "./worker.ts";

// A stand-in for the parts of the platform's API that wrangler calls to deploy this project. Its state can be read
// back: databases run statements, versions keep their tags, and secrets are listed by name.

type Account = {
  databases: Databases;
  buckets: string[];
  workers: Map<string, Worker>;
  /** Name of the workers.dev subdomain. Empty if there is none. */
  subdomain: string;
  /** Ids of versions that have answered a request. */
  answered: Set<string>;
};

/** Answers a request to the Worker by one of its versions. */
export type Serve = (version: Version, call: Call) => Promise<Response>;

const health: Serve = async ({ id }, { path }) =>
  path === "/health"
    ? Response.json({ status: "success", message: "", data: { version: id } })
    : Response.json({ message: `There is no ${path}` }, { status: 400 });

/** The databases' files are in `folder`. Versions of the Worker answer only `/health`, unless `serve` runs them. */
export async function openPlatform(folder: string, serve = health) {
  const account: Account = {
    databases: new Map(),
    buckets: [],
    workers: new Map(),
    subdomain: "shop",
    answered: new Set(),
  };
  const calls: Call[] = [];
  const network = { isDown: false, failsAfter: (_: Call) => false };
  const server = await listen(async (request, response) => {
    const call = await read(request);
    if (network.isDown) return void request.socket.destroy();
    const etag = receiveUpload(account.databases, call);
    if (etag) return void response.writeHead(200, { ETag: `"${etag}"` }).end();
    const version = /^\/(?:accounts|user|memberships|graphql)\b/.test(call.path)
      ? undefined
      : versionFor(account, call);
    if (version) {
      account.answered.add(version.id);
      return await forward(await serve(version, call), response);
    }
    calls.push(call);
    const answer = answerTo(account, call, folder);
    network.isDown = network.failsAfter(call);
    if (network.isDown) return void request.socket.destroy();
    send(response, answer ?? { code: 7_003, message: `There is no ${call.method} ${call.path}` });
  });
  return {
    ...server,
    account,
    calls,
    /** `failsAfter` tells after which call, once it took effect, the network goes down. */
    network,
  };
}

async function read(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method = "", url: path = "", headers } = request;
  const raw = Buffer.concat(chunks);
  const { host = "", "content-type": type = "" } = headers;
  return { method, path, host, headers, type, raw, body: raw.toString() };
}

async function forward(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
}

function send(response: ServerResponse, answer: Answer): void {
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

/** The version that the request names if it has traffic, otherwise the one with the most traffic. */
function versionFor({ workers }: Account, { headers }: Call): Version | undefined {
  const [, name = "storefront", named] =
    /^([\w-]+)="([\w-]+)"/.exec(String(headers["cloudflare-workers-version-overrides"] ?? "")) ?? [];
  const worker = workers.get(name) ?? [...workers.values()][0];
  const shares = worker?.deployments[0]?.versions ?? [];
  const [largest] = shares.toSorted((one, other) => other.percentage - one.percentage);
  const { version_id } = shares.find((share) => share.version_id === named) ?? largest ?? {};
  return worker?.versions.find(({ id }) => id === version_id);
}

function answerTo(account: Account, call: Call, folder: string): Answer | undefined {
  const [path = ""] = call.path.split("?");
  const route = `${call.method} ${path}`;
  if (route === "GET /user/tokens/verify") return { result: { id: "token", status: "active" } };
  if (route === "GET /user") return { result: { id: "user", email: "owner@shop.example" } };
  if (/^GET \/(accounts|memberships)$/.test(route)) {
    return { result: [{ id: "acc", name: "Shop", account: { id: "acc", name: "Shop" } }] };
  }
  return (
    answerBuckets(account, route, call) ??
    answerDatabase(account.databases, route, call.body, folder, call.host) ??
    answerWorker(account, route, call)
  );
}

function answerBuckets({ buckets }: Account, route: string, { body }: Call): Answer | undefined {
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
