import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const ASSETS = "public/admin-assets";

it("sends a browser no more than 60 KiB of script and style", () => {
  const sizes = readdirSync(ASSETS).map((name) => gzipSync(readFileSync(join(ASSETS, name))).length);
  expect(sizes.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60 * 1024);
});
