import { existsSync, globSync } from "node:fs";
import { dirname, relative } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";

// A test's folder decides its project: test/unit, test/server, or any other, which runs in the Worker.

const all = globSync("test/**/*.test.{ts,tsx}");
const { inputs } = (
  await build({
    stdin: { contents: all.map((file) => `import "./${file}";`).join("\n"), resolveDir: "." },
    bundle: true,
    write: false,
    metafile: true,
    packages: "external",
    external: ["cloudflare:*", "node:*"],
    loader: { ".md": "text", ".sql": "text" },
    format: "esm",
    logLevel: "silent",
  })
).metafile;

/** Files that a file imports, directly or indirectly. Type imports do not count. */
function reached(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { path } of inputs[file]?.imports ?? []) reached(path, seen);
  return seen;
}

const needsWorker = (file: string) => [...reached(file)].some((path) => path.startsWith("cloudflare:"));

const isUnit = (file: string) => file.startsWith("test/unit/");

it("has exactly the tests for plain Node below test/unit", () => {
  expect(all.filter((file) => isUnit(file) && needsWorker(file))).toEqual([]);
  const elsewhere = all.filter((file) => !isUnit(file) && !file.startsWith("test/server/"));
  expect(elsewhere.filter((file) => !needsWorker(file))).toEqual([]);
});

it("has the tests of pure rules in the folder of their source", () => {
  const folders = all.filter(isUnit).map((file) => dirname(relative("test/unit", file)));
  expect(folders.filter((folder) => !existsSync(`src/${folder}`) && !existsSync(folder))).toEqual([]);
});
