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

/** A body with a declared length is not read for this, because its sender is not counted yet. */
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

/** Values of a form by field, in order of appearance. */
export type FormFields = Record<string, string[]>;

/** Maximum number of fields in a form. */
export const MOST_FIELDS = 200;

export const tooManyFields = (limit: number) =>
  badRequest(fieldError("body", "too_big", `must have at most ${limit} fields`, { limit }));

/** Parses a URL-encoded form, or refuses it unparsed if it has more than `most` fields. */
export function parseForm(text: string, most = MOST_FIELDS): FormFields {
  if (hasMoreParts(text, most)) throw tooManyFields(most);
  if (!areEscapesUtf8(text)) throw badRequest(fieldError("body", "invalid_format", "must be valid UTF-8"));
  return fieldsByName([...new URLSearchParams(text)].map(([name, value]) => [name, value.replaceAll("\r\n", "\n")]));
}

/** Escapes that are not UTF-8 would be replaced silently. */
function areEscapesUtf8(text: string): boolean {
  try {
    for (const [escapes] of text.matchAll(/(?:%[0-9a-f]{2})+/gi)) decodeURIComponent(escapes);
    return true;
  } catch {
    return false;
  }
}

/** True if an encoded form or query has more than `most` parts. */
export function hasMoreParts(encoded: string, most: number): boolean {
  let parts = 1;
  for (let at = encoded.indexOf("&"); at >= 0 && parts <= most; at = encoded.indexOf("&", at + 1)) parts++;
  return parts > most;
}

export function fieldsByName(fields: Iterable<readonly [string, string]>): FormFields {
  // Has no prototype, because a field may be called `constructor`.
  const byName: FormFields = Object.create(null);
  for (const [name, value] of fields) addField(byName, name, value);
  return byName;
}

export function addField(fields: FormFields, name: string, value: string): void {
  const values = fields[name];
  if (values) values.push(value);
  else fields[name] = [value];
}
