import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ASSETS = "public/admin-assets";

it("is made of no more than 60 KiB of script and style, before they are compressed", () => {
  const names = readdirSync(ASSETS).filter((name) => /\.(js|css)$/.test(name));
  // What scripts/vendor.ts adds is there since the shop of these tests was built.
  expect(names).toContain("sha256.js");
  const sizes = names.map((name) => statSync(join(ASSETS, name)).size);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(60 * 1024);
});
