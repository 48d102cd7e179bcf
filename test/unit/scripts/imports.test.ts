import { globSync } from "node:fs";
import { build } from "esbuild";
import { expect, it } from "vitest";

const entries = globSync("scripts/*.ts");

const { inputs } = (
  await build({
    entryPoints: entries,
    outdir: "scripts",
    bundle: true,
    write: false,
    metafile: true,
    packages: "external",
    external: ["cloudflare:*"],
    loader: { ".md": "text", ".sql": "text" },
    format: "esm",
    logLevel: "silent",
  })
).metafile;

/** The modules that loading a script evaluates. */
function evaluated(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { path, kind } of inputs[file]?.imports ?? []) if (kind !== "dynamic-import") evaluated(path, seen);
  return seen;
}

it.each(entries)("%s imports nothing that only the Worker's runtime has", (entry) => {
  expect(inputs).toHaveProperty([entry]);
  expect([...evaluated(entry)].filter((path) => path.startsWith("cloudflare:"))).toEqual([]);
});
