import { Hono } from "hono";
import { Nothing } from "../../domain/fields.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { created, ok } from "../../platform/http/envelope.ts";
import { answers, creates } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { Job, toJob } from "../../platform/jobs/schemas.ts";
import { startInBackground } from "../../platform/jobs/start.ts";
import {
  BackupManifest,
  BackupParam,
  Backups,
  createBackup,
  readBackupStatus,
  requireManifest,
  toBackups,
} from "./backups.ts";

export const backupsAdmin = new Hono<AppEnv>()
  .get(
    "/backups",
    administer("settings:read"),
    validate("query", Nothing),
    answers("listBackups", "List backups", Backups),
    async (c) => {
      const {
        env,
        var: { db, settings },
      } = c;
      const status = await readBackupStatus(env, db, { settings, now: Date.now() });
      return ok(c, "Backups", toBackups(status, settings.backups.keep));
    },
  )
  .get(
    "/backups/:id",
    administer("settings:read"),
    validate("param", BackupParam),
    answers("getBackup", "Get the manifest of a backup", BackupManifest, { refuses: { 409: ["backups_not_set_up"] } }),
    async (c) => ok(c, "Backup", { manifest: await requireManifest(c.env, c.req.valid("param").id) }),
  )
  .post(
    "/backups",
    administer("settings:write"),
    idempotent,
    validate("json", Nothing),
    creates("startBackup", "Back up the shop", Job, { refuses: { 409: ["backups_not_set_up", "wrong_job_state"] } }),
    async (c) => {
      const job = await once(c, {}, createBackup);
      startInBackground(c, job.id);
      return created(c, `/api/v1/admin/jobs/${job.id}`, "Backup started", toJob(job));
    },
  );
