import type { webhooks } from "./schema.ts";

type Payload<Type extends keyof webhooks> = webhooks[Type] extends {
  post: { requestBody: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** A webhook's event. `data` depends on `type`. `id` is the same in every delivery of the event. */
export type WebhookEvent = { [Type in keyof webhooks]: { id: string } & Payload<Type> }[keyof webhooks];

export type WebhookVerification = {
  /** Maximum age of a signature in seconds, or distance into the future. */
  toleranceSeconds?: number;
};

/** The request was not signed with the secret, was changed or is too old. Respond with 400 and do nothing else. */
export class WebhookVerificationError extends Error {
  override name = "WebhookVerificationError";
}

/** Headers of a `Request` or of Node. */
type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

const PREFIX = "whsec_";
const utf8 = new TextEncoder();

/**
 * Verifies the signature of a webhook and returns its event. `payload` is the raw body, not parsed and serialized again. Pass
 * several secrets while one replaces another. Follows Standard Webhooks 1.0.
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300 }: WebhookVerification = {},
): Promise<WebhookEvent> {
  const read = headerReader(headers);
  const [id, timestamp, signature] = [read("webhook-id"), read("webhook-timestamp"), read("webhook-signature")];
  requireFresh(timestamp, toleranceSeconds);
  const body = typeof payload === "string" ? utf8.encode(payload) : payload;
  const signed = concat(utf8.encode(`${id}.${timestamp}.`), body);
  const keys = await Promise.all([secrets].flat().map(keyOf));
  const matches = signaturesIn(signature).flatMap((bytes) =>
    // Compares in constant time.
    keys.map((key) => crypto.subtle.verify("HMAC", key, bytes, signed)),
  );
  if (!(await Promise.all(matches)).includes(true)) throw new WebhookVerificationError("No signature matches");
  return { ...JSON.parse(new TextDecoder().decode(body)), id };
}

function headerReader(headers: WebhookHeaders): (name: string) => string {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const known = new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = known.get(name);
    if (typeof value !== "string" || value === "") throw new WebhookVerificationError(`The header ${name} is missing`);
    return value;
  };
}

function requireFresh(timestamp: string, toleranceSeconds: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError("The header webhook-timestamp is not a valid time");
  const age = Math.floor(Date.now() / 1000) - Number(timestamp);
  if (age > toleranceSeconds) throw new WebhookVerificationError("The webhook is too old");
  if (-age > toleranceSeconds) throw new WebhookVerificationError("The timestamp of the webhook is in the future");
}

const keyOf = (secret: string): Promise<CryptoKey> => {
  const bytes = secret.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : null;
  if (!bytes || bytes.length === 0) throw new TypeError(`A webhook secret must be ${PREFIX} followed by base64`);
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
};

/** Signatures of version 1. Unknown versions are ignored. */
const signaturesIn = (header: string) =>
  header.split(" ").flatMap((entry) => (entry.startsWith("v1,") ? (bytesOf(entry.slice("v1,".length)) ?? []) : []));

/** Null if the text is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function concat(left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(left.length + right.length);
  whole.set(left);
  whole.set(right, left.length);
  return whole;
}
