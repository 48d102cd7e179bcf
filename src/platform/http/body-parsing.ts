import type { HonoRequest } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import {
  badRequest,
  fieldError,
  tooLarge,
  unsupportedCharset,
  unsupportedCoding,
  unsupportedMediaType,
} from "../../domain/errors.ts";

const MAX_JSON_BYTES = 1024 * 1024;

export const jsonLimit = bodyLimit({
  maxSize: MAX_JSON_BYTES,
  onError: () => {
    throw tooLarge(MAX_JSON_BYTES, "1 MB");
  },
});

/** Refuses compressed bodies, which would be parsed as malformed JSON. */
export const plainBodies = createMiddleware(async (c, next) => {
  const coding = c.req.header("Content-Encoding")?.toLowerCase() ?? "identity";
  if (coding !== "identity" && c.req.raw.body !== null) throw unsupportedCoding();
  await next();
});

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** Decodes a body, or throws a 400 with `code`. Bytes that are not UTF-8 would otherwise be replaced silently. */
export function decodeUtf8(bytes: ArrayBuffer, code: "invalid_json" | "invalid_format"): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw badRequest(fieldError("body", code, "must be valid UTF-8"));
  }
}

/** Reads the body as text and keeps it for later readers of the request. */
export async function bodyText(request: HonoRequest, code: "invalid_json" | "invalid_format"): Promise<string> {
  const [, charset = "utf-8"] = CHARSET.exec(request.header("Content-Type") ?? "") ?? [];
  const { text: known } = request.bodyCache;
  const text = (await known) ?? decodeUtf8(await request.arrayBuffer(), code);
  if (text !== "" && !/^(utf-?8|us-ascii)$/i.test(charset)) throw unsupportedCharset();
  Object.assign(request.bodyCache, { text: Promise.resolve(text) });
  return text;
}

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/**
 * Refuses bodies that are not JSON: they would be parsed as empty and their fields reported as missing. An empty body counts
 * as none, whatever its Content-Type.
 */
export const jsonBodies = createMiddleware(async (c, next) => {
  const type = c.req.header("Content-Type");
  const isEmpty = await hasNoBody(c.req);
  if (!isEmpty && !JSON_TYPE.test(type ?? "")) throw unsupportedMediaType("application/json");
  if (isEmpty && type !== undefined) c.req.raw = withoutType(c.req.raw);
  await next();
});

/** A body with a declared length is not read for this, since its sender is not counted yet. */
async function hasNoBody(request: HonoRequest): Promise<boolean> {
  const length = request.header("Content-Length");
  if (length !== undefined || request.raw.body === null) return Number(length ?? 0) === 0;
  return (await bodyText(request, "invalid_json")) === "";
}

function withoutType({ url, method, headers, signal }: Request): Request {
  const typeless = new Headers(headers);
  typeless.delete("Content-Type");
  return new Request(url, { method, headers: typeless, signal });
}
