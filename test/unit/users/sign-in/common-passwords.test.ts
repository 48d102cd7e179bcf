import { expect, it } from "vitest";
import { isCommonPassword } from "../../../../src/users/sign-in/common-passwords/is-common.ts";
import { LIST } from "../../../../src/users/sign-in/common-passwords/list.ts";

const listed = LIST.split("\n");

it("knows every listed password in any case, and no other", () => {
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
});
