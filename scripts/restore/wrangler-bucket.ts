import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDeployment } from "../deploy/config.ts";
import { unlessMissing, wrangler } from "../deploy/wrangler.ts";

const MISSING = /key does not exist|NoSuchKey|code: 10007/i;

/** A deployment's backup bucket, read through wrangler one object at a time. */
export function remoteBucket() {
  const { backups } = readDeployment();
  if (!backups) throw new Error("wrangler.toml has no bucket BACKUPS in this environment.");
  const folder = mkdtempSync(join(tmpdir(), "storefront-"));
  const file = join(folder, "object");
  const read = async (key: string): Promise<Uint8Array | null> => {
    const get = () => wrangler(["r2", "object", "get", `${backups}/${key}`, "--remote", "--file", file]);
    return unlessMissing(MISSING, get, null) === null ? null : readFileSync(file);
  };
  return { read, dispose: async () => rmSync(folder, { recursive: true }) };
}
