import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "../local.ts";

const SOURCE = "src/client";

/** Served by every shop, so that nobody has to look for the client in a registry, where a stranger may own its name. */
const PACKAGE = "public/client.tgz";

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Packs the client with its types for npm, unless the package is newer than its sources. */
export function buildClientPackage(): void {
  const sources = [...readdirSync(SOURCE).map((name) => join(SOURCE, name)), "package.json"];
  if (Math.max(...sources.map(changedAt)) < changedAt(PACKAGE)) return;
  const folder = mkdtempSync(join(tmpdir(), "client-"));
  try {
    compile(join(folder, "client"));
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest(), null, 2));
    cpSync(join(SOURCE, "README.md"), join(folder, "README.md"));
    run("npm", ["pack", folder, "--pack-destination", folder]);
    const packed = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
    // The folder may be on another file system, and another process may read the package.
    const partial = `${PACKAGE}.${process.pid}`;
    writeFileSync(partial, readFileSync(join(folder, packed)));
    renameSync(partial, PACKAGE);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** JavaScript and declarations, because Node does not run TypeScript inside `node_modules`. */
function compile(outDir: string): void {
  mkdirSync(outDir);
  const emit = ["--noEmit", "false", "--declaration", "--rewriteRelativeImportExtensions"];
  run("npx", ["tsc", "-p", SOURCE, ...emit, "--outDir", outDir]);
  // The compiler leaves the extensions in declarations.
  for (const name of readdirSync(outDir).filter((one) => one.endsWith(".d.ts"))) {
    const path = join(outDir, name);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
  }
}

function manifest() {
  const { name, version, engines, dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const code = readdirSync(SOURCE).map((file) => readFileSync(join(SOURCE, file), "utf8"));
  const isUsed = ([dependency]: [string, unknown]) => code.some((text) => text.includes(`from "${dependency}"`));
  return {
    name,
    version,
    description: "The TypeScript client of a storefront",
    type: "module",
    exports: { "./client": { types: "./client/index.d.ts", default: "./client/index.js" } },
    engines,
    dependencies: Object.fromEntries(Object.entries(dependencies).filter(isUsed)),
  };
}

function run(command: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`The client's package could not be built:\n${stdout}${stderr}`);
}
