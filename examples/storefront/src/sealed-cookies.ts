import { type CookieName, readCookie, writeCookie } from "./cookies.ts";
import type { ShopContext } from "./env.ts";

// Cookies with personal data are encrypted with AES-256-GCM, so that neither a copy of the browser's profile nor a log
// shows it.

const NONCE_BYTES = 12;

const utf8 = new TextEncoder();

/** A key for each cookie, so that one cookie's value cannot be used in another. */
async function keyOf({ env }: ShopContext, name: CookieName): Promise<CryptoKey> {
  const secret = await crypto.subtle.importKey("raw", utf8.encode(env.COOKIE_SECRET), "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: utf8.encode(name) };
  return crypto.subtle.deriveKey(derivation, secret, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

/** Writes a cookie whose value only this Worker can read. */
export async function writeSealedCookie(c: ShopContext, name: CookieName, value: unknown, maxAge: number) {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const text = utf8.encode(JSON.stringify(value));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await keyOf(c, name), text);
  writeCookie(c, name, base64url(new Uint8Array([...iv, ...new Uint8Array(sealed)])), maxAge);
}

/**
 * As many values as fit into a cookie of this size, the shortest first. Browsers store cookies of up to 4,096 bytes.
 */
export function fitting(values: Record<string, string>, mostBytes: number): Record<string, string> {
  let left = mostBytes;
  const kept = Object.entries(values)
    .toSorted(([, one], [, other]) => one.length - other.length)
    .filter((entry) => {
      left -= utf8.encode(JSON.stringify(entry)).length;
      return left >= 0;
    });
  return Object.fromEntries(kept);
}

/** Undefined if there is no cookie, or one that this Worker did not write. */
export async function readSealedCookie(c: ShopContext, name: CookieName): Promise<unknown> {
  const value = readCookie(c, name);
  if (value === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(value.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    const iv = bytes.subarray(0, NONCE_BYTES);
    const opened = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv },
      await keyOf(c, name),
      bytes.subarray(NONCE_BYTES),
    );
    return JSON.parse(new TextDecoder().decode(opened));
  } catch {
    return undefined;
  }
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
