import { createHmac } from "node:crypto";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { sameSecret } from "../../platform/auth/secrets.ts";
import { decodeUtf8 } from "../../platform/http/body-parsing.ts";

// Stripe's scheme of signatures, which the test provider uses as well.

/** Maximum age of a signature, which includes its time. An older one may be a replay. */
const TOLERANCE_S = 300;

const macOf = (secret: string, signedAt: string, payload: string): string =>
  createHmac("sha256", secret).update(`${signedAt}.${payload}`).digest("hex");

/** The header that signs a payload: `t=<epoch seconds>,v1=<hex>`. */
export function signatureHeader(payload: string, secret: string, now: number): string {
  const signedAt = String(Math.floor(now / 1000));
  return `t=${signedAt},v1=${macOf(secret, signedAt, payload)}`;
}

/**
 * Returns true if `header` (`t=<epoch seconds>,v1=<hex>[,v1=<hex>…]`) is a signature of the payload at `now` (epoch
 * milliseconds) with one of the secrets. While a secret is rolled, the sender signs with both, and one valid signature is
 * enough.
 */
function isSigned(payload: string, header: string, secrets: readonly string[], now: number): boolean {
  const pairs = header.split(",").map((pair) => pair.trim().split("="));
  const valuesOf = (name: string) => pairs.flatMap(([key, value]) => (key === name && value ? [value] : []));
  const [signedAt = ""] = valuesOf("t");
  if (!/^\d{1,12}$/.test(signedAt) || Math.abs(now / 1000 - Number(signedAt)) > TOLERANCE_S) return false;
  const expected = secrets.map((secret) => macOf(secret, signedAt, payload));
  return valuesOf("v1").some((signature) => expected.some((mac) => sameSecret(signature, mac)));
}

/** Reads the JSON of a request whose header `name` signs it. `sender` is the provider's name in errors. */
export async function signedJson(
  request: Request,
  { name, sender, secrets }: { name: string; sender: string; secrets: readonly string[] },
): Promise<unknown> {
  const payload = decodeUtf8(await request.arrayBuffer(), "invalid_json");
  if (!isSigned(payload, request.headers.get(name) ?? "", secrets, Date.now())) {
    const words = `must be ${sender}'s signature of this body, at most five minutes old`;
    throw badRequest(fieldError(name.toLowerCase(), "invalid_signature", words));
  }
  return requiredJson(payload);
}

/** Parses the body of an event. */
export function requiredJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw badRequest(fieldError("body", "invalid_json", "must be JSON"));
  }
}
