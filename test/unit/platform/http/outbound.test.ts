import { describe, expect, it } from "vitest";
import { isPublicAddress, refusalOfUrl } from "../../../../src/platform/http/outbound.ts";
import { hostileAddresses, internalAddresses } from "../../../support/hostile-addresses.ts";

const rules = { ownHosts: ["shop.example", "api.shop.example"], allowsLocalhost: false };
const development = { ...rules, allowsLocalhost: true };

it.each(hostileAddresses)("refuses %s", (url) => {
  expect(refusalOfUrl(url, rules)).toMatch(/^must /);
});

it("includes at least forty of them", () => {
  expect(new Set(hostileAddresses).size).toBeGreaterThan(40);
});

it.each([
  "https://shop.example/",
  "https://SHOP.EXAMPLE./hook",
  "https://api.shop.example:8443/",
  "https://%73hop.example/",
])("refuses %s, which is the shop's own", (url) => {
  expect(refusalOfUrl(url, rules)).toBe("must not be this shop's own address");
});

it.each([
  "https://example.com/hook?a=b",
  "https://example.com:8443/",
  "https://1.1.1.1/",
  "https://[2606:4700:4700::1111]/",
  "https://localhost.example.com/",
  "https://local.internal.example.com./",
  "https://not-shop.example/",
  "https://bücher.example/",
])("accepts %s", (url) => {
  expect(refusalOfUrl(url, rules)).toBeNull();
});

describe("in development", () => {
  it.each(["http://localhost:8788/hook", "http://127.0.0.1:9000/", "https://localhost/"])("accepts %s too", (url) => {
    expect(refusalOfUrl(url, development)).toBeNull();
    expect(refusalOfUrl(url, rules)).not.toBeNull();
  });

  it.each([
    "http://example.com/",
    "http://127.0.0.2/",
    "http://[::1]/",
    "http://0.0.0.0/",
    "http://api.localhost/",
    "http://localhost./",
    "ftp://localhost/",
    "http://user@localhost/",
    "https://10.0.0.1/",
  ])("still refuses %s", (url) => {
    expect(refusalOfUrl(url, development)).toMatch(/^must /);
  });
});

it.each(internalAddresses)("does not treat %s as public, to which a name may resolve", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each(["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:93.184.215.14"])(
  "treats %s as public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

it("treats an invalid address as not public", () => {
  for (const text of ["", "example.com", "1.2.3.4.5", "::g"]) expect(isPublicAddress(text)).toBe(false);
});
