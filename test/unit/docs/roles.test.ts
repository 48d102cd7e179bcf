import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { rolePermissions } from "../../../src/platform/auth/roles.ts";

const guide = readFileSync("docs/api.md", "utf8");

it.each(Object.entries(rolePermissions))("the role %s is documented with its permissions", (role, granted) => {
  const [, told] = new RegExp(`^\\| ${role} \\| ([^|]*) \\|$`, "m").exec(guide) ?? [];
  const expected = granted.length > 0 ? granted.join(", ") : "none";
  expect(told).toMatch(new RegExp(`^${expected}(, and |$)`));
});
