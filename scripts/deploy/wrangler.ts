import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";

const settings = {
  CI: "1",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_WRITE_LOGS: "false",
  NO_COLOR: "1",
};

/**
 * Makes this process, and every wrangler that it starts, use an environment of `wrangler.toml`. Without a name they use
 * the top-level deployment.
 */
export function useEnvironment(name = process.env.CLOUDFLARE_ENV ?? ""): void {
  // Does not load wrangler to read the names, because that would take most of the time of a short command.
  const tables = readFileSync("wrangler.toml", "utf8").matchAll(/^\[\[?env\.([\w-]+)/gm);
  const known = new Set(Array.from(tables, ([, environment]) => environment));
  if (name !== "" && !known.has(name)) {
    const names = [...known].join(", ") || "none";
    throw new Error(`wrangler.toml has no environment ${JSON.stringify(name)}. It has: ${names}.`);
  }
  process.env.CLOUDFLARE_ENV = name;
}

/** The option that names the environment in further commands. Empty without an environment. */
export const environmentOption = (): string =>
  process.env.CLOUDFLARE_ENV ? ` --env ${process.env.CLOUDFLARE_ENV}` : "";

/** A failure of wrangler. The message is its output. */
class WranglerError extends Error {
  constructor(args: string[], output: string) {
    super(`wrangler ${args.join(" ")} failed:\n${output.trim()}`);
  }
}

/** Runs wrangler without prompts and returns its stdout. */
export function wrangler(args: string[], more: Record<string, string> = {}): string {
  const { status, stdout, stderr } = spawnSync("wrangler", args, {
    env: { ...process.env, ...settings, ...more },
    encoding: "utf8",
  });
  if (status !== 0) throw new WranglerError(args, `${stdout}${stderr}`);
  return stdout;
}

/** Parses the JSON that wrangler printed, after any other lines. */
export function wranglerJson(...args: string[]): unknown {
  const output = wrangler(args);
  return JSON.parse(output.slice(output.search(/^[[{]/m)));
}

const Rows = z.tuple([z.object({ results: z.array(z.record(z.string(), z.unknown())) })]);

/** Rows of a database. The statement is visible in the process list, so it must not contain secrets. */
export function rowsOf(database: string, where: "--remote" | "--local", sql: string) {
  const [{ results }] = Rows.parse(wranglerJson("d1", "execute", database, where, "--json", "--command", sql));
  return results;
}

/** Returns `whenMissing` if wrangler's error matches `missing`. */
export function unlessMissing<T, U>(missing: RegExp, read: () => T, whenMissing: U): T | U {
  try {
    return read();
  } catch (error) {
    if (error instanceof WranglerError && missing.test(error.message)) return whenMissing;
    throw error;
  }
}

/** Runs `use` with a file that only this user can read and that is deleted afterwards. */
export function withFile<T>(name: string, content: string, use: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "storefront-"));
  const path = join(folder, name);
  // An interrupt ends wrangler too, and the file must still be deleted.
  const wait = () => {};
  process.on("SIGINT", wait).on("SIGTERM", wait);
  try {
    writeFileSync(path, content, { mode: 0o600 });
    return use(path);
  } finally {
    rmSync(folder, { recursive: true });
    process.off("SIGINT", wait).off("SIGTERM", wait);
  }
}
