import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMinted, mintApiKey, startOf, TEST_KEY_PREFIX } from "../../../../../src/platform/auth/api-keys/format.ts";
import { type ApiKeyRecord, verifyApiKey } from "../../../../../src/platform/auth/api-keys/key-record.ts";
import { hashSecret } from "../../../../../src/platform/auth/secrets.ts";
import type { Secrets } from "../../../../../src/platform/settings/settings.ts";

const [NEW, OLD, OTHER] = ["the newest of the secrets", "one before it", "another deployment's"];
const secrets: Secrets = [NEW];

const BASE62 = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];
const base62 = (length: number) =>
  fc.string({ unit: fc.constantFrom(...BASE62), minLength: length, maxLength: length });

it("mints sfk_, 22 random characters and a tag of 11, no two alike", () => {
  const keys = Array.from({ length: 200 }, () => mintApiKey(secrets));
  for (const key of keys) {
    expect(key).toMatch(/^sfk_[0-9A-Za-z]{33}$/);
    expect(isMinted(key, secrets)).toBe(true);
  }
  expect(new Set(keys.map(startOf)).size).toBe(200);
});

it("tags a key with the HMAC-SHA-256 of its text, a character for each of its first 11 bytes", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200 }), (secret) => {
      const key = mintApiKey([secret]);
      const mac = createHmac("sha256", secret).update(key.slice(0, -11)).digest();
      const tag = Array.from(mac.subarray(0, 11), (byte) => BASE62[byte % 62]).join("");
      return key.slice(-11) === tag && isMinted(key, [secret]);
    }),
  );
});

it("mints test keys with another prefix, which no live key has", () => {
  const key = mintApiKey(secrets, TEST_KEY_PREFIX);
  expect(key).toMatch(/^sfk_test_[0-9A-Za-z]{33}$/);
  expect(startOf(key)).toBe(key.slice(0, 17));
  expect(isMinted(key, secrets)).toBe(true);
  expect(isMinted(key.replace("test_", ""), secrets)).toBe(false);
  expect(isMinted(mintApiKey(secrets).replace("sfk_", "sfk_test_"), secrets)).toBe(false);
  const next = mintApiKey(secrets, startOf(key));
  expect([startOf(next), next.length]).toEqual([startOf(key), key.length]);
});

it("names a key by its prefix and its first 8 random characters", () => {
  const key = mintApiKey(secrets);
  expect(startOf(key)).toBe(key.slice(0, 12));
});

it("rotates a key to another secret under the same name", () => {
  const key = mintApiKey(secrets);
  const next = mintApiKey(secrets, startOf(key));
  expect(next).toHaveLength(key.length);
  expect(startOf(next)).toBe(startOf(key));
  expect(next).not.toBe(key);
  expect(isMinted(next, secrets)).toBe(true);
});

describe("the secret", () => {
  it("mints under the newest and accepts any that is still listed", () => {
    const [before, after] = [mintApiKey([OLD]), mintApiKey([NEW, OLD])];
    expect(isMinted(before, [NEW, OLD])).toBe(true);
    expect(isMinted(after, [NEW])).toBe(true);
    expect(isMinted(before, [NEW])).toBe(false);
    expect(isMinted(after, [OLD])).toBe(false);
  });

  it("differs between deployments", () => {
    expect(isMinted(mintApiKey([OTHER]), [NEW, OLD])).toBe(false);
  });
});

