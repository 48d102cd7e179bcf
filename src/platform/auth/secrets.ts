import { encode as toHex } from "@stablelib/hex";
import { equal } from "@stablelib/hmac";
import { hash } from "@stablelib/sha256";

/** 256 random bits after a prefix that identifies the secret to scanners and people. */
export const randomToken = (prefix: string): string =>
  prefix + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");

const utf8 = new TextEncoder();

/** SHA-256 in hex: the stored form of API keys, refresh tokens and cart tokens. */
export const hashSecret = (secret: string): string => toHex(hash(utf8.encode(secret)), true);

/** Longer than the compared values, and reused: two new arrays would cost more than the comparison. */
const [left, right] = [new Uint8Array(256), new Uint8Array(256)];

/** Compares in constant time. */
export function sameSecret(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const [one, other] = [utf8.encodeInto(a, left), utf8.encodeInto(b, right)];
  const whole = one.read === a.length && other.read === b.length && one.written === other.written;
  return whole && equal(left.subarray(0, one.written), right.subarray(0, other.written));
}
