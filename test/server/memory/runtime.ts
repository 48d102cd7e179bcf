import { readdirSync, readFileSync, readlinkSync } from "node:fs";

// `wrangler dev` does not report the port of the runtime's inspector, and each shop on a machine has its own. /proc
// shows which runtime belongs to a shop, and the ports on which it listens.

type Target = { id: string; webSocketDebuggerUrl: string };

/** The inspector's address for the Worker `name` that a process group runs. */
export async function inspectorOf(group: number, name: string): Promise<string> {
  for (const pid of runtimesIn(group))
    for (const port of portsOf(pid)) {
      const target = (await targetsAt(port)).find(({ id }) => id === `core:user:${name}`);
      if (target) return target.webSocketDebuggerUrl;
    }
  throw new Error(`No runtime of the process group ${group} runs ${name}`);
}

/** /proc/<pid>/stat begins: pid (name) state parent group. */
const runtimesIn = (group: number): number[] =>
  readdirSync("/proc")
    .filter((entry) => new RegExp(`^${entry} \\(workerd\\) \\w \\d+ ${group} `).test(read(`/proc/${entry}/stat`)))
    .map(Number);

/** /proc/<pid>/net/tcp lists the sockets of the whole machine. A process's own are among its open files. */
function portsOf(pid: number): number[] {
  const LISTENING = "0A";
  const own = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => target(`/proc/${pid}/fd/${fd}`)));
  return read(`/proc/${pid}/net/tcp`)
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === LISTENING && own.has(`socket:[${inode}]`))
    .map(([, address = ""]) => Number.parseInt(address.split(":")[1] ?? "", 16));
}

/** Empty if the listener is not an inspector. */
async function targetsAt(port: number): Promise<Target[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/json`, { signal: AbortSignal.timeout(30_000) })
    .then(
      (response) => response.json(),
      () => [],
    )
    .catch(() => []);
  return Array.isArray(answer) ? answer : [];
}

const read = (path: string): string => orEmpty(() => readFileSync(path, "utf8"));
const target = (path: string): string => orEmpty(() => readlinkSync(path));

/** A process, or one of its open files, may disappear between being listed and being read. */
function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
