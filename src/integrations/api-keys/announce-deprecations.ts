import { sql } from "drizzle-orm";
import { DAY_MS } from "../../domain/time.ts";
import { auditStates } from "../../platform/audit/audit.ts";
import { rolesWith } from "../../platform/auth/roles.ts";
import { type Database, runAll } from "../../platform/db/client.ts";
import { queueStaffEmails } from "../../platform/email/switches.ts";
import { deprecations } from "../../platform/http/deprecations.ts";

const STAFF = rolesWith("shipments:read");

/**
 * E-mails the owner of each API key once about each deprecated operation that the owner's keys used since its deprecation. An
 * owner who is no longer staff is replaced by all administrators. The audit log remembers who was told.
 */
export async function announceDeprecations(db: Database, now: number): Promise<void> {
  const announced = Object.entries(deprecations).map(([operation, { since, sunset, see }]) => ({
    // Older days were read by earlier runs.
    from: Math.max(Date.parse(since), now - 2 * DAY_MS),
    told: { operation, sunset, see },
  }));
  if (announced.length === 0) return;
  const used = sql`
    SELECT owner, json_set(told, '$.keys', json_group_array(DISTINCT name)) AS params
    FROM (
      SELECT value -> 'told' AS told, name, coalesce((
        SELECT id FROM users WHERE id = created_by AND email_verified_at IS NOT NULL AND disabled_at IS NULL
          AND role IN (SELECT value FROM json_each(${JSON.stringify(STAFF)}))), 0) AS owner
      FROM json_each(${JSON.stringify(announced)})
        JOIN request_counts ON period = 'day' AND request_counts.start >= value ->> 'from' AND route = value ->> '$.told.operation'
        JOIN api_keys ON caller LIKE 'api_key:%' AND api_keys.id = CAST(substr(caller, 9) AS INTEGER)
      WHERE revoked_at IS NULL
    )
    GROUP BY owner, told
    HAVING NOT EXISTS (
      SELECT 1 FROM audit_log WHERE subject = 'user' AND subject_id = owner AND action = 'user.announce_deprecation'
        AND after ->> 'operation' = told ->> 'operation')`;
  const isReader = sql`users.id = source.owner OR source.owner = 0 AND users.role = 'admin'`;
  const author = { actor: "system", address: null, requestId: crypto.randomUUID(), now };
  const entry = { action: "announce_deprecation", subject: "user", id: sql`owner`, after: sql`params` } as const;
  await runAll(db, [
    queueStaffEmails("operation_deprecated", STAFF, used, now, sql`(${isReader})`),
    auditStates({ author }, { ...entry, from: sql`FROM (${used})` }),
  ]);
}
