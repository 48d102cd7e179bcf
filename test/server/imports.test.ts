import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

// Imports that .dependency-cruiser.mjs must refuse, in a copy of the source.
const probes = {
  "a folder within a feature that imports another feature": {
    path: "src/catalogue/products/deep/nested/probe.ts",
    imports: "../../../../checkout/orders/orders.ts",
    rule: "imports-of-catalogue/products",
  },
  "a feature past the public.ts of one that it may import": {
    path: "src/checkout/orders/probe.ts",
    imports: "../cart/cart.ts",
    rule: "imports-of-checkout/orders",
  },
  "a new folder that the table does not name": {
    path: "src/wishlists/probe.ts",
    imports: "../domain/errors.ts",
    rule: "not-in-the-table",
  },
  "a district above its own": {
    path: "src/downloads/files/probe.ts",
    imports: "../../accounts/users/public.ts",
    rule: "imports-of-downloads/files",
  },
  "an import of a new folder": {
    path: "src/panel/probe.ts",
    imports: "../wishlists/probe.ts",
    rule: "imports-of-panel",
  },
  "a folder of the platform that imports a feature": {
    path: "src/platform/http/probe.ts",
    imports: "../../catalogue/products/schemas.ts",
    rule: "imports-of-platform/http",
  },
  "a cycle of types": {
    path: "src/domain/probe.ts",
    imports: "./other-probe.ts",
    rule: "no-cycle",
  },
  "SQL in routes": {
    path: "src/checkout/cart/probe-routes.ts",
    imports: "drizzle-orm",
    rule: "no-sql-in-routes-and-pages",
  },
  "SQL in a page of the panel": {
    path: "src/panel/orders/probe.tsx",
    imports: "drizzle-orm",
    rule: "no-sql-in-routes-and-pages",
  },
  "a builtin of Node in the client": {
    path: "src/client/probe.ts",
    imports: "node:fs",
    rule: "client-stands-alone",
  },
};

let copy: string;
let violations: { rule: { name: string }; from: string; to: string }[];

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "imports-"));
  for (const path of ["src", ".dependency-cruiser.mjs", "tsconfig.json", "package.json"]) {
    await cp(path, join(copy, path), { recursive: true });
  }
  await symlink(join(process.cwd(), "node_modules"), join(copy, "node_modules"));
  const options = { cwd: copy, maxBuffer: 64 * 1024 * 1024 };
  for (const { path, imports } of Object.values(probes)) {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await writeFile(join(copy, path), `import type * as probe from "${imports}";\nexport type Probe = typeof probe;\n`);
  }
  const other = "src/domain/other-probe.ts";
  await writeFile(join(copy, other), 'export type { Probe } from "./probe.ts";\n');
  // `npm run check` covers the rest of the source. Cycles are found at a depth of 2.
  const paths = [...Object.values(probes).map(({ path }) => path), other];
  const report = await new Promise<string>((resolve) => {
    const asked = [...paths, "--max-depth", "2", "--output-type", "json"];
    execFile("node_modules/.bin/depcruise", asked, options, (_error, stdout) => resolve(stdout));
  });
  violations = JSON.parse(report).summary.violations;
});

afterAll(() => rm(copy, { recursive: true }));

test.each(Object.entries(probes))("the check of imports refuses %s", (_name, { path, rule }) => {
  expect(violations.filter(({ from, to }) => from === path || to === path)).toContainEqual(
    expect.objectContaining({ rule: expect.objectContaining({ name: rule }) }),
  );
});
