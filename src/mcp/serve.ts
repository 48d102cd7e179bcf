import {
  createMcpHandler,
  INVALID_REQUEST,
  localhostAllowedOrigins,
  METHOD_NOT_FOUND,
  originValidationResponse,
  PARSE_ERROR,
  type Server,
} from "@modelcontextprotocol/server";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { parsedJson } from "../domain/json.ts";
import { bodyText } from "../platform/http/body-parsing.ts";

/**
 * Refuses requests from web pages of other sites, as the protocol requires, because a page could have its own name
 * resolved to an address in the visitor's network. Other programs send no Origin.
 */
export const refuseOtherOrigins = createMiddleware<{ Bindings: Env }>(async (c, next) => {
  const own = [c.env.WORKER_URL, c.env.SHOP_URL].filter(Boolean).map((url) => new URL(url).hostname);
  const refusal = originValidationResponse(c.req.raw, [...own, ...localhostAllowedOrigins()]);
  if (refusal) return refusal;
  await next();
});

const [JSON_TYPE, STREAM] = ["application/json", "text/event-stream"];

/**
 * Answers the single JSON-RPC message of a request with a server that `serverFor` creates for its method. Nothing is
 * stored between requests. The answer is JSON unless the client accepts nothing but a stream: the library insists on an
 * Accept header with both types, which many clients do not send.
 */
export async function serveMcp(
  { req }: Context,
  serverFor: (method: unknown) => Server | Promise<Server>,
): Promise<Response> {
  const message = parsedJson(await bodyText(req, "invalid_json"));
  if (message === undefined) return refusal(PARSE_ERROR, "The body is not JSON");
  // Each request is counted once, so it contains one message. The protocol no longer has batches.
  if (Array.isArray(message))
    return refusal(INVALID_REQUEST, "Send one message per request: batches are not supported");
  const method = typeof message === "object" && message !== null && Reflect.get(message, "method");
  const server = await serverFor(method);
  // The lists of tools never change during a connection, so a stream of changes would stay open for nothing.
  if (method === "subscriptions/listen")
    return refusal(METHOD_NOT_FOUND, "Method not found", { id: Reflect.get(Object(message), "id"), status: 404 });
  const handler = createMcpHandler(() => server, { keepAliveMs: 0 });
  const headers = new Headers(req.raw.headers);
  headers.set("Accept", `${JSON_TYPE}, ${STREAM}`);
  const answer = await handler.fetch(new Request(req.url, { method: req.method, headers }), { parsedBody: message });
  // Older versions answer with a stream that opens before the tool is called. It is read to its end, so that middleware
  // gets a complete response.
  const text = answer.body && (await answer.text());
  const [, only] = /^data: (.*)$/m.exec(text ?? "") ?? [];
  const isStream = answer.headers.get("Content-Type")?.startsWith(STREAM) ?? false;
  if (!isStream || only === undefined || req.header("Accept")?.trim() === STREAM) return new Response(text, answer);
  return new Response(only, { status: answer.status, headers: { "Content-Type": JSON_TYPE } });
}

const refusal = (code: number, message: string, { id = null, status = 400 }: { id?: unknown; status?: number } = {}) =>
  Response.json({ jsonrpc: "2.0", id, error: { code, message } }, { status });
