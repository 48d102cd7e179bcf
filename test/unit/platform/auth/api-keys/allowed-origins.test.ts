import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalOrigin, isAllowedOrigin } from "../../../../../src/platform/auth/api-keys/allowed-origins.ts";

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

it("takes exactly one label for the wildcard, of the scheme and port in the list", () => {
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
