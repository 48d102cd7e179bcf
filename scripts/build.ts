import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { buildAssets } from "./build/assets.ts";
import { bundle } from "./build/bundle.ts";
import { unlessBuilt } from "./build/stamp.ts";
import { CREDENTIALS } from "./credentials.ts";
import { env } from "./local.ts";

// The `[build] command` in wrangler.toml, which wrangler runs before it serves, deploys or reads types, and whenever src
// changes.

try {
  await unlessBuilt(async () => {
    await buildAssets();
    return Object.keys((await bundle("src/index.ts", "dist")).inputs);
  });
  // wrangler passes the command that builds. `dev` reads .dev.vars only afterwards, so its first start already finds the
  // secrets.
  if (process.env.WRANGLER_COMMAND === "dev") prepare();
} catch (error) {
  // esbuild has already printed the locations of source errors.
  if (!(error instanceof Error && "errors" in error)) throw error;
  process.exitCode = 1;
}

/** The runtime's output matters only on failure. */
function prepare(): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/prepare.ts"], { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`The local shop could not be prepared:\n${stdout}${stderr}`);
  if (existsSync(CREDENTIALS)) console.log(`Accounts and API keys of the demo shop: ${CREDENTIALS}`);
}
