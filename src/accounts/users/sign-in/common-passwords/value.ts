import { createHash } from "node:crypto";

/** Number of possible values per listed password: one in this many other passwords is a false positive. */
export const RANGE_OF_ONE = 2 ** 16;

/** Returns a password's value in a set of `listed` passwords. */
export const passwordValue = (password: string, listed: number): number =>
  createHash("sha256").update(password).digest().readUIntBE(0, 6) % (listed * RANGE_OF_ONE);
