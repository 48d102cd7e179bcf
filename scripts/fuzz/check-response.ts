import { document } from "../openapi/published.ts";
import { validatorOf } from "../openapi/validator.ts";
import type { Operation } from "./document.ts";
import type { Draft, Kind } from "./requests.ts";
import type { Exchange } from "./send.ts";

// Properties that every response must have, whatever was sent.

const complaint = validatorOf(document);

const JSON_TYPE = "application/json";

/** Headers that any response may have: HTTP and the transport. */
const ordinaryHeaders =
  /^(access-control-.*|cache-control|connection|content-(encoding|length|security-policy|type)|cross-origin-resource-policy|date|keep-alive|strict-transport-security|transfer-encoding|vary|x-content-type-options)$/;

export function* checkResponse(operation: Operation, draft: Draft, exchange: Exchange): Generator<string> {
  const { status, headers, text } = exchange;
  if (status >= 500 && !isOfProvider(text)) yield "it is our fault";
  const documented = operation.responses[status];
  if (!documented) return yield "the status is not documented";
  const unknown = [...headers.keys()].filter((name) => !ordinaryHeaders.test(name) && !has(documented.headers, name));
  if (unknown.length > 0) yield `headers are not documented: ${unknown}`;
  for (const [name, { required }] of Object.entries(documented.headers ?? {})) {
    if (required && !headers.has(name)) yield `the header ${name} is missing`;
  }
  if (isCounted(draft.kind) && status !== 401 && !headers.has("RateLimit")) yield "it does not tell the quota";
  const wrong = wrongBody(operation, exchange);
  if (wrong) yield wrong;
  if (!mayAsk(draft.kind, operation) && ![400, 401, 403, 413, 415, 429].includes(status))
    yield "the caller may not do this";
  if (["forged", "nonsense"].includes(draft.kind) && operation.security.length > 0 && status !== 401) {
    yield "the credential is none";
  }
  if (status < 300 && !isAsDocumented(operation, draft, exchange))
    yield "the body is not as documented, and it was taken";
}

/** True if a payment provider cannot be reached, as in a shop without a network. */
const isOfProvider = (text: string): boolean => text.includes('"code":"provider_unavailable"');

const has = (headers: object | undefined, name: string): boolean =>
  Object.keys(headers ?? {}).some((documented) => documented.toLowerCase() === name);

const isCounted = (kind: Kind): boolean => ["lacking", "key", "customer", "administrator"].includes(kind);

function mayAsk(kind: Kind, { security }: Operation): boolean {
  if (security.length === 0 || security.some((needed) => Object.keys(needed).length === 0 && kind === "anonymous"))
    return true;
  if (kind === "key") return security.some(({ ApiKey }) => ApiKey);
  if (kind === "customer") return security.some(({ UserToken }) => UserToken?.length === 0);
  return kind === "administrator" && security.some(({ UserToken }) => UserToken);
}

/** Validates the body of a response against the document's schema. */
function wrongBody({ path, method, responses }: Operation, { status, headers, text }: Exchange): string | null {
  const [[type] = []] = Object.entries(responses[status]?.content ?? {});
  if (!type) return text === "" ? null : "there is a body where none is documented";
  if (type !== JSON_TYPE) return null;
  if (!headers.get("Content-Type")?.startsWith(type)) return `the body is ${headers.get("Content-Type")}`;
  const written = document.paths[path]?.[method.toLowerCase()]?.responses[status];
  const place =
    written && "$ref" in written
      ? String(written.$ref).slice(2).split("/")
      : ["paths", path, method.toLowerCase(), "responses", String(status)];
  return complaint([...place, "content", type, "schema"], JSON.parse(text));
}

/** True if an accepted body is valid by the document, or was not accepted whole. Surrounding spaces are ignored. */
function isAsDocumented({ path, method, requestBody }: Operation, { body }: Draft, { sent, text }: Exchange): boolean {
  if (!requestBody?.content[JSON_TYPE] || !body || body.raw || sent === undefined) return true;
  // A batch tells which of its items were refused.
  if (text !== "" && JSON.parse(text).data?.failed > 0) return true;
  const place = ["paths", path, method.toLowerCase(), "requestBody", "content", JSON_TYPE, "schema"];
  return complaint(place, trimmed(sent)) === null;
}

const trimmed = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, inner) => (typeof inner === "string" ? inner.trim() : inner));
