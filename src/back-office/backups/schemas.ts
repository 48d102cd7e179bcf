import * as z from "zod";
import { iso, isoOrNull, Timestamp } from "../../domain/fields.ts";
import { jobStates } from "../../platform/db/schema.ts";
import type { Keep } from "../../platform/settings/backups.ts";
import { type BackupRow, type BackupStatus, keptAs } from "./backups.ts";

export const BackupParam = z.object({ id: z.string().regex(/^\d{17}-\d{1,15}$/, "must be the id of a backup") });

const fields = {
  id: z.string(),
  moment: Timestamp.describe("Time of the state that the backup holds"),
  finished_at: Timestamp,
  rows: z.int(),
  size_bytes: z.int().describe("Size of the compressed database, without files"),
  objects: z.int().describe("Number of stored objects: files and images"),
  object_bytes: z.int(),
};

const toFields = (row: BackupRow) => ({
  id: row.id,
  moment: iso(row.moment),
  finished_at: iso(row.finishedAt),
  rows: row.rows,
  size_bytes: row.bytes,
  objects: row.objects,
  object_bytes: row.objectBytes,
});

const Backup = z
  .object({
    ...fields,
    kept_as: z
      .array(z.enum(["daily", "weekly", "monthly"]))
      .describe("Why the backup is kept. Without a reason, the next backup deletes it"),
  })
  .meta({ id: "Backup" });

export const Backups = z
  .object({
    is_set_up: z.boolean().describe("False if the deployment has no bucket for backups: nothing is backed up"),
    is_overdue: z.boolean().describe("True if the last backup is older than 30 hours"),
    last_backup_at: Timestamp.nullable(),
    last_job: z
      .object({ id: z.int(), state: z.enum(jobStates) })
      .nullable()
      .describe("The last job that made a backup"),
    backups: z.array(Backup).describe("All backups, newest first"),
  })
  .meta({ id: "Backups" });

export function toBackups({ isSetUp, isOverdue, backups, job }: BackupStatus, keep: Keep): z.output<typeof Backups> {
  const reasons = keptAs(backups, keep);
  return {
    is_set_up: isSetUp,
    is_overdue: isOverdue,
    last_backup_at: isoOrNull(backups[0]?.moment ?? null),
    last_job: job && { id: job.id, state: job.state },
    backups: backups.map((row) => ({ ...toFields(row), kept_as: reasons.get(row) ?? [] })),
  };
}

export const BackupManifest = z
  .object({ manifest: z.record(z.string(), z.unknown()).describe("The manifest that `npm run restore` reads") })
  .meta({ id: "BackupManifest" });
