import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Secrets } from "../settings/settings.ts";
import { hashSecret } from "./secrets.ts";

// Encrypts values that are needed in plain text but must not be readable in a copy of the database, such as tokens in a
// stored response or the link of a queued e-mail. AES-256-GCM with a key derived from the deployment's secret and the
// purpose, so that a value can only be decrypted in its own place. The purpose names the kind of value, then its row.

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Purpose = readonly [kind: string, ...row: string[]];

const keyFor = (secret: string, purpose: Purpose): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", JSON.stringify(purpose), 32));

/** Encrypts a value as JSON: nonce, ciphertext and tag in base64url. */
export function seal(secrets: Secrets, purpose: Purpose, value: unknown): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyFor(secrets[0], purpose), nonce);
  const sealed = Buffer.concat([nonce, cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
  return Buffer.concat([sealed, cipher.getAuthTag()]).toString("base64url");
}

/** Decrypts a value sealed for the same purpose, also under an older secret. Throws if none fits. */
export function unseal(secrets: Secrets, purpose: Purpose, sealed: string) {
  const bytes = Buffer.from(sealed, "base64url");
  for (const secret of secrets) {
    const decipher = createDecipheriv(ALGORITHM, keyFor(secret, purpose), bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return JSON.parse(Buffer.concat([text, decipher.final()]).toString("utf8"));
    } catch {
      // Tries the next secret.
    }
  }
  throw new Error("A value was encrypted with a secret that is no longer configured");
}

/** Name of the newest secret in the column `sealed_under`. */
export const newestSecret = ([newest]: Secrets): string => hashSecret(newest).slice(0, 16);

/**
 * Columns of a sealed value that is kept after rotations: the ciphertext and the secret's name, so that the schedule
 * can seal it again.
 */
export const sealedColumns = (secrets: Secrets, purpose: Purpose, value: unknown) => ({
  sealed: seal(secrets, purpose, value),
  sealedUnder: newestSecret(secrets),
});
