import { desc, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { conflict, requireFound } from "../../domain/errors.ts";
import { iso, isoOrNull, Timestamp } from "../../domain/fields.ts";
import { toRecord } from "../../domain/record.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import { orUnavailable } from "../../downloads/files/public.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { jobStates, jobs } from "../../platform/db/schema.ts";
import { precondition, translateViolations } from "../../platform/db/statements.ts";
import { createJob } from "../../platform/jobs/jobs.ts";
import { isOpen, type JobRow, type JobWithUndo } from "../../platform/jobs/schemas.ts";
import { startInstance } from "../../platform/jobs/start.ts";
import type { Keep } from "../../platform/settings/backups.ts";
import type { Secrets, Settings } from "../../platform/settings/settings.ts";
import { folderOf, type Manifest, macOf, manifestKey } from "./manifest.ts";

type Bindings = Partial<Pick<Env, "BACKUPS">>;

/** The backup bucket. Undefined if there is none. */
const findBucket = ({ BACKUPS }: Bindings): R2Bucket | undefined => BACKUPS;

export function requireBackupBucket(env: Bindings): R2Bucket {
  const bucket = findBucket(env);
  if (!bucket)
    throw conflict(
      "backups_not_set_up",
      "Backups are not set up: whoever installed the shop has to add the bucket BACKUPS",
    );
  return bucket;
}

/** A backup in a list, from its manifest's metadata. */
export type BackupRow = {
  id: string;
  moment: number;
  finishedAt: number;
  rows: number;
  bytes: number;
  objects: number;
  objectBytes: number;
};

/** Stores the manifest with its MAC, which completes a backup. */
export async function storeManifest(bucket: R2Bucket, manifest: Manifest, [secret]: Secrets): Promise<void> {
  const { moment, finishedAt, rows, bytes, objects } = manifest;
  const facts = { moment, finishedAt, rows, bytes, objects: objects.count, objectBytes: objects.bytes };
  await bucket.put(manifestKey(manifest.id), JSON.stringify({ ...manifest, mac: macOf(manifest, secret) }), {
    httpMetadata: { contentType: "application/json" },
    customMetadata: Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)])),
  });
}

/** All backups, newest first. */
async function listBackups(bucket: R2Bucket): Promise<BackupRow[]> {
  const objects = await listAll(bucket, { prefix: "manifests/", include: ["customMetadata"] });
  return objects
    .map(({ key, uploaded, customMetadata = {} }) => {
      // A manifest that another tool copied back has no metadata.
      const fact = (name: string, otherwise = 0) => Number(customMetadata[name] ?? otherwise);
      return {
        id: key.slice("manifests/".length, -".json".length),
        moment: fact("moment", uploaded.getTime()),
        finishedAt: fact("finishedAt", uploaded.getTime()),
        rows: fact("rows"),
        bytes: fact("bytes"),
        objects: fact("objects"),
        objectBytes: fact("objectBytes"),
      };
    })
    .sort((a, b) => b.moment - a.moment);
}

async function listAll(bucket: R2Bucket, options: R2ListOptions): Promise<R2Object[]> {
  const page = await bucket.list(options);
  return page.truncated
    ? [...page.objects, ...(await listAll(bucket, { ...options, cursor: page.cursor }))]
    : page.objects;
}

/** The stored manifest of a backup. */
export async function requireManifest(env: Bindings, id: string): Promise<Manifest> {
  const object = await requireFound(orUnavailable(requireBackupBucket(env).get(manifestKey(id))), `Backup ${id}`);
  return object.json();
}

/**
 * Deletes backups without a reason to keep them, and parts without a manifest, which an interrupted backup or deletion
 * left. The manifest is deleted first, so that every listed backup is complete.
 */
