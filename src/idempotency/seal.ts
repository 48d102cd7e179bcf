import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Claim } from "../auth/author.ts";

// An answer may hold what is stored nowhere in the clear: a new key's value, tokens. It is encrypted by AES-256-GCM under a
// key that the deployment's secret, the caller and their Idempotency-Key make together, so that a copy of the database
// tells none of it, and no row opens in another's place.

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const keyFor = ({ caller, key }: Claim, secret: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", JSON.stringify(["idempotent answer", caller, key]), 32));

/** Encrypts a value as JSON: nonce, ciphertext and tag in base64url. */
export function seal(claim: Claim, value: object): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyFor(claim, claim.secrets[0]), nonce);
  const sealed = Buffer.concat([nonce, cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
  return Buffer.concat([sealed, cipher.getAuthTag()]).toString("base64url");
}

/** Opens what was sealed for the same claim, also under a secret that was rotated since. Throws when none fits. */
export function unseal(claim: Claim, sealed: string): object {
  const bytes = Buffer.from(sealed, "base64url");
  for (const secret of claim.secrets) {
    const decipher = createDecipheriv(ALGORITHM, keyFor(claim, secret), bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return JSON.parse(Buffer.concat([text, decipher.final()]).toString("utf8"));
    } catch {
      // Another secret of the list.
    }
  }
  throw new Error("A stored response was sealed under a secret that is not configured any more");
}
