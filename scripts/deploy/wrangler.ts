import { spawnSync } from "node:child_process";

const settings = {
  CI: "1",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_WRITE_LOGS: "false",
  NO_COLOR: "1",
};

/** wrangler failed; the message is its output. */
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