export async function deleteUnkept(bucket: R2Bucket, keep: Keep): Promise<void> {
  const backups = await listBackups(bucket);
  const reasons = keptAs(backups, keep);
  const unkept = backups.filter((backup) => reasons.get(backup)?.length === 0);
  await Promise.all(unkept.map(({ id }) => bucket.delete(manifestKey(id))));
  const whole = new Set(backups.filter((backup) => !unkept.includes(backup)).map(({ id }) => folderOf(id)));
  const { delimitedPrefixes } = await bucket.list({ prefix: "backups/", delimiter: "/" });
  for (const folder of delimitedPrefixes.filter((prefix) => !whole.has(prefix))) {
    const keys = (await listAll(bucket, { prefix: folder })).map(({ key }) => key);
    for (let from = 0; from < keys.length; from += 1_000) await bucket.delete(keys.slice(from, from + 1_000));
  }
}

/** The newest backup job. */
const findLastJob = (db: Database): Promise<JobRow | undefined> =>
  db.select().from(jobs).where(eq(jobs.kind, "back_up")).orderBy(desc(jobs.id)).limit(1).get();

const noneOpen = precondition(
  sql`NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'back_up' AND state IN ('queued', 'running'))`,
);

/** Creates a backup job, unless one is running. */
export const createBackup = (ctx: Pick<WriteContext, "env" | "db" | "author">): Promise<JobWithUndo> => {
  requireBackupBucket(ctx.env);
  return translateViolations(createJob(ctx, { kind: "back_up", parameters: {} }, [noneOpen]), {
    row_changed: () => conflict("wrong_job_state", "A backup is already being made"),
  });
};

/** Starts the daily backup, and retries an hour after a failure. */
export async function backUpDaily(
  env: Env,
  db: Database,
  { settings, now }: { settings: Settings; now: number },
): Promise<void> {
  const { hour } = settings.backups;
  if (!findBucket(env) || hour === null || settings.allowsReservedDomains) return;
  const last = await findLastJob(db);
  const due = Math.floor((now - hour * HOUR_MS) / DAY_MS) * DAY_MS + hour * HOUR_MS;
  const isAgain = last?.state === "failed" && last.updatedAt < now - HOUR_MS;
  if (last && (isOpen(last) || (last.createdAt >= due && !isAgain))) return;
  const author = { actor: "system", address: null, requestId: crypto.randomUUID(), now };
  await startInstance(env, await createBackup({ env, db, author }));
}

/** Time after which a daily backup is overdue: a day, plus hours for making it. */
const OVERDUE_MS = 30 * HOUR_MS;

export type BackupStatus = {
  /** False without the backup bucket, because nothing is backed up. */
  isSetUp: boolean;
  /** All backups, newest first. */
  backups: BackupRow[];
  /** The newest backup job. */
  job: JobRow | null;
  /** True if the shop is backed up daily and the last backup is too old. */
  isOverdue: boolean;
};

/** The last good backup, and whether one is overdue. A new shop has a day for its first backup. */
export async function readBackupStatus(
  env: Env,
  db: Database,
  { settings, now }: { settings: Settings; now: number },
): Promise<BackupStatus> {
  const bucket = findBucket(env);
  if (!bucket) return { isSetUp: false, backups: [], job: null, isOverdue: false };
  const [backups, job = null] = await Promise.all([orUnavailable(listBackups(bucket)), findLastJob(db)]);
  const isDaily = settings.backups.hour !== null && !settings.allowsReservedDomains;
  const since = backups[0]?.moment ?? job?.createdAt;
  return { isSetUp: true, backups, job, isOverdue: isDaily && since !== undefined && since < now - OVERDUE_MS };
}

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

export const BackupParam = z.object({ id: z.string().regex(/^\d{17}-\d{1,15}$/, "must be the id of a backup") });

const Backup = z
  .object({
    id: z.string(),
    moment: Timestamp.describe("Time of the state that the backup contains"),
    finished_at: Timestamp,
    rows: z.int(),
    size_bytes: z.int().describe("Size of the compressed database, excluding files"),
    objects: z.int().describe("Number of stored objects: files and images"),
    object_bytes: z.int(),
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
    backups: backups.map((row) =>
      toRecord(Backup, row, { moment: iso(row.moment), size_bytes: row.bytes, kept_as: reasons.get(row) ?? [] }),
    ),
  };
}

export const BackupManifest = z
  .object({ manifest: z.record(z.string(), z.unknown()).describe("The manifest that `npm run restore` reads") })
  .meta({ id: "BackupManifest" });
