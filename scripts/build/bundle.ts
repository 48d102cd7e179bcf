import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";

// wrangler would write a single file and evaluate all imports of builtins at startup. Here each `import()` leads to its own
// module.

/** CommonJS packages `require` builtins, which ES modules cannot. */
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

// Modules that libraries import but nothing calls, each with an empty replacement.
const UNUSED = [
  // Finds addresses in plain text. Descriptions link only where they say so.
  { filter: /\/linkify-it\//, contents: "export class LinkifyIt {}" },
  // Validates what users enter for a tool of MCP. No tool asks them.
  {
    filter: /@modelcontextprotocol\/server\/dist\/cfWorkerProvider/,
    contents: "const Validator = class {};\nexport { Validator as t };",
  },
];

const withoutUnused: Plugin = {
  name: "without-unused",
  setup({ onLoad }) {
    for (const { filter, contents } of UNUSED) onLoad({ filter }, () => ({ contents }));
  },
};

const isOutput = (name: string): boolean => /\.mjs(\.map)?$/.test(name);

/** Bundles a Worker into ES modules in `outdir`, starting from `index.mjs`, and returns esbuild's metafile. */
export async function bundle(entry: string, outdir: string): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    entryPoints: { index: entry },
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    outExtension: { ".js": ".mjs" },
    // The target that wrangler builds for.
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*"],
    plugins: [requiredBuiltins, withoutUnused],
    minify: true,
    sourcemap: true,
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  mkdirSync(outdir, { recursive: true });
  const written = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  const present = new Set(readdirSync(outdir));
  // Another process may read or build these files: unchanged files stay, and new ones appear whole.
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
