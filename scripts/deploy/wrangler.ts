import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

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

/** Returns `whenMissing` if wrangler's error matches `missing`. */
export function unlessMissing<T, U>(missing: RegExp, read: () => T, whenMissing: U): T | U {
  try {
    return read();
  } catch (error) {
    if (error instanceof WranglerError && missing.test(error.message)) return whenMissing;
    throw error;
  }
}
