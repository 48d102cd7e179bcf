import { readdirSync, readFileSync } from "node:fs";

/** Resident memory of a process in bytes. */
export const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;

/** The workerd that this process started. */
export function ownRuntime(): number {
  const pid = readdirSync("/proc").find((entry) => isOwnRuntime(entry));
  if (pid === undefined) throw new Error("This process has started no workerd");
  return Number(pid);
}

/** /proc/<pid>/stat begins: pid (name) state parent. A process may disappear between being listed and being read. */
function isOwnRuntime(pid: string): boolean {
  try {
    return new RegExp(`^${pid} \\(workerd\\) \\w ${process.pid} `).test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
