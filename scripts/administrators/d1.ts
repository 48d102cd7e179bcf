import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The deployment's database or the local one. */
export type Where = "--remote" | "--local";

const settings = {
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_WRITE_LOGS: "false",
};

/** Returns the rows of a query. The query is visible in the process list: never put a secret into it. */
export function query(where: Where, sql: string): unknown[] {
  const [{ results }] = JSON.parse(wrangler(where, "--json", "--command", sql));
  return results;
}

/** Runs statements atomically. They pass through a file that only this user can read and that is deleted afterwards. */
export function execute(where: Where, sql: string): void {
  const folder = mkdtempSync(join(tmpdir(), "storefront-"));
  const file = join(folder, "statements.sql");
  // An interrupt ends wrangler too, and the file must still be deleted.
  const wait = () => {};
  process.on("SIGINT", wait).on("SIGTERM", wait);
  try {
    writeFileSync(file, sql, { mode: 0o600 });
    wrangler(where, "--yes", "--file", file);
  } finally {
    rmSync(folder, { recursive: true });
    process.off("SIGINT", wait).off("SIGTERM", wait);
  }
}

function wrangler(...args: string[]): string {
  const env = { ...process.env, ...settings };
  const { status, stdout, stderr } = spawnSync("wrangler", ["d1", "execute", "DB", ...args], { env, encoding: "utf8" });
  if (status === 0) return stdout;
  throw new Error(`wrangler could not do it:\n${stdout}${stderr}`);
}
