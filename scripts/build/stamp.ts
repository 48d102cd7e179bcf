import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Everything that a build reads. The last one lists the installed packages. */
const SOURCES = [
  ...["src", "scripts", "examples/integrations", "public/openapi.json"],
  ...["package.json", "tsconfig.json", "node_modules/.package-lock.json"],
];

/** Everything that a build writes, and the stamp last. */
const WRITTEN = [
  ...["dist/index.mjs", "public/admin-assets", "public/client.tgz"],
  ...["public/collection.json", "public/docs", "public/docs-assets"],
];
const STAMP = "dist/.sources";

/**
 * Runs the build, which returns the files of the bundle, unless its last run had the same sources. wrangler runs it before
 * each of its commands.
 */
export async function unlessBuilt(build: () => Promise<string[]>): Promise<void> {
  const sources = hashOf(SOURCES.filter((path) => existsSync(path)).flatMap(filesIn));
  const isBuilt = [...WRITTEN, STAMP].every((path) => existsSync(path)) && readFileSync(STAMP, "utf8") === sources;
  if (isBuilt) return;
  const unlisted = (await build()).filter(
    (path) => !INSTALLED.test(path) && !SOURCES.some((source) => isIn(source, path)),
  );
  if (unlisted.length > 0) throw new Error(`Add to SOURCES in scripts/build/stamp.ts: ${unlisted.join(", ")}`);
  writeFileSync(STAMP, sources);
}

/** Files of packages and builtins, which change with the list of installed packages only. `node_modules` may be a link. */
const INSTALLED = /^builtin:|(^|\/)node_modules\//;

const isIn = (source: string, path: string): boolean => path === source || path.startsWith(`${source}/`);

const filesIn = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
    : [path];

function hashOf(files: string[]): string {
  const hash = createHash("sha256");
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`\0${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}
