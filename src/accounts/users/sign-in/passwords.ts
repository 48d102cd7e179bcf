import { randomBytes, type ScryptOptions, scrypt } from "node:crypto";
import { sameSecret } from "../../../platform/auth/secrets.ts";
import { PASSWORD_COST } from "./password-cost.ts";

// scrypt, stored as a PHC string: $scrypt$ln=14,r=8,p=5$salt$hash, base64 without padding.

const KEY_BYTES = 32;
const PHC = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Compared when the account does not exist, so that it takes as long as a wrong password. Matches nothing. */
export const NO_PASSWORD = format(PASSWORD_COST, Buffer.alloc(16), Buffer.alloc(KEY_BYTES));

/** Returns a random password of 144 bits, shown once. */
export const randomPassword = (): string => randomBytes(18).toString("base64url");

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return format(PASSWORD_COST, salt, await derive(password, salt, PASSWORD_COST));
}

/** Checks a password. `stale` is true if its hash was made with outdated parameters. */
export async function verifyPassword(password: string, stored: string): Promise<{ ok: boolean; stale: boolean }> {
  const [, ln, r, p, salt, hash] = PHC.exec(stored) ?? [];
  if (!salt || !hash) throw new Error("A stored password hash is not a scrypt PHC string");
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  const derived = base64(await derive(password, Buffer.from(salt, "base64"), cost));
  const stale = cost.ln !== PASSWORD_COST.ln || cost.r !== PASSWORD_COST.r || cost.p !== PASSWORD_COST.p;
  return { ok: sameSecret(derived, hash), stale };
}

type Cost = typeof PASSWORD_COST;

/** NFC, so that the same characters typed on another keyboard are the same password. */
function derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: 64 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFC"), salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function format({ ln, r, p }: Cost, salt: Buffer, hash: Buffer): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(hash)}`;
}

function base64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
