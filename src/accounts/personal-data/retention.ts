import { sql } from "drizzle-orm";
import { DAY_MS } from "../../domain/durations.ts";
import type { Database } from "../../platform/db/client.ts";
import { workOffInBulk } from "../../platform/queues/work-off.ts";

/** Maximum number of rows that one statement changes. */
const AT_ONCE = 500;

/** Removes people's client addresses from audit log entries older than `days`. Authors are kept. */
export const forgetAuditAddresses = (db: Database, now: number, days: number) =>
  workOffInBulk(db, now, {
    queue: "clear_audit_addresses",
    id: sql`audit_log.id`,
    atOnce: AT_ONCE,
    due: (which) => sql`
      SELECT id FROM audit_log WHERE address IS NOT NULL AND actor NOT LIKE 'api_key:%' AND at < ${now - days * DAY_MS}
        AND ${which} LIMIT ${AT_ONCE}`,
    write: (ids) => sql`UPDATE audit_log SET address = NULL WHERE id IN (${ids}) RETURNING 1`,
  });

/** Deletes the data for undoing jobs older than `days`, which can no longer be undone. */
export const forgetJobChanges = (db: Database, now: number, days: number) =>
  workOffInBulk(db, now, {
    queue: "delete_job_changes",
    id: sql`job_changes.rowid`,
    atOnce: AT_ONCE * 10,
    due: (which) => sql`
      SELECT job_changes.rowid FROM jobs JOIN job_changes ON job_id = jobs.id
      WHERE finished_at < ${now - days * DAY_MS} AND ${which} LIMIT ${AT_ONCE * 10}`,
    write: (ids) => sql`DELETE FROM job_changes WHERE rowid IN (${ids}) RETURNING 1`,
  });

/**
 * Deletes records of money moved by staff. They count for 24 hours, and for as long as a session may continue without a new
 * password or code.
 */
export const forgetSpending = (db: Database, now: number) =>
  workOffInBulk(db, now, {
    queue: "delete_staff_spending",
    id: sql`staff_spending.id`,
    atOnce: AT_ONCE,
    due: (which) => sql`
      SELECT id FROM staff_spending WHERE created_at <= ${now - DAY_MS} AND ${which}
        AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = session_id) ORDER BY id LIMIT ${AT_ONCE}`,
    write: (ids) => sql`DELETE FROM staff_spending WHERE id IN (${ids}) RETURNING 1`,
  });
