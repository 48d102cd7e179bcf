import { readdirSync, readFileSync, readlinkSync } from "node:fs";

// `wrangler dev` chooses the port of the runtime's inspector and tells nobody, and of several shops on one machine each has
// its own: /proc knows which runtime belongs to a shop, and where it listens.

type Target = { id: string; webSocketDebuggerUrl: string };

/** The address at which to inspect the Worker `name` that a process group runs. */
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

/** /proc/<pid>/net/tcp lists the sockets of the whole machine; those of the process are among its open files. */
function portsOf(pid: number): number[] {
  const LISTENING = "0A";
  const own = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => target(`/proc/${pid}/fd/${fd}`)));
  return read(`/proc/${pid}/net/tcp`)
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === LISTENING && own.has(`socket:[${inode}]`))
    .map(([, address = ""]) => Number.parseInt(address.split(":")[1] ?? "", 16));
}

/** None where it is not an inspector that listens. */
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

/** A process, or an open file of it, may be gone between being listed and being read. */
function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
