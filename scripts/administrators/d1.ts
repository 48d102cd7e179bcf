import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The deployment's database, or the one of local development. */
export type Where = "--remote" | "--local";

const env = {
  ...process.env,
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_WRITE_LOGS: "false",
};

/** The rows of a query. It stands in the list of processes: never put a secret into it. */
export function query(where: Where, sql: string): unknown[] {
  const [{ results }] = JSON.parse(wrangler(where, "--json", "--command", sql));
  return results;
}

/** Runs statements as one, all or nothing. They go through a file that nobody else can read and that is gone afterwards. */
export function execute(where: Where, sql: string): void {
  const folder = mkdtempSync(join(tmpdir(), "storefront-"));
  const file = join(folder, "statements.sql");
  // An interrupt reaches wrangler too: it ends, and the file still has to go.
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
  const { status, stdout, stderr } = spawnSync("wrangler", ["d1", "execute", "DB", ...args], { env, encoding: "utf8" });
  if (status === 0) return stdout;
  throw new Error(`wrangler could not do it:\n${stdout}${stderr}`);
}
