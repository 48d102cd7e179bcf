import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wrangler } from "./deploy/wrangler.ts";

// `npm run check:startup`: a Worker that starts evaluates the catalogue, and nothing that only other requests need. What a
// module imports by `import()` is evaluated on first use; all else that can be reached from src/index.ts when it starts.

const ENTRY = "src/index.ts";

/** What is not the catalogue's, and the libraries that cost most. */
const OTHERS =
  /^src\/(panel|orders|payments|cart|files|packages|transactions|users|api-keys|audit|idempotency)\/|\/admin-[^/]*$|busboy|magic-bytes/;

type Import = { path: string; kind: string; external?: boolean };
type Metafile = {
  inputs: Record<string, { imports: Import[] }>;
  outputs: Record<string, { entryPoint?: string; imports: Import[] }>;
};

const { inputs, outputs } = bundled();
const evaluated = new Map<string, string[]>([[ENTRY, [ENTRY]]]);
// A map is walked in the order in which it grows, to its end.
for (const [file, trail] of evaluated) {
  for (const { path, kind, external } of inputs[file]?.imports ?? []) {
    if (kind !== "dynamic-import" && !external && !evaluated.has(path)) evaluated.set(path, [...trail, path]);
  }
}
const early = [...evaluated].filter(([file]) => OTHERS.test(file)).map(([, trail]) => trail.join(" > "));
const builtins = Object.values(outputs)
  .filter(({ entryPoint }) => entryPoint === ENTRY)
  .flatMap(({ imports }) => imports.map(({ path }) => path))
  .filter((path) => path.startsWith("node:"));

const problems = [
  ...early.map((trail) => `is evaluated when the Worker starts: ${trail}`),
  ...builtins.map(
    (path) => `${path} is evaluated when the Worker starts: let wrangler.toml alias it to src/builtins.ts`,
  ),
];
console.log(`${evaluated.size} of ${Object.keys(inputs).length} modules are evaluated when the Worker starts`);
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}

/** What esbuild tells of the bundle that would be deployed. */
function bundled(): Metafile {
  const folder = mkdtempSync(join(tmpdir(), "storefront-startup-"));
  try {
    wrangler(["deploy", "--dry-run", "--outdir", folder, "--metafile", join(folder, "meta.json")]);
    return JSON.parse(readFileSync(join(folder, "meta.json"), "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
