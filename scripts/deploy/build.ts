import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { environmentsOf } from "./environments.ts";
import { readToml } from "./toml.ts";

/** Names the deployed content: a hash of the build, the static assets and the deployment's settings. */
export function buildTag(): string {
  execFileSync(process.execPath, ["scripts/build.ts"], { stdio: "pipe" });
  const config = readToml();
  const { env: _, ...above } = config;
  const settings = [above, environmentsOf(config)[process.env.CLOUDFLARE_ENV ?? ""]];
  const hash = createHash("sha256").update(JSON.stringify(settings));
  for (const root of ["dist", "public"]) for (const file of filesBelow(root)) addFile(hash, root, file);
  return hash.digest("hex").slice(0, 16);
}

const filesBelow = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(m?js|css|html|json|svg|txt)$|^_headers$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

function addFile(hash: ReturnType<typeof createHash>, root: string, file: string): void {
  const content = readFileSync(file);
  hash.update(`\0${file.slice(root.length)}\0${content.length}\0`).update(content);
}
