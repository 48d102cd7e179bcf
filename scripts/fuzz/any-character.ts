import fc, { type Arbitrary } from "fast-check";

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * Any character of Unicode, as a unit of text. fast-check's unit "binary" yields the same characters, but first fills a table
 * with all of them, which takes a second.
 */
export const anyCharacter: Arbitrary<string> = fc
  .nat({ max: 0x10_ffff - SURROGATES })
  .map((index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES), indexOf);

/** Throws if the value is not one character, because fast-check asks which texts it could generate. */
function indexOf(value: unknown): number {
  const point = typeof value === "string" ? value.codePointAt(0) : undefined;
  if (point === undefined || String.fromCodePoint(point) !== value || !value.isWellFormed()) {
    throw new Error("This is not one character");
  }
  return point < FIRST_SURROGATE ? point : point - SURROGATES;
}
