import type * as z from "zod";
import { badRequest, fieldError } from "../../domain/errors.ts";
import type { StripeAccount } from "../../platform/settings/payments.ts";
import { isTransient, providerUnreachable, RefundFailed } from "./provider.ts";

// Only a few calls and a signature are needed. Stripe's own library would make up a fifth of the Worker.

const TIMEOUT_MS = 10_000;

/** The key of an account, and the API version and method of a request if it needs others. */
type StripeCall = Pick<StripeAccount, "secretKey" | "apiUrl"> & {
  apiVersion?: string;
  method?: "GET" | "POST" | "DELETE";
};

/** The API version that these requests, responses and events are written for. Stripe keeps serving it. */
export const API_VERSION = "2026-10-28.endive";

type Field = string | number | Fields | Field[];
type Fields = { [name: string]: Field };

/** Sends a request to Stripe, by default a change. Requests with the same id are executed once, so a request without a response is sent again. */
export async function askStripe<Shape>(
  account: StripeCall,
  path: string,
  fields: Fields,
  requestId: string,
  schema: z.ZodType<Shape>,
): Promise<Shape> {
  const ask = () => send(account, path, fields, requestId);
  const answer = await ask().then((first) => (isTransient(first.status) ? ask() : first), ask);
  if (answer.status >= 400) throw faultOf(answer);
  const { success, data } = schema.safeParse(answer.body);
  if (!success) throw providerUnreachable("Stripe", `Stripe answered ${path} with a body of another shape`);
  return data;
}

type Answer = { status: number; requestId: string | null; body: unknown };

async function send(
  { secretKey, apiUrl, apiVersion = API_VERSION, method = "POST" }: StripeCall,
  path: string,
  fields: Fields,
  requestId: string,
): Promise<Answer> {
  try {
    const response = await fetch(new URL(path, apiUrl), {
      method,
      headers: {
        Authorization: `Bearer ${secretKey}`,
        "Stripe-Version": apiVersion,
        ...(method === "POST" && { "Idempotency-Key": requestId }),
      },
      ...(method === "POST" && { body: new URLSearchParams(pairsOf(fields)) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = await response.json().catch(() => undefined);
    return { status: response.status, requestId: response.headers.get("Request-Id"), body };
  } catch (error) {
    throw providerUnreachable(
      "Stripe",
      `Stripe did not answer ${path}: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** Flattens fields into Stripe's form encoding, as in `line_items[0][quantity]`. */
function pairsOf(value: Fields | Field[], path = ""): [name: string, value: string][] {
  return Object.entries(value).flatMap(([name, field]) => {
    const place = path ? `${path}[${name}]` : name;
    return typeof field === "object" ? pairsOf(field, place) : [[place, String(field)]];
  });
}

/** Codes of refunds that Stripe never accepts: https://docs.stripe.com/error-codes */
const REFUSED_FOR_GOOD = ["charge_already_refunded", "charge_disputed", "refund_disputed_payment"];

export class StripeRefused extends Error {
  readonly status: number;

  constructor(status: number, codes: string) {
    super(`Stripe refused: ${codes}`);
    this.status = status;
  }
}

/** Passes on only Stripe's codes, because its messages may repeat the request, including a part of the key. */
function faultOf({ status, requestId, body }: Answer): Error {
  const error: unknown = Object(Object(body).error);
  const [type, code] = ["type", "code"].map((name) => Reflect.get(Object(error), name));
  const codes = [type, status, code, requestId].filter(Boolean).join(" ");
  if (code === "amount_too_small" || code === "amount_too_large") {
    return badRequest(
      fieldError("payment_method", "payment_not_possible", "cannot pay this total"),
      "The order was not placed, and nothing was charged",
    );
  }
  if (REFUSED_FOR_GOOD.includes(code)) return new RefundFailed(code);
  if (isTransient(status)) return providerUnreachable("Stripe", codes);
  // A wrong key or parameter will not fix itself, so this is a 500 rather than a 503 that asks to retry.
  return new StripeRefused(status, codes);
}
