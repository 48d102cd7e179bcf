import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wrangler } from "./wrangler.ts";

/** Names what would be deployed: a hash of the bundle, the static assets and wrangler.toml, the same for the same content. */
export function buildTag(): string {
  const folder = mkdtempSync(join(tmpdir(), "storefront-build-"));
  try {
    wrangler(["deploy", "--dry-run", "--outdir", folder]);
    const hash = createHash("sha256").update(readFileSync("wrangler.toml"));
    for (const root of [folder, "public"]) for (const file of filesBelow(root)) addFile(hash, root, file);
    return hash.digest("hex").slice(0, 16);
  } finally {
    rmSync(folder, { recursive: true });
  }
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
