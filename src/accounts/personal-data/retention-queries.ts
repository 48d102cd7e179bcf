import { sql } from "drizzle-orm";
import type { Database } from "../../platform/db/client.ts";

const DAY_MS = 24 * 60 * 60_000;

/** How many rows a run of the schedule changes: the next run takes the rest. */
const AT_ONCE = 500;

/** Takes people's addresses out of entries of the audit log that are older; who wrote what stays. */
export const forgetAuditAddresses = (db: Database, now: number, days: number) =>
  db.run(sql`UPDATE audit_log SET address = NULL WHERE id IN (
    SELECT id FROM audit_log WHERE address IS NOT NULL AND actor NOT LIKE 'api_key:%' AND at < ${now - days * DAY_MS} LIMIT ${AT_ONCE})`);

/** After that many days a job cannot be undone any more, and what that would take is deleted. */
export const forgetJobChanges = (db: Database, now: number, days: number) =>
  db.run(sql`DELETE FROM job_changes WHERE rowid IN (
    SELECT job_changes.rowid FROM jobs JOIN job_changes ON job_id = jobs.id
    WHERE finished_at < ${now - days * DAY_MS} LIMIT ${AT_ONCE * 10})`);

/** Money that staff moved counts for 24 hours, and for as long as their session may go on without a password or code. */
export const forgetSpending = (db: Database, now: number) =>
  db.run(sql`DELETE FROM staff_spending WHERE id IN (
    SELECT id FROM staff_spending WHERE created_at <= ${now - DAY_MS}
      AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = session_id) ORDER BY id LIMIT ${AT_ONCE})`);
