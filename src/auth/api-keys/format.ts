import { randomInt } from "node:crypto";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { type Secrets, sameSecret } from "../secrets.ts";

// `sfk_` + 22 random characters + a tag of 11, all base62. The tag is an HMAC, so a key that was not minted here is
// refused before anything is asked. The first 8 random characters name the key and outlive its rotations.

export const KEY_PREFIX = "sfk_";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 22;
const NAME_LENGTH = 8;
const TAG_LENGTH = 11;
const FORMAT = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + TAG_LENGTH}}$`);

/** A new key. With the `start` of an older one it is that key's rotation: same name, same limiter, new secret. */
export function mintApiKey(secrets: Secrets, start = KEY_PREFIX): string {
  const length = KEY_PREFIX.length + RANDOM_LENGTH;
  let body = start;
  while (body.length < length) body += ALPHABET[randomInt(ALPHABET.length)];
  return body + tagOf(body, secrets[0]);
}

/** Whether `key` was minted under one of `secrets`: answered without any I/O. */
export function isMinted(key: string, secrets: Secrets): boolean {
  if (!FORMAT.test(key)) return false;
  const body = key.slice(0, -TAG_LENGTH);
  const tag = key.slice(-TAG_LENGTH);
  return secrets.some((secret) => sameSecret(tag, tagOf(body, secret)));
}

/** The first characters: what the panel shows, and the name of the key's Durable Object. */
export const startOf = (key: string): string => key.slice(0, KEY_PREFIX.length + NAME_LENGTH);

/** HMACs that have read their secret: what a flood of made-up keys has to pay for is one key, not the secret each time. */
const begun = new Map<string, ReturnType<typeof begin>>();

const begin = (secret: string) => hmac.create(sha256, utf8ToBytes(secret));

function hmacOf(body: string, secret: string): string {
  const keyed = begun.get(secret) ?? begin(secret);
  begun.set(secret, keyed);
  return bytesToHex(keyed.clone().update(utf8ToBytes(body)).digest());
}

function tagOf(body: string, secret: string): string {
  let rest = BigInt(`0x${hmacOf(body, secret)}`);
  let tag = "";
  for (let i = 0; i < TAG_LENGTH; i++) {
    tag += ALPHABET[Number(rest % 62n)];
    rest /= 62n;
  }
  return tag;
}
