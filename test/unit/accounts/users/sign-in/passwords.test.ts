import { scryptSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hashPassword, NO_PASSWORD, verifyPassword } from "../../../../../src/accounts/users/sign-in/passwords.ts";
import { hashOf } from "../../../../support/password-hash.ts";

const PHC = /^\$scrypt\$ln=14,r=8,p=5\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

it("is stored as scrypt with N=2^14, r=8, p=5 and a random salt, as a PHC string", async () => {
  const hashes = [await hashPassword("the same"), await hashPassword("the same")];
  const [[, salt = "", key] = [], [, otherSalt] = []] = hashes.map((hash) => PHC.exec(hash) ?? []);
  const again = scryptSync("the same", Buffer.from(salt, "base64"), 32, { N: 16_384, r: 8, p: 5 });
  expect(`${key}=`).toBe(again.toString("base64"));
  expect(salt).not.toBe(otherSalt);
});

describe("verifying", () => {
  it.each([
    ["the password", "correct horse", { ok: true, stale: true }],
    ["another", "correct house", { ok: false, stale: true }],
    ["none", "", { ok: false, stale: true }],
  ])("%s", async (_, password, answer) => {
    expect(await verifyPassword(password, hashOf("correct horse", { ln: 4, r: 8, p: 1 }))).toEqual(answer);
  });

  it.each([
    [14, 8, 5, false],
    [10, 8, 5, true],
    [14, 1, 5, true],
    [14, 8, 1, true],
  ])("says whether ln=%i, r=%i, p=%i differs from the current cost: %s", async (ln, r, p, stale) => {
    expect(await verifyPassword("any", hashOf("any", { ln, r, p }))).toEqual({ ok: true, stale });
  });

  it("matches nothing if there is no account, at the current cost", async () => {
    expect(NO_PASSWORD).toMatch(PHC);
    expect(await verifyPassword("", NO_PASSWORD)).toEqual({ ok: false, stale: false });
  });

  it.each(["", "none", "plain text", "$2b$10$abc", "$scrypt$ln=4,r=8,p=1$$", "$scrypt$ln=4,r=8,p=1$c2FsdA$"])(
    "throws on an invalid hash: %j",
    async (stored) => {
      await expect(verifyPassword("any", stored)).rejects.toThrow();
    },
  );
});

it("is hashed as NFC in UTF-8", async () => {
  const stored = hashOf("p\u00e4ssw\u00f6rd \u{1f511}", { ln: 4, r: 8, p: 1 });
  expect((await verifyPassword("p\u00e4ssw\u00f6rd \u{1f511}".normalize("NFD"), stored)).ok).toBe(true);
});