describe("anything that was not minted here", () => {
  it("includes a key with any one character changed", () => {
    const key = mintApiKey(secrets);
    for (const [at, character] of [...key].entries()) {
      for (const other of ["0", "A", "z", "_", "é", ""]) {
        if (other !== character)
          expect(isMinted(key.slice(0, at) + other + key.slice(at + 1), secrets), `${at}`).toBe(false);
      }
    }
  });

  it("includes a key with its characters reordered, shortened or extended", () => {
    const key = mintApiKey(secrets);
    const characters = [...key.slice(4)];
    const rotated = `sfk_${[...characters.slice(1), characters[0]].join("")}`;
    const odd = [rotated, key.toLowerCase(), key.toUpperCase(), key.slice(0, -1), `${key}0`, `${key}\n`, ` ${key}`];
    for (const each of odd) expect(isMinted(each, secrets), each).toBe(false);
  });

  it("includes any string", () => {
    const strings = fc.oneof(
      fc.string({ unit: "binary-ascii" }),
      fc.string({ unit: "binary-ascii" }).map((rest) => `sfk_${rest}`),
      base62(33).map((rest) => `sfk_${rest}`),
    );
    fc.assert(fc.property(strings, (string) => !isMinted(string, secrets)));
  });

  it("includes a body with any other tag", () => {
    const body = mintApiKey(secrets).slice(0, -11);
    fc.assert(fc.property(base62(11), (tag) => !isMinted(body + tag, secrets)));
  });
});

const NOW = 1_700_000_000_000;
const [KEY, BEFORE, STRANGE] = [hashSecret("key"), hashSecret("before"), hashSecret("strange")];

const record: ApiKeyRecord = {
  id: 7,
  hash: KEY,
  previousHash: null,
  previousExpiresAt: null,
  permissions: ["orders:read"],
  tier: "premium",
  test: false,
  allowedAddresses: [],
  allowedOrigins: [],
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  appId: null,
  createdAt: 5,
  tokens: [],
};
const presented = (hash: string) => ({ hash, address: "203.0.113.7", origin: undefined });
const inGrace = { previousHash: BEFORE, previousExpiresAt: NOW + 1 };

it("finds the caller of a valid key in its record", () => {
  expect(verifyApiKey(record, presented(KEY), NOW)).toEqual({
    valid: true,
    caller: {
      kind: "api_key",
      id: 7,
      permissions: ["orders:read"],
      tier: "premium",
      test: false,
      isPublic: false,
      isApp: false,
      createdAt: 5,
    },
  });
});

describe("a key is valid", () => {
  it.each<[string, Partial<ApiKeyRecord>, string]>([
    ["until the moment it expires", { expiresAt: NOW + 1 }, KEY],
    ["that replaced another", inGrace, KEY],
    ["that was replaced, while in grace", inGrace, BEFORE],
  ])("%s", (_, change, hash) => {
    expect(verifyApiKey({ ...record, ...change }, presented(hash), NOW).valid).toBe(true);
  });
});

it("says of an expired key that it has expired, whatever the address", () => {
  const expired = { ...record, allowedAddresses: ["198.51.100.1"], expiresAt: NOW };
  expect(verifyApiKey(expired, presented(KEY), NOW)).not.toHaveProperty("code");
});

describe("a key is invalid", () => {
  it.each<[string, Partial<ApiKeyRecord>, string, RegExp]>([
    ["of another secret", {}, STRANGE, /unknown/],
    ["of another secret, while one is in grace", inGrace, STRANGE, /unknown/],
    ["of no secret", {}, "", /unknown/],
    ["that is revoked", { revokedAt: NOW - 1 }, KEY, /revoked/],
    ["that is revoked, whenever that is said to be", { revokedAt: 0 }, KEY, /revoked/],
    ["that was replaced, when its successor is revoked", { ...inGrace, revokedAt: NOW - 1 }, BEFORE, /revoked/],
    ["from the moment it expires", { expiresAt: NOW }, KEY, /expired/],
    ["that was replaced, when its successor has expired", { ...inGrace, expiresAt: NOW }, BEFORE, /expired/],
    ["that was replaced, from the end of its grace", { previousHash: BEFORE, previousExpiresAt: NOW }, BEFORE, /known/],
    ["that was replaced, with no grace given", { previousHash: BEFORE }, BEFORE, /known/],
  ])("%s", (_, change, hash, reason) => {
    expect(verifyApiKey({ ...record, ...change }, presented(hash), NOW)).toEqual({
      valid: false,
      reason: expect.stringMatching(reason),
    });
  });

  it("if it is not stored", () => {
    expect(verifyApiKey(undefined, presented(KEY), NOW).valid).toBe(false);
  });
});
