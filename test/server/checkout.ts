import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { DemoAccess } from "../../scripts/credentials.ts";

const PARTS = ["examples", "migrations", "package.json", "public", "scripts", "src", "tsconfig.json", "wrangler.toml"];
/** The last build, which is current unless a test changes the source. */
const BUILD = "dist";
/** Everything that the server printed, in its folder. */
export const LOG = "shop.log";
/** Files that a checkout needs to run a shop. */
const SHOP = [".dev", ".dev.vars", ".wrangler/state"];
/** Files that a start writes, such as the build. */
const STATE = [...SHOP, BUILD, "public"];

/** Credentials from the start's output, the checkout's folder, and the process group of the server. */
export type OpenShop = DemoAccess & { base_url: string; folder: string; group: number };

/**
 * A copy of the project that can be started, killed and restarted, either new or with the state and build of another.
 */
export async function aCheckout(state?: string) {
  const folder = mkdtempSync(join(tmpdir(), "shop-"));
  copy(PARTS, ".", folder);
  if (!state && existsSync(BUILD)) copy([BUILD], ".", folder);
  if (state) {
    copy(STATE, state, folder);
    // Unchanged source needs no second build.
    const config = join(folder, "wrangler.toml");
    writeFileSync(config, withoutBuild(readFileSync(config, "utf8")));
  }
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const port = await freePort();
  let server: ChildProcess | undefined;
  const runs = () => server?.exitCode === null && server.signalCode === null;
  const end = () => runs() && server?.pid !== undefined && process.kill(-server.pid, "SIGKILL");
  const remove = () => rmSync(folder, { recursive: true, force: true });
  /** Cleans up when the tests are interrupted. */
  const abandon = () => {
    end();
    remove();
  };
  const start = async ([command = "", ...args]: string[], env: object, announced: string): Promise<OpenShop> => {
    const path = `${join(folder, "node_modules/.bin")}:${process.env.PATH}`;
    const options = { cwd: folder, env: { ...process.env, PATH: path, ...env }, detached: true };
    server = spawn(command, args, { ...options, stdio: "pipe" });
    process.once("exit", abandon);
    await opened(server, announced, join(folder, LOG));
    const access = JSON.parse(readFileSync(join(folder, ".dev/credentials.json"), "utf8"));
    return { ...access, base_url: `http://localhost:${port}`, folder, group: server.pid };
  };
  return {
    folder,
    /** Runs the build as wrangler does before this command. Before `dev` it prepares the shop. */
    build: (command: string) => {
      const env = { ...process.env, WRANGLER_COMMAND: command };
      return promisify(execFile)("node", ["scripts/build.ts"], { cwd: folder, env });
    },
    /** Runs `npm start` until it has printed the shop's address and credentials. */
    start: (environment = {}) =>
      start(["node", "scripts/start.ts"], { PORT: String(port), ...environment }, "The shop is open."),
    /** The command that developers who know Workers try first. */
    startWrangler: () => start(["npx", "wrangler", "dev", "--port", String(port)], { PORT: String(port) }, "Ready on"),
    /** Runs `kill -9` on the server and everything it started. */
    kill: async () => {
      const gone = new Promise((done) => server?.once("exit", done));
      if (!end()) return;
      await gone;
      server = undefined;
      process.off("exit", abandon);
    },
    /** Copies what was prepared and built. No shop may be running, or the copy is inconsistent. */
    copyState: (): string => {
      const state = join(folder, "state");
      copy(STATE, folder, state);
      return state;
    },
    /** Parts of a shop that can be started. */
    prepared: () => SHOP.filter((part) => existsSync(join(folder, part))),
    remove,
  };
}

/** Removes the demo's home, shipping and taxes, so that orders cost what their items cost. */
export async function withoutDelivery({ base_url, api_keys }: OpenShop): Promise<void> {
  const ask = async (path: string, method = "GET", body?: object) => {
    const headers = { Authorization: `Bearer ${api_keys.premium}`, "Content-Type": "application/json" };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${base_url}/api/v1/admin/${path}`, sent);
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
    return response;
  };
  for (const list of ["shipping-methods", "shipping-zones", "tax-rates"]) {
    const { data } = (await (await ask(list)).json()) as { data: { id: number }[] };
    for (const { id } of data) await ask(`${list}/${id}`, "DELETE");
  }
  await ask("shop", "PUT", { home_country: null, prices_include_tax: false });
}

/** The configuration without wrangler's build step. */
export const withoutBuild = (config: string): string => config.replace(/^\[build\]\ncommand = .*\n/m, "");

function copy(parts: string[], from: string, to: string): void {
  // With its time, the client's package is newer than its sources, and is not built again.
  for (const part of parts) cpSync(join(from, part), join(to, part), { recursive: true, preserveTimestamps: true });
}

function opened(server: ChildProcess, announced: string, log: string): Promise<void> {
  let output = "";
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      appendFileSync(log, chunk);
      if (output.includes(announced)) resolve();
    };
    server.stdout?.on("data", read);
    server.stderr?.on("data", read);
    server.once("exit", (code) => reject(new Error(`The server ended with ${code}:\n${output}`)));
  });
}

/** A free port below the system's ephemeral range, so that no outgoing connection takes it before the server does. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 30_000);
  const isFree = await new Promise<boolean>((resolve) => {
    const probe = createServer()
      .once("error", () => resolve(false))
      .listen(port, () => probe.close(() => resolve(true)));
  });
  return isFree ? port : freePort();
}
