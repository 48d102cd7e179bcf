import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";

/** Written by the build of the started shop. */
const ASSETS = join(inject("shop").folder, "public/admin-assets");

it("has at most 62 KiB of minified script and style, before compression", () => {
  const names = readdirSync(ASSETS).filter((name) => /\.(js|css)$/.test(name));
  expect(names).toContain("sha256.js");
  const sizes = names.map((name) => statSync(join(ASSETS, name)).size);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(62 * 1024);
});
