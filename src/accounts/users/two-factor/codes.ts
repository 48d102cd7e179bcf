import { createHmac } from "node:crypto";
import { sealedColumns, unseal } from "../../../platform/auth/seal.ts";
import { hashSecret } from "../../../platform/auth/secrets.ts";
import { onFirstUse } from "../../../platform/http/on-first-use.ts";
import type { Secrets } from "../../../platform/settings/settings.ts";

const CODES = 10;

/** Crockford's alphabet: no letter that is easily mistaken for a digit. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const CHARACTERS = 16;

/** Returns ten new codes of 80 bits, such as `7k2m-x9ab-…`, shown once. */
export const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newCode);

function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CHARACTERS));
  const text = Array.from(bytes, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("");
  return text.replace(/(.{4})(?=.)/g, "$1-");
}

/** Hashes a code for storage. 80 random bits need no slow hash. Case, spaces and hyphens are ignored. */
export const hashRecoveryCode = (code: string): string => hashSecret(code.toLowerCase().replaceAll(/[\s-]/g, ""));

// RFC 6238 as every authenticator app computes it: six digits of HMAC-SHA-1, a new code every 30 seconds. SHA-1 is no
// weakness in an HMAC, and many apps support nothing else.

const PERIOD_S = 30;
const DIGITS = 6;

/** A code is also accepted one time step early or late: clocks differ, and people type slowly. */
const WINDOW = 1;

const hmac = (algorithm: string, key: Uint8Array, message: Uint8Array): Uint8Array =>
  createHmac(algorithm, key).update(message).digest();

const loadOtpauth = onFirstUse(() => import("otpauth/bare"));

/** Returns a new secret of 160 bits in base32, the format that apps accept. */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await loadOtpauth();
  return new Secret({ size: 20 }).base32;
}

/** Returns the URI that an app reads from a QR code. */
export async function totpUri(secret: string, issuer: string, label: string): Promise<string> {
  return (await totpOf(secret, { issuer, label })).toString();
}

/** Returns the time step that the code belongs to, or null if it is not currently valid. */
export async function stepOf(secret: string, code: string, now: number): Promise<number | null> {
  const totp = await totpOf(secret);
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}

async function totpOf(secret: string, names: { issuer?: string; label?: string } = {}) {
  const { TOTP } = await loadOtpauth();
  return new TOTP({ ...names, secret, algorithm: "SHA1", digits: DIGITS, period: PERIOD_S, hmac });
}

export const totpPurpose = (userId: number | string) => ["totp secret", String(userId)] as const;

/** Encrypts a secret for storage, bound to this user. */
export const sealTotp = (secrets: Secrets, userId: number, secret: string) =>
  sealedColumns(secrets, totpPurpose(userId), { secret });

export const unsealTotp = (secrets: Secrets, userId: number, sealed: string): string =>
  unseal(secrets, totpPurpose(userId), sealed).secret;
