import { createHmac } from "node:crypto";
import type { Claim } from "../auth/author.ts";
import { seal, unseal } from "../auth/seal.ts";
import { sameSecret } from "../auth/secrets.ts";

/** How long an Idempotency-Key and its response are stored. */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** A keyed hash, newest secret first: what is asked for may hold a password, which a plain hash would give away to guesses. */
export async function fingerprintsOf({ caller, key, asked, secrets }: Claim): Promise<string[]> {
  const request = JSON.stringify(["idempotent request", caller, key, await asked()]);
  return secrets.map((secret) => createHmac("sha256", secret).update(request).digest("hex"));
}

/** Whether the fingerprint that is stored with a key is that of this request. A secret that was rotated since is tried too. */
export const isSameRequest = async (claim: Claim, fingerprint: string): Promise<boolean> =>
  (await fingerprintsOf(claim)).some((own) => sameSecret(own, fingerprint));

// An answer may hold what is stored nowhere in the clear: a new key's value, tokens. It opens for the caller and the
// Idempotency-Key that it was given to.

const purposeOf = ({ caller, key }: Claim) => ["idempotent answer", caller, key] as const;

export const sealAnswer = (claim: Claim, secret: object): string => seal(claim.secrets, purposeOf(claim), secret);

export const unsealAnswer = (claim: Claim, sealed: string): object => unseal(claim.secrets, purposeOf(claim), sealed);
