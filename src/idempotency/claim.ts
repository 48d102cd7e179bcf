import { createHmac } from "node:crypto";
import { type Secrets, sameSecret } from "../auth/secrets.ts";

/** How long an Idempotency-Key and its response are stored. */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** A request that takes effect once: its caller, its Idempotency-Key and its content. */
export type Claim = {
  caller: string;
  key: string;
  /** Awaited where it is needed: of an upload it is known when the last byte has come. */
  asked: () => unknown;
  secrets: Secrets;
};

/** A keyed hash, newest secret first: what is asked for may hold a password, which a plain hash would give away to guesses. */
export async function fingerprintsOf({ caller, key, asked, secrets }: Claim): Promise<string[]> {
  const request = JSON.stringify(["idempotent request", caller, key, await asked()]);
  return secrets.map((secret) => createHmac("sha256", secret).update(request).digest("hex"));
}

/** Whether the fingerprint that is stored with a key is that of this request. A secret that was rotated since is tried too. */
export const isSameRequest = async (claim: Claim, fingerprint: string): Promise<boolean> =>
  (await fingerprintsOf(claim)).some((own) => sameSecret(own, fingerprint));
