import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { bundle } from "./build/bundle.ts";
import { vendor } from "./build/vendor.ts";
import { CREDENTIALS } from "./credentials.ts";
import { env } from "./local.ts";

// What wrangler.toml names as `[build] command`, which wrangler runs before it serves, deploys or reads types, and whenever
// src changes.

vendor();
try {
  await bundle("src/index.ts", "dist");
  // wrangler says which of its commands builds. `dev` reads .dev.vars only afterwards, so its first start has them already.
  if (process.env.WRANGLER_COMMAND === "dev") prepare();
} catch (error) {
  // Of mistakes in the source it has printed where they are.
  if (!(error instanceof Error && "errors" in error)) throw error;
  process.exitCode = 1;
}

/** What the runtime prints meanwhile matters only when it fails. */
function prepare(): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/prepare.ts"], { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`The local shop could not be prepared:\n${stdout}${stderr}`);
  if (existsSync(CREDENTIALS)) console.log(`Accounts and API keys of the demo shop: ${CREDENTIALS}`);
}
