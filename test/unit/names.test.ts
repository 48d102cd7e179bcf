import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const EXPORTED = /^export (?:async )?(?:const|function\*?|class|type|interface) (\w+)/gm;

it("finds each exported name in one file of src, so that a search for it leads there", () => {
  const filesOf = new Map<string, Set<string>>();
  for (const file of globSync("src/**/*.{ts,tsx}")) {
    if (file.endsWith(".d.ts") || file === "src/client/schema.ts") continue;
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(EXPORTED))
      filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file));
  }
  expect(filesOf.size).toBeGreaterThan(1_000);
  const shared = [...filesOf].filter(([, files]) => files.size > 1);
  expect(shared.map(([name, files]) => `${name}: ${[...files].join(", ")}`)).toEqual([]);
});
