import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { gt, lt, or, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Secrets } from "../settings/settings.ts";
import { hashSecret } from "./secrets.ts";

// What has to be read again, and what a copy of the database must not tell: the tokens in a stored answer, the link of an
// e-mail that waits. It is encrypted by AES-256-GCM under a key that the deployment's secret and the purpose make together,
// so that no value opens in another's place. The purpose names the kind of value first, and then its row.

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type Purpose = readonly [kind: string, ...row: string[]];

const keyFor = (secret: string, purpose: Purpose): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", JSON.stringify(purpose), 32));

/** Encrypts a value as JSON: nonce, ciphertext and tag in base64url. */
export function seal(secrets: Secrets, purpose: Purpose, value: unknown): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyFor(secrets[0], purpose), nonce);
  const sealed = Buffer.concat([nonce, cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
  return Buffer.concat([sealed, cipher.getAuthTag()]).toString("base64url");
}

/** Opens what was sealed for the same purpose, also under a secret that was rotated since. Throws when none fits. */
export function unseal(secrets: Secrets, purpose: Purpose, sealed: string) {
  const bytes = Buffer.from(sealed, "base64url");
  for (const secret of secrets) {
    const decipher = createDecipheriv(ALGORITHM, keyFor(secret, purpose), bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return JSON.parse(Buffer.concat([text, decipher.final()]).toString("utf8"));
    } catch {
      // Another secret of the list.
    }
  }
  throw new Error("A value was sealed under a secret that is not configured any more");
}

/** Which of the deployment's secrets is the newest, as the column `sealed_under` has it. */
export const newestSecret = ([newest]: Secrets): string => hashSecret(newest).slice(0, 16);

/** A value as a row has it that outlives rotations: sealed, and under which secret, so that the schedule seals it anew. */
export const sealedColumns = (secrets: Secrets, purpose: Purpose, value: unknown) => ({
  sealed: seal(secrets, purpose, value),
  sealedUnder: newestSecret(secrets),
});

/** The condition that a row is to be sealed anew. As two ranges: an index knows in two steps that there is none. */
export function isSealedUnderOlder(sealedUnder: SQLiteColumn, secrets: Secrets): SQL | undefined {
  const newest = newestSecret(secrets);
  return or(lt(sealedUnder, newest), gt(sealedUnder, newest));
}
