import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonicalOrigin,
  canonicalRange,
  isAllowedAddress,
  isAllowedOrigin,
} from "../../../../../src/platform/auth/api-keys/allowed-callers.ts";

// The reference model: an address is a string of 32 or 128 bits, and a range is a prefix of one.

const bitsOf = (groups: number[], width: number) =>
  groups.map((group) => group.toString(2).padStart(width, "0")).join("");

const octets = fc.array(fc.nat(255), { minLength: 4, maxLength: 4 });
const v4 = octets.map((groups) => ({
  texts: [groups.join("."), `::ffff:${groups.join(".")}`],
  bits: bitsOf(groups, 8),
}));
const v6 = fc
  .array(fc.nat(0xffff), { minLength: 7, maxLength: 7 })
  .map((rest) => [0x2001, ...rest])
  .map((groups) => ({
    texts: [
      groups.map((each) => each.toString(16)).join(":"),
      groups.map((each) => each.toString(16).toUpperCase().padStart(4, "0")).join(":"),
    ],
    bits: bitsOf(groups, 16),
  }));

const textOf = (bits: string) =>
  bits.length === 32
    ? bits
        .match(/.{8}/g)
        ?.map((each) => Number.parseInt(each, 2))
        .join(".")
    : bits
        .match(/.{16}/g)
        ?.map((each) => Number.parseInt(each, 2).toString(16))
        .join(":");

const rangeOf = (text: string): string => {
  const read = canonicalRange(text);
  if ("problem" in read) throw new Error(read.problem);
  return read.range;
};

it("contains exactly the addresses with the range's leading bits", () => {
  const pair = fc.oneof(fc.tuple(v4, v4), fc.tuple(v6, v6), fc.tuple(v4, v6), fc.tuple(v6, v4));
  fc.assert(
    fc.property(pair, fc.nat(128), fc.boolean(), fc.nat(1), ([owner, stranger], length, isNear, spelling) => {
      const size = owner.bits.length;
      const prefix = owner.bits.slice(0, Math.min(length, size));
      const range = rangeOf(`${textOf(prefix.padEnd(size, "0"))}/${prefix.length}`);
      const isOfKind = stranger.bits.length === size;
      const bits = isNear && isOfKind ? (prefix.slice(0, -1) + stranger.bits).slice(0, size) : stranger.bits;
      const address = isNear && isOfKind ? textOf(bits) : stranger.texts[spelling];
      expect(isAllowedAddress([range], address)).toBe(isOfKind && bits.startsWith(prefix));
      expect(isAllowedAddress(["198.51.100.1", range], owner.texts[spelling])).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

it("has one canonical form, which is stable", () => {
  fc.assert(
    fc.property(fc.oneof(v4, v6), ({ texts }) => {
      const [one, other] = texts.map(rangeOf);
      expect(one).toBe(other);
      expect(rangeOf(one ?? "")).toBe(one);
    }),
  );
});

it.each([
  ["203.0.113.7/32", "203.0.113.7"],
  ["2001:DB8:0:0::1/128", "2001:db8::1"],
  ["2001:db8::/32", "2001:db8::/32"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::ffff:cb00:7100/120", "203.0.113.0/24"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["::/0", "::/0"],
])("reads %s as %s", (typed, range) => {
  expect(canonicalRange(typed)).toEqual({ range });
});

it.each([
  "",
  "localhost",
  "*",
  "10.0.0",
  "10.1",
  "167772161",
  "0x0a000001",
  "010.0.0.1",
  "10.0.0.256",
  "10.0.0.1/33",
  "10.0.0.1/-1",
  "10.0.0.0/08",
  "10.0.0.0/8/8",
  "10.0.0.0/255.0.0.0",
  "10.0.0.1 ",
  "10.0.0.1\n",
  "１０.0.0.1",
  "fe80::1%eth0",
  "[::1]",
  "::1::",
  "2001:db8::/129",
  "::ffff:10.0.0.0/95",
  "10.0.0.1:80",
  "/8",
])("refuses %j", (typed) => {
  expect(canonicalRange(typed)).toHaveProperty("problem");
});

it("asks for an address or a range if an address has bits beyond its prefix", () => {
  const problem = "must be 203.0.113.0/24 for the whole range, or 203.0.113.7 for the address alone";
  expect(canonicalRange("203.0.113.7/24")).toEqual({ problem });
});

describe("an unknown address", () => {
  it.each([undefined, "", "unknown", "203.0.113.7, 203.0.113.8", "203.0.113.7/32 "])("is in no list: %j", (address) => {
    expect(isAllowedAddress(["0.0.0.0/0", "::/0"], address)).toBe(false);
    expect(isAllowedAddress([], address)).toBe(true);
  });
});

it.each([
  ["https://shop.example", "https://shop.example"],
  ["https://shop.example/", "https://shop.example"],
  ["HTTPS://Shop.Example:443", "https://shop.example"],
  ["http://shop.example:443", "http://shop.example:443"],
  ["https://bücher.example", "https://xn--bcher-kva.example"],
  ["http://localhost:3000", "http://localhost:3000"],
  ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
  ["http://[::1]:3000", "http://[::1]:3000"],
  ["https://*.shop.example", "https://*.shop.example"],
  ["https://*.shop.example:8443", "https://*.shop.example:8443"],
])("reads %s as %s", (typed, origin) => {
  expect(canonicalOrigin(typed)).toBe(origin);
});

it.each([
  "",
  "*",
  "null",
  "shop.example",
  "//shop.example",
  "https://",
  "https://*",
  "https://*.example",
  "https://*.*.shop.example",
  "https://a.*.shop.example",
  "https://a*.shop.example",
  "https://%2a.example",
  "https://*.1.2.3.4",
  "https://shop.example/path",
  "https://shop.example?query",
  "https://shop.example#part",
  "https://user@shop.example",
  "https://shop.example\\@evil.example",
  "https://shop.example https://evil.example",
  "https://shop.example\n",
  "https://shop.example:99999",
  "ftp://shop.example",
  "file:///shop",
  "javascript:alert(1)",
  "chrome-extension://abcdefghijklmnop",
])("refuses %j", (typed) => {
  expect(canonicalOrigin(typed)).toBeNull();
});

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);

it("matches exactly one label to the wildcard, with the scheme and port in the list", () => {
  const sites = fc.tuple(
    fc.constantFrom("https", "http"),
    fc.array(label, { maxLength: 3 }),
    fc.constantFrom("", ":81"),
  );
  fc.assert(
    fc.property(sites, ([scheme, labels, port]) => {
      const origin = `${scheme}://${[...labels, "shop", "example"].join(".")}${port}`;
      const isCovered = scheme === "https" && port === "" && labels.length === 1;
      expect(isAllowedOrigin(["https://*.shop.example"], origin)).toBe(isCovered);
      expect(isAllowedOrigin([origin], origin)).toBe(true);
    }),
  );
});

it.each([
  "https://@.shop.example",
  "https://evil.example/.shop.example",
  "https://evil.example#.shop.example",
  "https://a\\.shop.example",
  "https://evilshop.example",
  "https://.shop.example",
  "https://shop.example",
  "https://a.shop.example.evil.example",
  "HTTPS://a.shop.example ",
])("is not fooled by %s", (origin) => {
  expect(isAllowedOrigin(["https://*.shop.example"], origin)).toBe(false);
});
