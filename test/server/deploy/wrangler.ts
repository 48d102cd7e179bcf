import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** A wrangler command line, with its folder and environment. */
export type Command = { args: string[]; cwd: string; env: NodeJS.ProcessEnv };
export type Outcome = { code: number; stdout: string; stderr: string };

/**
 * Starts a process that loads wrangler once for many commands, because loading takes ten times as long as a command.
 * Add `bin` to PATH.
 */
export async function openWrangler(folder: string) {
  const bin = join(folder, ".bin");
  const socket = join(bin, "socket");
  mkdirSync(bin);
  const send = `exec node ${resolve("test/server/deploy/send-command.ts")} ${socket} "$@"`;
  writeFileSync(join(bin, "wrangler"), `#!/bin/sh\n${send}\n`, { mode: 0o755 });
  const resident = spawn("node", ["test/server/deploy/resident-wrangler.ts", socket], {
    // wrangler reads this when it is loaded.
    env: { ...process.env, CI: "1", NO_COLOR: "1", WRANGLER_SEND_METRICS: "false" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((ready, failed) => resident.once("exit", failed).stdout.once("data", ready));
  return { bin, close: () => resident.kill() };
}
