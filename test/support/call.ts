import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { exports } from "cloudflare:workers";
import { app } from "../../src/app.ts";
import { withinQueries } from "./counting.ts";
import { requireDocumented } from "./documented-codes.ts";

export type Answer = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests are about
  body: any;
};

type Options = {
  /** A bearer credential. */
  as?: string | undefined;
  /** Sent as JSON, except strings, forms and bytes, which are sent as they are. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Origin of the request, as the platform's network reports it. */
  cf?: { continent?: string; country?: string; colo?: string };
};

export const ORIGIN = "https://shop.test";
export const BASE = `${ORIGIN}/api/v1/user`;

/**
 * A bookmark that accepts any state of the database. Tests write rows directly, so requests with a bookmark bypass the
 * catalogue's cache.
 */
const BEGINNING = "00000000-00000000-00000000-00000000000000000000000000000000";

let callers = 0;

/** A new caller address, so that no test reaches another test's limit by address. */
export const anAddress = () => `2001:db8:${(++callers).toString(16)}::1`;

let identified = 0;
let shared = "";

/**
 * Each address costs a Durable Object, half the cost of a request with a credential. So ten requests in a row share
 * one, fewer than the failures that an address may have in a minute. Sign-ins, recovery and other requests limited by
 * address have one each.
 */
function addressFor(path: string, as: string | undefined): string {
  if (as === undefined || path.includes("/auth/")) return anAddress();
  if (identified++ % 10 === 0) shared = anAddress();
  return shared;
}

/** The path is below /api/v1/user, except for admin routes, the deployment's own (`/.well-known`) and complete URLs. */
function addressOf(path: string): string {
  if (path.startsWith("http")) return path;
  if (path.startsWith("/.")) return `${ORIGIN}${path}`;
  return path.startsWith("/admin/") ? `${ORIGIN}/api/v1${path}` : `${BASE}${path}`;
}

const isRaw = (body: unknown): body is string | FormData | Uint8Array<ArrayBuffer> | ReadableStream =>
  typeof body === "string" || body instanceof FormData || body instanceof Uint8Array || body instanceof ReadableStream;

const sent = new Map<string, number>();

/** Number of requests made with a credential. */
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

const read = async (request: Request, response: Response): Promise<Answer> => {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = /\bjson\b/.test(headers.get("Content-Type") ?? "");
  const body = isJson ? JSON.parse(text) : text;
  const { pathname: path } = new URL(request.url);
  if (status >= 400 && path.startsWith("/api/v1/") && isJson)
    await requireDocumented({ method: request.method, path, status, code: body.code });
  return { status, headers, body };
};

/** `call("POST /orders", { as, body })` sends one request to the Worker. For its path see addressOf. */
export async function call(line: string, options?: Options): Promise<Answer> {
  const request = requestTo(line, options);
  return read(request, await exports.default.fetch(request));
}

/** Sends one request to the Worker, with some of its bindings replaced by counting or failing ones. */
export async function callWith(bindings: Partial<Env>, line: string, options?: Options): Promise<Answer> {
  return withinQueries(bindings, async (counted) => {
    const context = createExecutionContext();
    const request = requestTo(line, options);
    const answer = await read(request, await app.fetch(request, counted, context));
    await waitOnExecutionContext(context);
    return answer;
  });
}
