import { spawn } from "node:child_process";
import { env } from "../../local.ts";

type Caller = { as?: string | undefined; body?: unknown };

/** A shop on the local runtime, which can be killed. */
export type Shop = {
  url: string;
  // biome-ignore lint/suspicious/noExplicitAny: a drill reads what it asked for
  ask: (line: string, caller?: Caller) => Promise<{ status: number; body: any }>;
  /** Runs the schedule. */
  tick: () => Promise<void>;
  /** `kill -9` of the server and everything it started. */
  kill: () => Promise<void>;
};

let addresses = 0;

/** Opens the shop whose storage is in a folder. */
export async function openShop(folder: string, { port, inSlices }: { port: number; inSlices: boolean }): Promise<Shop> {
  const url = `http://localhost:${port}`;
  const server = spawn(
    "wrangler",
    [
      ...[
        "dev",
        "--port",
        String(port),
        "--persist-to",
        folder,
        "--test-scheduled",
        "--show-interactive-dev-session=false",
      ],
      ...["--var", `WORKER_URL:${url}`, ...(inSlices ? ["--var", "BACKUP_AT_ONCE_MB:0"] : [])],
    ],
    { env, stdio: "ignore", detached: true },
  );
  const gone = new Promise<void>((done) => server.once("exit", () => done()));
  const end = () => server.exitCode === null && server.pid !== undefined && process.kill(-server.pid, "SIGKILL");
  process.once("exit", end);
  const ask: Shop["ask"] = async (line, { as, body } = {}) => {
    const [method = "GET", path = "/"] = line.split(" ");
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        "CF-Connecting-IP": `2001:db8:${(++addresses).toString(16)}::1`,
        ...(as && { Authorization: `Bearer ${as}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status === 429) {
      await pause(1_000 * (Number(response.headers.get("Retry-After")) || 1));
      return ask(line, { as, body });
    }
    return { status: response.status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
  };
  while (
    !(await fetch(`${url}/health`).then(
      (answer) => answer.ok,
      () => false,
    ))
  )
    await pause(200);
  return {
    url,
    ask,
    tick: async () => void (await fetch(`${url}/cdn-cgi/local/scheduled`).catch(() => undefined)),
    kill: async () => {
      process.off("exit", end);
      if (end()) await gone;
    },
  };
}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
