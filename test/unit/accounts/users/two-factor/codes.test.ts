import { expect, it } from "vitest";
import { stepOf, totpUri } from "../../../../../src/accounts/users/two-factor/codes.ts";

// The secret and the last six digits of the codes of RFC 6238, appendix B.
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

it.each([
  [59, "287082"],
  [1111111109, "081804"],
  [1111111111, "050471"],
  [1234567890, "005924"],
  [2000000000, "279037"],
  [20000000000, "353130"],
])("computes the code of second %d", async (seconds, code) => {
  expect(await stepOf(SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

it("accepts the codes of the steps before and after, and no others", async () => {
  const step = Math.floor(1111111109 / 30);
  const at = (steps: number) => stepOf(SECRET, "081804", (step + steps) * 30_000);
  expect([await at(-2), await at(-1), await at(0), await at(1), await at(2)]).toEqual([null, step, step, step, null]);
});

it.each(["", "28708", "2870822", "abcdef", "２８７０８２"])("refuses %j as a code", async (code) => {
  expect(await stepOf(SECRET, code, 59_000)).toBe(null);
});

it("writes the URL that apps read, with any names", async () => {
  expect(await totpUri(SECRET, "Lamps & Co", "a+b@shop.test")).toBe(
    `otpauth://totp/Lamps%20%26%20Co:a%2Bb%40shop.test?issuer=Lamps%20%26%20Co&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
  );
});
