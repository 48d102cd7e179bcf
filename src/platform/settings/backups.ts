import * as z from "zod";

/** How many backups of each age are kept: the last of each day, week and month. */
export type Keep = { daily: number; weekly: number; monthly: number };

export type BackupSettings = {
  /** Hour of the day (UTC) from which the shop is backed up. Null if only on request. */
  hour: number | null;
  keep: Keep;
  /** Size up to which a database is read in one transaction. */
  atOnceBytes: number;
};

const count = (least: number, most: number) =>
  z
    .string("is missing")
    .regex(/^\d{1,4}$/, "is not a whole number")
    .transform(Number)
    .refine((value) => value >= least && value <= most, `is not from ${least} to ${most}`);

export const backupBindings = {
  BACKUP_HOUR: z.literal("").or(count(0, 23)),
  BACKUPS_DAILY: count(1, 366),
  BACKUPS_WEEKLY: count(0, 520),
  BACKUPS_MONTHLY: count(0, 120),
  BACKUP_AT_ONCE_MB: count(0, 32),
};

const Bindings = z.object(backupBindings);

export const readBackupSettings = (data: z.output<typeof Bindings>): BackupSettings => ({
  hour: data.BACKUP_HOUR === "" ? null : data.BACKUP_HOUR,
  keep: { daily: data.BACKUPS_DAILY, weekly: data.BACKUPS_WEEKLY, monthly: data.BACKUPS_MONTHLY },
  atOnceBytes: data.BACKUP_AT_ONCE_MB * 1_000_000,
});
