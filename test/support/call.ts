import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { app } from "../../src/app.ts";

export type Answer = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests are about
  body: any;
};

type Options = {
  /** A bearer credential. */
  as?: string | undefined;
  /** Sent as JSON, unless it is a string, a form or bytes already. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Origin of the request, as the platform's network reports it. */
  cf?: { continent?: string; country?: string; colo?: string };
};

export const ORIGIN = "https://shop.test";
export const BASE = `${ORIGIN}/api/v1/user`;

/** Any state is as new: a test writes rows behind the Worker's back, so it reads past the catalogue's cache. */
const BEGINNING = "00000000-00000000-00000000-00000000000000000000000000000000";

let callers = 0;

/** A caller of its own for each request, so that no test meets another's limit by address. */
export const anAddress = () => `2001:db8:${(++callers).toString(16)}::1`;

let identified = 0;
let shared = "";

/**
 * Each address costs an object, which is half of what a request with a credential costs. So ten of them in a row share one:
 * fewer than may fail from it in a minute. Signing in, recovery and all that is limited by address have one each.
 */
function addressFor(path: string, as: string | undefined): string {
  if (as === undefined || path.includes("/auth/")) return anAddress();
  if (identified++ % 10 === 0) shared = anAddress();
  return shared;
}

/** Below /api/v1/user, but for the administrator's routes, the deployment's own (`/.well-known`) and whole addresses. */
function addressOf(path: string): string {
  if (path.startsWith("http")) return path;
  if (path.startsWith("/.")) return `${ORIGIN}${path}`;
  return path.startsWith("/admin/") ? `${ORIGIN}/api/v1${path}` : `${BASE}${path}`;
}

const isRaw = (body: unknown): body is string | FormData | Uint8Array<ArrayBuffer> | ReadableStream =>
  typeof body === "string" || body instanceof FormData || body instanceof Uint8Array || body instanceof ReadableStream;

const sent = new Map<string, number>();

/** Requests that were made with a credential. */
export const sentBy = (credential: string): number => sent.get(credential) ?? 0;

export function requestTo(line: string, { as, body, headers = {}, cf }: Options = {}): Request {
  const [method = "GET", path = "/"] = line.split(" ");
  if (as !== undefined) sent.set(as, sentBy(as) + 1);
  return new Request(addressOf(path), {
    method,
    headers: {
      "CF-Connecting-IP": addressFor(path, as),
      "x-d1-bookmark": BEGINNING,
      ...(as !== undefined && { Authorization: `Bearer ${as}` }),
      ...(body !== undefined && !(body instanceof FormData) && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(cf && { cf }),
    ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
}

const read = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get("Content-Type") ?? "");
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
};

/** `call("POST /orders", { as, body })`: one request to the Worker; see addressOf for its path. */
export const call = async (line: string, options?: Options): Promise<Answer> =>
  read(await exports.default.fetch(requestTo(line, options)));

/** One request to the Worker, with some of its bindings replaced by counted or faulty ones. */
export async function callWith(bindings: Partial<Env>, line: string, options?: Options): Promise<Answer> {
  const context = createExecutionContext();
  const answer = await read(await app.fetch(requestTo(line, options), { ...env, ...bindings }, context));
  await waitOnExecutionContext(context);
  return answer;
}
