import { equal, HMAC } from "@stablelib/hmac";
import { DIGEST_LENGTH, SHA256 } from "@stablelib/sha256";
import type { Secrets } from "../../settings/settings.ts";

// `sfk_`, `sfk_test_` for a test key or `sfk_app_` for an app's access token, + 22 random characters + a tag of 11, all base62. The tag is an HMAC of all before it,
// so keys that were not minted here are refused without I/O. The first 8 random characters name the key and survive rotation.

export const KEY_PREFIX = "sfk_";
export const TEST_KEY_PREFIX = "sfk_test_";
export const APP_TOKEN_PREFIX = "sfk_app_";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 22;
const NAME_LENGTH = 8;
const TAG_LENGTH = 11;
const FORMAT = new RegExp(`^${KEY_PREFIX}((test|app)_)?[0-9A-Za-z]{${RANDOM_LENGTH + TAG_LENGTH}}$`);

/** Mints a key. With the `start` of an older one it rotates that key: same name and limiter, new secret. */
export function mintApiKey(secrets: Secrets, start = KEY_PREFIX): string {
  const { body } = bytesFor(start);
  let key = start;
  while (key.length < body.length) key += randomCharacter();
  utf8.encodeInto(key, body);
  return key + String.fromCharCode(...tagUnder(secrets[0], body));
}

/** A random base62 character. The last 8 values of a byte are redrawn, so that all characters are equally likely. */
function randomCharacter(): string {
  const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
  return byte < 248 ? ALPHABET.charAt(byte % ALPHABET.length) : randomCharacter();
}

/** True if `key` was minted under one of `secrets`. No I/O. */
export function isMinted(key: string, secrets: Secrets): boolean {
  if (!FORMAT.test(key)) return false;
  const { all, body, tag } = bytesFor(key);
  utf8.encodeInto(key, all);
  return secrets.some((secret) => equal(tag, tagUnder(secret, body)));
}

/** First characters of a key: shown in the panel, and the name of its Durable Object. */
export const startOf = (key: string): string => key.slice(0, prefixOf(key).length + NAME_LENGTH);

/** A live key has no underscore after its prefix. */
const prefixOf = (key: string): string =>
  [TEST_KEY_PREFIX, APP_TOKEN_PREFIX].find((prefix) => key.startsWith(prefix)) ?? KEY_PREFIX;

type KeyBytes = { all: Uint8Array; body: Uint8Array; tag: Uint8Array };

// Allocated once: verifying a forged key then allocates nothing, which would be most of its cost.
const utf8 = new TextEncoder();
function allocate(prefix: string): KeyBytes {
  const all = new Uint8Array(prefix.length + RANDOM_LENGTH + TAG_LENGTH);
  return { all, body: all.subarray(0, -TAG_LENGTH), tag: all.subarray(-TAG_LENGTH) };
}
const live = allocate(KEY_PREFIX);
const others = new Map([TEST_KEY_PREFIX, APP_TOKEN_PREFIX].map((prefix) => [prefix, allocate(prefix)]));
const bytesFor = (key: string): KeyBytes => others.get(prefixOf(key)) ?? live;
const mac = new Uint8Array(DIGEST_LENGTH);
const expected = new Uint8Array(TAG_LENGTH);
const hmacs = new Map<string, HMAC>();

/** The tag of `body`, valid until the next one is computed. */
function tagUnder(secret: string, body: Uint8Array): Uint8Array {
  const hmac = hmacs.get(secret) ?? new HMAC(SHA256, utf8.encode(secret));
  hmacs.set(secret, hmac);
  hmac.reset().update(body).finish(mac);
  for (let i = 0; i < TAG_LENGTH; i++) expected[i] = ALPHABET.charCodeAt((mac[i] ?? 0) % ALPHABET.length);
  return expected;
}
