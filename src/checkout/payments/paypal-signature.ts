import * as z from "zod";
import { badRequest, fieldError, tooManyRequests } from "../../domain/errors.ts";
import type { PaypalAccount } from "../../platform/settings/payments.ts";
import { askPaypal, PaypalRefusal } from "./paypal-api.ts";

const signatureHeaders = {
  auth_algo: "paypal-auth-algo",
  cert_url: "paypal-cert-url",
  transmission_id: "paypal-transmission-id",
  transmission_sig: "paypal-transmission-sig",
  transmission_time: "paypal-transmission-time",
};

const Verification = z.object({ verification_status: z.string() });

type Signature = Record<string, string | null>;

/** The signature that came with an event, not verified yet; 400 when a part of it is missing. */
export function signatureOf(headers: Headers): Signature {
  const named = Object.entries(signatureHeaders);
  const missing = named.map(([, header]) => header).filter((header) => !headers.get(header));
  if (missing.length > 0) {
    throw badRequest(missing.map((header) => fieldError(header, "required", "is required")));
  }
  return Object.fromEntries(named.map(([field, header]) => [field, headers.get(header)]));
}

/** How many verifications an isolate asks for at once: PayPal refuses whoever asks too much, also about real payments. */
const MOST_AT_ONCE = 20;

/** Longer than a verification takes. A request that is cut off never says that its own has ended. */
const LONGEST_MS = 60_000;

/** When the verifications began that are under way in this isolate. */
const underWay = new Map<symbol, number>();

/** Asks PayPal whether it sent this event. `text` is the body, known to be JSON. */
export async function isSentByPaypal(account: PaypalAccount, signature: Signature, text: string): Promise<boolean> {
  const now = Date.now();
  for (const [each, since] of underWay) if (now - since > LONGEST_MS) underWay.delete(each);
  if (underWay.size >= MOST_AT_ONCE) throw tooManyRequests(1);
  const own = Symbol();
  underWay.set(own, now);
  try {
    const fields = JSON.stringify({ ...signature, webhook_id: account.webhookId });
    // The event goes along byte for byte: read and written again, a 1.0 is a 1, and the signature no longer fits.
    const body = `${fields.slice(0, -1)},"webhook_event":${text}}`;
    return (await verificationOf(account, body)) === "SUCCESS";
  } finally {
    underWay.delete(own);
  }
}

export const invalidSignature = () =>
  badRequest(fieldError("paypal-transmission-sig", "invalid_signature", "must be PayPal's signature of this body"));

/** PayPal finds a signature wrong, or so malformed that it refuses to look at it. */
async function verificationOf(account: PaypalAccount, body: string): Promise<string> {
  try {
    const path = "/v1/notifications/verify-webhook-signature";
    return (await askPaypal(account, path, Verification, { body })).verification_status;
  } catch (error) {
    if (error instanceof PaypalRefusal && (error.status === 400 || error.status === 422)) return "MALFORMED";
    throw error;
  }
}
