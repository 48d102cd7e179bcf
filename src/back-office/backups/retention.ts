import { DAY_MS } from "../../domain/time.ts";
import type { Keep } from "../../platform/settings/backups.ts";

const periods = {
  daily: (at: number) => Math.floor(at / DAY_MS),
  // Weeks begin on Mondays; 1 January 1970 was a Thursday.
  weekly: (at: number) => Math.floor((at / DAY_MS + 3) / 7),
  monthly: (at: number) => new Date(at).toISOString().slice(0, 7),
} satisfies Record<keyof Keep, (at: number) => unknown>;

/** The reasons to keep each backup: it is the last of one of the newest days, weeks or months (UTC). */
export function keptAs<Backup extends { moment: number }>(backups: Backup[], keep: Keep): Map<Backup, (keyof Keep)[]> {
  const newestFirst = backups.toSorted((a, b) => b.moment - a.moment);
  const reasons = new Map<Backup, (keyof Keep)[]>(newestFirst.map((backup) => [backup, []]));
  for (const [name, periodOf] of Object.entries(periods) as [keyof Keep, (at: number) => unknown][]) {
    const last = new Map<unknown, Backup>();
    for (const backup of newestFirst) {
      const period = periodOf(backup.moment);
      if (!last.has(period)) last.set(period, backup);
    }
    for (const backup of [...last.values()].slice(0, keep[name])) reasons.get(backup)?.push(name);
  }
  return reasons;
}
