import { spawnSync } from "node:child_process";

const env = {
  ...process.env,
  CI: "1",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_WRITE_LOGS: "false",
  NO_COLOR: "1",
};

/** wrangler ended with an error; the message is what it printed. */
class WranglerError extends Error {
  constructor(args: string[], output: string) {
    super(`wrangler ${args.join(" ")} failed:\n${output.trim()}`);
  }
}

/** Runs wrangler without a question, and returns what it printed to stdout. */
export function wrangler(args: string[], more: Record<string, string> = {}): string {
  const { status, stdout, stderr } = spawnSync("wrangler", args, { env: { ...env, ...more }, encoding: "utf8" });
  if (status !== 0) throw new WranglerError(args, `${stdout}${stderr}`);
  return stdout;
}

/** The JSON that wrangler printed, past any line it prints before it. */
export function wranglerJson(...args: string[]): unknown {
  const output = wrangler(args);
  return JSON.parse(output.slice(output.search(/^[[{]/m)));
}

/** `whenMissing` where wrangler says, in words that `missing` matches, that the thing does not exist. */
export function unlessMissing<T, U>(missing: RegExp, read: () => T, whenMissing: U): T | U {
  try {
    return read();
  } catch (error) {
    if (error instanceof WranglerError && missing.test(error.message)) return whenMissing;
    throw error;
  }
}
