import { type ApiKeyCaller, nameOf, type UserCaller } from "../auth/caller.ts";
import { hashSecret } from "../auth/secrets.ts";
import { conflict } from "../errors.ts";
import type { IdempotencyHeaders } from "./header.ts";

/** How long a key is remembered. */
export const KEPT_MS = 24 * 60 * 60 * 1000;

/** A request that is to happen once: whose it is, the key they gave it, and what exactly they asked for. */
export type Claim = { caller: string; key: string; fingerprint: string };

export function claimOf(
  caller: UserCaller | ApiKeyCaller,
  headers: IdempotencyHeaders,
  request: unknown,
): Claim | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  return { caller: nameOf(caller), key, fingerprint: hashSecret(JSON.stringify(request)) };
}

/** What is remembered of a key: what was asked for with it, and the row of the answer as JSON. */
export type Remembered = { fingerprint: string; answer: string };

/** The row to answer with again, or 409 when the key was used for something else. */
export function replay<Row>(remembered: Remembered, claim: Claim): Row {
  if (remembered.fingerprint === claim.fingerprint) return JSON.parse(remembered.answer);
  const words = "belongs to another request";
  throw conflict("This Idempotency-Key was used for another request", { "idempotency-key": [words] });
}
