import { equal, HMAC } from "@stablelib/hmac";
import { DIGEST_LENGTH, SHA256 } from "@stablelib/sha256";
import type { Secrets } from "../../settings/settings.ts";

// `sfk_` + 22 random characters + a tag of 11, all base62. The tag is an HMAC, so keys that were not minted here are refused
// without I/O. The first 8 random characters name the key and survive rotation.

export const KEY_PREFIX = "sfk_";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 22;
const NAME_LENGTH = 8;
const TAG_LENGTH = 11;
const FORMAT = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + TAG_LENGTH}}$`);

/** Mints a key. With the `start` of an older one it rotates that key: same name and limiter, new secret. */
export function mintApiKey(secrets: Secrets, start = KEY_PREFIX): string {
  let key = start;
  while (key.length < body.length) key += randomCharacter();
  utf8.encodeInto(key, body);
  return key + String.fromCharCode(...tagUnder(secrets[0]));
}

/** A random base62 character. The last 8 values of a byte are redrawn, so that all characters are equally likely. */
function randomCharacter(): string {
  const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
  return byte < 248 ? ALPHABET.charAt(byte % ALPHABET.length) : randomCharacter();
}

/** True if `key` was minted under one of `secrets`. No I/O. */
export function isMinted(key: string, secrets: Secrets): boolean {
  if (!FORMAT.test(key)) return false;
  utf8.encodeInto(key, bytes);
  return secrets.some((secret) => equal(tag, tagUnder(secret)));
}

/** First characters of a key: shown in the panel, and the name of its Durable Object. */
export const startOf = (key: string): string => key.slice(0, KEY_PREFIX.length + NAME_LENGTH);

// Allocated once: verifying a forged key then allocates nothing, which would be most of its cost.
const utf8 = new TextEncoder();
const bytes = new Uint8Array(KEY_PREFIX.length + RANDOM_LENGTH + TAG_LENGTH);
const [body, tag] = [bytes.subarray(0, -TAG_LENGTH), bytes.subarray(-TAG_LENGTH)];
const mac = new Uint8Array(DIGEST_LENGTH);
const expected = new Uint8Array(TAG_LENGTH);
const hmacs = new Map<string, HMAC>();

/** The tag of `body`, valid until the next one is computed. */
function tagUnder(secret: string): Uint8Array {
  const hmac = hmacs.get(secret) ?? new HMAC(SHA256, utf8.encode(secret));
  hmacs.set(secret, hmac);
  hmac.reset().update(body).finish(mac);
  for (let i = 0; i < TAG_LENGTH; i++) expected[i] = ALPHABET.charCodeAt((mac[i] ?? 0) % ALPHABET.length);
  return expected;
}
