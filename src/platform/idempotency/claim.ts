import { createHmac } from "node:crypto";
import type { Claim } from "../auth/author.ts";
import { seal, unseal } from "../auth/seal.ts";
import { sameSecret } from "../auth/secrets.ts";

/** Milliseconds for which an Idempotency-Key and its response are stored. */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/**
 * Keyed hashes of a request, newest secret first: the request may contain a password, which a plain hash would reveal to
 * guessing.
 */
export async function fingerprintsOf({ caller, key, asked, secrets }: Claim): Promise<string[]> {
  const request = JSON.stringify(["idempotent request", caller, key, await asked()]);
  return secrets.map((secret) => createHmac("sha256", secret).update(request).digest("hex"));
}

/** True if the fingerprint stored with a key belongs to this request. Also tries secrets that were rotated since. */
export const isSameRequest = async (claim: Claim, fingerprint: string): Promise<boolean> =>
  (await fingerprintsOf(claim)).some((own) => sameSecret(own, fingerprint));

// Encrypts parts of a response that are stored nowhere else, such as a new key's value or tokens. Only the same caller with
// the same Idempotency-Key can decrypt them.

const purposeOf = ({ caller, key }: Claim) => ["idempotent answer", caller, key] as const;

export const sealAnswer = (claim: Claim, secret: object): string => seal(claim.secrets, purposeOf(claim), secret);

export const unsealAnswer = (claim: Claim, sealed: string): object => unseal(claim.secrets, purposeOf(claim), sealed);
