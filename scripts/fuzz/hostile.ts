import fc, { type Arbitrary } from "fast-check";
import { anyCharacter } from "./any-character.ts";

const strings = [
  "",
  " ",
  "null",
  "undefined",
  "NaN",
  "-1",
  "0",
  "1e3",
  "0x10",
  "９",
  "9007199254740993",
  "1".repeat(400),
  "../../etc/passwd",
  "%00",
  "\u0000",
  "\u202e",
  "\ud800",
  "💥".repeat(300),
  "'; DROP TABLE products; --",
  '" OR ""="',
  "NEAR(a b, 2) AND *",
  "<script>alert(1)</script>",
  "{{7*7}}",
  "__proto__",
  "constructor",
];

/** Strings that attackers try first in a path, query or body. */
export const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...strings),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
);

const keys = ["__proto__", "constructor", "toString", "", "id", "price.$gt", "a".repeat(300)];

/** Values that attackers try first anywhere in a body. */
export const hostileValue: Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, -1, 0, 1.005, 1e308, -0, Number.MAX_SAFE_INTEGER + 2, [], {}, [[]], [null]),
  fc.dictionary(fc.constantFrom(...keys), fc.jsonValue(), { maxKeys: 3 }),
  // fast-check cannot print deeper values. A body of fifty thousand brackets is below.
  fc.integer({ min: 1, max: 300 }).map((depth) => JSON.parse("[".repeat(depth) + "]".repeat(depth))),
  fc.jsonValue(),
);

/** Bodies that are not JSON, or almost. */
export const hostileBody: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "{",
    '{"a":',
    "[]",
    "null",
    "1",
    '"text"',
    "{}{}",
    "\ufeff{}",
    "a=b&c=d",
    "[".repeat(50_000),
  ),
  fc.string({ maxLength: 40 }),
  hostileValue.map((value) => JSON.stringify(value)),
);
