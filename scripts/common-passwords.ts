import { writeFileSync } from "node:fs";
import { passwordValue, RANGE_OF_ONE } from "../src/accounts/users/sign-in/common-passwords.ts";
import { listedPasswords } from "./common-passwords/listed.ts";

// `npm run common-passwords` writes the Worker's set of common passwords from common-passwords/list.txt, as a
// Golomb-coded set of hashes of a quarter of the list's size.

const passwords = listedPasswords();
const values = [...new Set(passwords.map((password) => passwordValue(password, passwords.length)))].sort(
  (a, b) => a - b,
);
const bits = values.map((value, place) => codeOf(value - (values[place - 1] ?? 0))).join("");
const bytes = bits.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, "1"), 2)) ?? [];

writeFileSync(
  "src/accounts/users/sign-in/coded-passwords.ts",
  `// Written by \`npm run common-passwords\`: do not edit it.
export const LISTED = ${passwords.length};
export const CODED = "${Buffer.from(bytes).toString("base64")}";
`,
);

/** Golomb-Rice code of a difference: the quotient in unary, then the remainder in sixteen bits. */
function codeOf(difference: number): string {
  const rest = (difference % RANGE_OF_ONE).toString(2).padStart(16, "0");
  return `${"1".repeat(Math.floor(difference / RANGE_OF_ONE))}0${rest}`;
}
