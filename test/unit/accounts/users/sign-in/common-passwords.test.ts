import { expect, it } from "vitest";
import { listedPasswords } from "../../../../../scripts/common-passwords/listed.ts";
import { isCommonPassword } from "../../../../../src/accounts/users/sign-in/common-passwords.ts";

const listed = listedPasswords();

it("includes every listed password in any case, and hardly any other", () => {
  expect(listed.length).toBeGreaterThan(5_000);
  expect(listed.filter((password) => password.length < 8 || password !== password.toLowerCase())).toEqual([]);
  for (const written of [listed, listed.map((password) => password.toUpperCase())]) {
    expect(written.filter((password) => !isCommonPassword(password))).toEqual([]);
  }
  const others = [
    "correct horse battery",
    "zk7 quartz lamp",
    "",
    "\n",
    ...listed.map((password) => `${password} and more`),
  ];
  expect(others.filter(isCommonPassword)).toEqual([]);
  const many = Array.from({ length: 200_000 }, (_, n) => `not common ${n}`);
  expect(many.filter(isCommonPassword).length).toBeLessThan(15);
});
