import { readFileSync } from "node:fs";

/** Clock tick in which Linux counts a process's CPU time, in milliseconds. */
const TICK_MS = 10;

/** CPU time of a process in milliseconds. Its name, in brackets, may contain spaces. */
export function cpuMs(pid: number): number {
  const [, facts = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = facts.split(" ").slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) * TICK_MS;
}
