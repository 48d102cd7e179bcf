import { createHmac } from "node:crypto";
import { sameSecret } from "../../platform/auth/secrets.ts";

/** Stripe signs the time as well: an older signature may be a replay. */
const TOLERANCE_S = 300;

/**
 * Whether `header` (`t=<epoch seconds>,v1=<hex>[,v1=<hex>…]`) is Stripe's signature of the payload at `now` (epoch
 * milliseconds). While a webhook's secret is rolled Stripe signs with both, and one that fits is enough.
 */
export function isSignedByStripe(payload: string, header: string, secret: string, now: number): boolean {
  const pairs = header.split(",").map((pair) => pair.trim().split("="));
  const valuesOf = (name: string) => pairs.flatMap(([key, value]) => (key === name && value ? [value] : []));
  const [signedAt = ""] = valuesOf("t");
  if (!/^\d{1,12}$/.test(signedAt) || Math.abs(now / 1000 - Number(signedAt)) > TOLERANCE_S) return false;
  const expected = createHmac("sha256", secret).update(`${signedAt}.${payload}`).digest("hex");
  return valuesOf("v1").some((signature) => sameSecret(signature, expected));
}
