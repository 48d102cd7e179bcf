import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { DemoAccess } from "../../scripts/credentials.ts";

const PARTS = ["migrations", "package.json", "public", "scripts", "src", "wrangler.toml"];

/** A copy of the project that nobody else's state is in, to be started, killed and started again. */
export async function aCheckout() {
  const folder = mkdtempSync(join(tmpdir(), "shop-"));
  for (const part of PARTS) cpSync(part, join(folder, part), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const port = await freePort();
  let server: ChildProcess | undefined;
  return {
    folder,
    /** `npm start`, until it has printed its card. */
    start: async (): Promise<DemoAccess & { base_url: string }> => {
      server = await started(folder, port);
      return JSON.parse(readFileSync(join(folder, ".dev/credentials.json"), "utf8"));
    },
    /** `kill -9` of the server and everything it started. */
    kill: async () => {
      if (!server?.pid) return;
      const gone = new Promise((done) => server?.once("exit", done));
      process.kill(-server.pid, "SIGKILL");
      await gone;
      server = undefined;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function started(folder: string, port: number): Promise<ChildProcess> {
  const path = `${join(folder, "node_modules/.bin")}:${process.env.PATH}`;
  const env = { ...process.env, PATH: path, PORT: String(port) };
  const server = spawn("node", ["scripts/start.ts"], { cwd: folder, env, detached: true, stdio: "pipe" });
  let output = "";
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      if (output.includes("The shop is open.")) resolve(server);
    };
    server.stdout.on("data", read);
    server.stderr.on("data", read);
    server.once("exit", (code) => reject(new Error(`The server ended with ${code}:\n${output}`)));
  });
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      if (!address || typeof address === "string") return reject(new Error("no port"));
      probe.close(() => resolve(address.port));
    });
  });
