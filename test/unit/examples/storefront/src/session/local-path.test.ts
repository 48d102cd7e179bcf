import fc from "fast-check";
import { expect, it } from "vitest";
import { localPath } from "../../../../../../examples/storefront/src/session/local-path.ts";
import { anyCharacter } from "../../../../../../scripts/fuzz/any-character.ts";

const SHOP = "https://halftone.example";

/** Parts of URLs, and texts that have misled URL parsers. */
const piece = fc.constantFrom(
  ..."/ \\ . .. @ : ? # ; & % %2f %2F %5c %2e %00 %09 %0a %0d%0a %40 a orders".split(" "),
  ...["\t", "\n", "\r", "\0", " ", "\u00a0", "\u2028", "／", "。", "\ud800"],
  ...["http:", "https:", "javascript:", "data:", "evil.example", "user@", "[::1]", "localhost", "shop.invalid", ":443"],
);
const address = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
  fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join("")}`),
  fc.webUrl(),
  fc.string(),
  fc.string({ unit: anyCharacter }),
);

it("stays on the shop's host, whatever URL it is given", () => {
  fc.assert(
    fc.property(address, (asked) => {
      const path = localPath(asked);
      expect(path).toMatch(/^\/[\x21-\x7e]*$/);
      expect(new URL(path, SHOP).origin).toBe(SHOP);
      expect(localPath(path)).toBe(path);
    }),
    { numRuns: 20_000, examples: hosts.map((host): [string] => [host]) },
  );
});

const hosts = [
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/%2e//evil.example",
  "/a/..//evil.example",
  "/\t/evil.example",
  "\t//evil.example",
  "/\n/evil.example",
  "//shop.invalid//evil.example",
  "https://shop.invalid//evil.example",
  "//shop.invalid@evil.example",
  "https:evil.example",
  "https:/\\evil.example",
  "https://evil.example/orders",
  "javascript:alert(1)",
  "data:text/html,hello",
  "/%2f/evil.example",
  "/%2f%2fevil.example",
  "/%5cevil.example",
];

it.for(hosts)("does not follow %j", (asked) => {
  expect(localPath(asked)).not.toMatch(/^\/[/\\]/);
});

it.for<[string, string]>([
  ["/", "/"],
  ["/checkout", "/checkout"],
  ["/orders/12?page=2", "/orders/12?page=2"],
  ["/?search=rain%20on&sort=price", "/?search=rain%20on&sort=price"],
  ["/orders#details", "/orders"],
  ["", "/"],
])("leads from %j to %j", ([asked, path]) => {
  expect(localPath(asked)).toBe(path);
});
