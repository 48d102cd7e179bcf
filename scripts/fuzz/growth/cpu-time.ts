import { readFileSync } from "node:fs";

/** A tick of the clock by which Linux tells a process's time, in milliseconds. */
const TICK_MS = 10;

/** The CPU time that a process has had, in milliseconds. Its name, in brackets, may have spaces in it. */
export function cpuMs(pid: number): number {
  const [, facts = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = facts.split(" ").slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) * TICK_MS;
}
