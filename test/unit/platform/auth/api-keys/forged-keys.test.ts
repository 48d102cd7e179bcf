import { expect, it } from "vitest";
import { hashIfMinted } from "../../../../../src/platform/auth/api-keys/forged-keys.ts";
import { mintApiKey } from "../../../../../src/platform/auth/api-keys/format.ts";
import { hashSecret } from "../../../../../src/platform/auth/secrets.ts";
import type { Secrets } from "../../../../../src/platform/settings/settings.ts";

const secrets: Secrets = ["the only secret of this deployment"];

it("recognizes a minted key by its hash, the first time and later, even among more keys than it caches", () => {
  const keys = Array.from({ length: 1_100 }, () => mintApiKey(secrets));
  for (const key of [...keys, ...keys.slice(0, 100)]) expect(hashIfMinted(key, secrets)).toBe(hashSecret(key));
});

it("rejects a forged key, however often it is sent", () => {
  const key = `sfk_${"x".repeat(33)}`;
  expect([hashIfMinted(key, secrets), hashIfMinted(key, secrets)]).toEqual([undefined, undefined]);
});

it("does not accept a key under one secret because it was valid under another", () => {
  const key = mintApiKey(secrets);
  expect(hashIfMinted(key, secrets)).toBe(hashSecret(key));
  expect(hashIfMinted(key, ["another secret, of another deployment"])).toBeUndefined();
});
