import { createHmac } from "node:crypto";
import { hashRecoveryCode, sealTotp } from "../../src/accounts/users/two-factor/codes.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { anAccount, PASSWORD } from "./accounts.ts";
import { call } from "./call.ts";
import { db, settings } from "./shop.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/**
 * A code by RFC 6238 as an authenticator app shows it, computed independently of the code under test, `later` steps
 * from now.
 */
export function codeOf(secret: string, later = 0, now = Date.now()): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000) + later));
  const digest = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** Six digits that are not a valid code around now. */
export function wrongCodeOf(secret: string): string {
  const near = [-2, -1, 0, 1, 2].map((later) => codeOf(secret, later));
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !near.includes(code)) ?? "";
}

export const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
export const RECOVERY_CODES = ["aaaa-bbbb-cccc-dddd", "eeee-ffff-gggg-hhhh"];

/** Adds a second factor to an account, with all codes unused. */
export async function giveFactor(userId: number): Promise<void> {
  const sealed = sealTotp(settings.linkSecrets, userId, SECRET);
  const rows = RECOVERY_CODES.map((code) => ({ userId, hash: hashRecoveryCode(code) }));
  await db.batch([
    db.insert(tables.totpSecrets).values({ userId, ...sealed, confirmedAt: Date.now(), createdAt: Date.now() }),
    db.insert(tables.recoveryCodes).values(rows),
  ]);
}

/** A user whose password is PASSWORD, and a second factor with all codes unused. */
export async function anAccountWithFactor(columns: Parameters<typeof anAccount>[0] = {}) {
  const account = await anAccount(columns);
  await giveFactor(account.id);
  return account;
}

/** Signs in with the right password and returns the challenge for the second factor. */
export async function challengeOf(email: string): Promise<string> {
  const { body } = await call("POST /auth/login", { body: { email, password: PASSWORD } });
  return body.data.challenge;
}
