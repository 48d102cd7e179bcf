import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";

// wrangler would write one file, whose imports of builtins are evaluated when the Worker starts, whichever module they are of.
// Here each `import()` leads to a module of its own.

/** `require` of a builtin in a CommonJS package: an ES module has none. */
const requiredBuiltins: Plugin = {
  name: "required-builtins",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === "require-call" ? { path, namespace: "builtin" } : { path, external: true },
    );
    onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

const isOutput = (name: string): boolean => /\.mjs(\.map)?$/.test(name);

/** Bundles a Worker into ES modules below `outdir`, which begin with `index.mjs`, and answers what they consist of. */
export async function bundle(entry: string, outdir: string): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    entryPoints: { index: entry },
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    outExtension: { ".js": ".mjs" },
    // As wrangler builds for the runtime.
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*"],
    plugins: [requiredBuiltins],
    minify: true,
    sourcemap: true,
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  mkdirSync(outdir, { recursive: true });
  const written = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  const present = new Set(readdirSync(outdir));
  // Another process may read or build them: what has not changed stays as it is, and what has appears whole.
  for (const [name, contents] of written) {
    const path = join(outdir, name);
    if (present.has(name) && readFileSync(path).equals(contents)) continue;
    const partial = `${path}.${process.pid}`;
    writeFileSync(partial, contents);
    renameSync(partial, path);
  }
  for (const name of present) if (isOutput(name) && !written.has(name)) rmSync(join(outdir, name), { force: true });
  return metafile;
}
