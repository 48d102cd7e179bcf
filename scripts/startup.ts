import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { bundle } from "./build/bundle.ts";

// `npm run check:startup` checks that a starting Worker evaluates the catalogue, but nothing that only other requests
// need. Modules loaded by `import()` are evaluated on first use, and all others reached from src/index.ts at startup.

const ENTRY = "src/index.ts";

/** Modules outside the catalogue, all tables together, the largest libraries, and the runtime's own modules. */
const OTHERS = new RegExp(
  [
    // The catalogue joins a few tables of others.
    "^src/(panel|account-pages|checkout|accounts|downloads|back-office|integrations/(api-keys|events))/(?!.*\\btables\\.ts$)",
    "^src/platform/(administration|audit|email|idempotency|jobs|queues|storage-limit)/",
    "/admin[^/]*$",
    "^src/platform/db/schema\\.ts$",
    "busboy|magic-bytes",
    "^(builtin:)?node:",
  ].join("|"),
);

const { inputs, outputs } = await bundled();

// Iterating a set or map also visits items added meanwhile.
const chunks = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === ENTRY));
for (const chunk of chunks) for (const { path, external } of importsOf(outputs[chunk])) if (!external) chunks.add(path);
const evaluated = new Set<string>();
for (const chunk of chunks) {
  for (const path of Object.keys(outputs[chunk]?.inputs ?? {})) evaluated.add(path);
  for (const { path, external } of importsOf(outputs[chunk])) if (external) evaluated.add(path);
}
const trails = new Map([[ENTRY, ENTRY]]);
for (const [file, trail] of trails) {
  for (const { path } of importsOf(inputs[file])) if (!trails.has(path)) trails.set(path, `${trail} > ${path}`);
}

const kib = (paths: Iterable<string>): number =>
  Math.round(Array.from(paths, (path) => outputs[path]?.bytes ?? 0).reduce((sum, bytes) => sum + bytes, 0) / 1024);
const all = Object.keys(outputs).filter((path) => path.endsWith(".mjs"));
console.log(
  `${evaluated.size} of ${Object.keys(inputs).length} modules are evaluated when the Worker starts, ${kib(chunks)} of ${kib(all)} KiB`,
);
const early = [...evaluated].filter((path) => OTHERS.test(path));
for (const path of early) console.error(`is evaluated when the Worker starts: ${trails.get(path) ?? path}`);
if (early.length > 0) process.exitCode = 1;

type Imports = { imports: { path: string; kind: string; external?: boolean }[] };

/** Modules evaluated before this one. */
function importsOf(module: Imports | undefined) {
  return module?.imports.filter(({ kind }) => kind !== "dynamic-import") ?? [];
}

/** esbuild's metadata of the deployed modules. */
async function bundled(): Promise<Metafile> {
  const folder = mkdtempSync(join(tmpdir(), "storefront-startup-"));
  try {
    return await bundle(ENTRY, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
