import { expect, it } from "vitest";
import { packageStatus } from "../../../../src/downloads/packages/schemas.ts";

const held = { id: 1, downloadLimit: 3, downloadsUsed: 2, expiresAt: 1_000, revokedAt: null };

it.each([
  ["active before it expires, while a download is left", held, 999, "active"],
  ["expired from the moment at which it expires", held, 1_000, "expired"],
  ["exhausted by its last download", { ...held, downloadsUsed: 3 }, 999, "exhausted"],
  ["expired rather than exhausted", { ...held, downloadsUsed: 3 }, 1_000, "expired"],
  ["revoked, whatever else it is", { ...held, downloadsUsed: 3, revokedAt: 5 }, 1_000, "revoked"],
  ["active without a limit and an expiry", { ...held, downloadLimit: null, expiresAt: null }, 9e15, "active"],
] as const)("a package is %s", (_, columns, now, status) => {
  expect(packageStatus(columns, now)).toBe(status);
});
