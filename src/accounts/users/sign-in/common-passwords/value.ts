import { createHash } from "node:crypto";

/** How many values there are for each listed password: one of so many other passwords is taken for a listed one. */
export const RANGE_OF_ONE = 2 ** 16;

/** The value of a password in a set of so many. */
export const passwordValue = (password: string, listed: number): number =>
  createHash("sha256").update(password).digest().readUIntBE(0, 6) % (listed * RANGE_OF_ONE);
