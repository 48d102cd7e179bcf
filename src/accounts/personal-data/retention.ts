import { sql } from "drizzle-orm";
import { DAY_MS } from "../../domain/time.ts";
import type { Database } from "../../platform/db/client.ts";
import { auditLog, jobChanges, jobs, sessions, staffSpending } from "../../platform/db/schema.ts";
import { updateRows } from "../../platform/db/statements.ts";
import { workOffInBulk } from "../../platform/queues/work-off.ts";

/** Maximum number of undo records that one statement deletes. */
const AT_ONCE = 5000;

/** Removes people's client addresses from audit log entries older than `days`. Authors are kept. */
export const forgetAuditAddresses = (db: Database, now: number, days: number) =>
  workOffInBulk(db, now, {
    queue: "clear_audit_addresses",
    id: auditLog.id,
    where: sql`${auditLog.address} IS NOT NULL AND ${auditLog.actor} NOT LIKE 'api_key:%'
      AND ${auditLog.at} < ${now - days * DAY_MS}`,
    write: (ids) => sql`${updateRows(auditLog, { address: null }, sql`${auditLog.id} IN (${ids})`)} RETURNING 1`,
  });

/** Deletes the data for undoing jobs older than `days`, which can no longer be undone. */
export const forgetJobChanges = (db: Database, now: number, days: number) =>
  workOffInBulk(db, now, {
    queue: "delete_job_changes",
    id: sql`job_changes.rowid`,
    atOnce: AT_ONCE,
    due: (which) => sql`
      SELECT job_changes.rowid FROM ${jobs} JOIN ${jobChanges} ON ${jobChanges.jobId} = ${jobs.id}
      WHERE ${jobs.finishedAt} < ${now - days * DAY_MS} AND ${which} LIMIT ${AT_ONCE}`,
    write: (ids) => sql`DELETE FROM job_changes WHERE rowid IN (${ids}) RETURNING 1`,
  });

/**
 * Deletes records of money moved by staff. They count for 24 hours, and for as long as a session may continue without a new
 * password or code.
 */
export const forgetSpending = (db: Database, now: number) =>
  workOffInBulk(db, now, {
    queue: "delete_staff_spending",
    id: staffSpending.id,
    where: sql`${staffSpending.createdAt} <= ${now - DAY_MS}
      AND NOT EXISTS (SELECT 1 FROM ${sessions} WHERE ${sessions.id} = ${staffSpending.sessionId})`,
  });
