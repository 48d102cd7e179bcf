import fc from "fast-check";

/** Any Unicode characters, with those of European alphabets more often. */
export const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0x3ff }), fc.integer({ min: 0, max: 0x10_ffff })), { maxLength: 60 })
  .map((points) => String.fromCodePoint(...points).toWellFormed());
