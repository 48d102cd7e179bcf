import { createHash } from "node:crypto";
import { CODED, LISTED } from "./coded-passwords.ts";

/** Number of possible values per listed password: one in this many other passwords is a false positive. */
export const RANGE_OF_ONE = 2 ** 16;

/** Returns a password's value in a set of `listed` passwords. */
export const passwordValue = (password: string, listed: number): number =>
  createHash("sha256").update(password).digest().readUIntBE(0, 6) % (listed * RANGE_OF_ONE);

let common: Set<number> | undefined;

/**
 * Returns true for the ten thousand most common passwords and a few thousand more, in any case. One in 65,536 other passwords
 * is a false positive.
 */
export function isCommonPassword(password: string): boolean {
  common ??= decode(Buffer.from(CODED, "base64"));
  return common.has(passwordValue(password.toLowerCase(), LISTED));
}

/** Reads a Golomb-coded set: the differences between its values, as scripts/common-passwords.ts writes them. */
function decode(bytes: Buffer): Set<number> {
  const values = new Set<number>();
  const end = bytes.length * 8;
  let [at, value] = [0, 0];
  const nextBit = () => {
    const bit = ((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
    at++;
    return bit;
  };
  while (at < end) {
    let difference = 0;
    while (at < end && nextBit() === 1) difference += RANGE_OF_ONE;
    // The last byte is padded with ones.
    if (at >= end) break;
    for (let place = RANGE_OF_ONE / 2; place >= 1; place /= 2) difference += nextBit() * place;
    value += difference;
    values.add(value);
  }
  return values;
}
