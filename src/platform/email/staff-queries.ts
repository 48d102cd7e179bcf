import { type SQL, sql } from "drizzle-orm";
import type { StaffEmail } from "./causes.ts";
import { isSwitchedOn } from "./switch-queries.ts";
import type { Params } from "./templates/index.ts";

/** The key of an e-mail that the database queues. */
export const newKey: SQL = sql`lower(hex(randomblob(16)))`;

/** The statement that writes to each administrator. */
export const queueForAdministrators = <Name extends StaffEmail>(
  template: Name,
  params: Params<Name>,
  now: number,
): SQL => queueStaffEmails(template, ["admin"], sql`SELECT ${JSON.stringify(params)} AS params`, now);

/**
 * The statement that writes to each member of staff of these roles: an e-mail for each row of `source`, whose `params` are
 * the template's.
 */
export const queueStaffEmails = (template: StaffEmail, roles: readonly string[], source: SQL, now: number): SQL => sql`
  INSERT INTO emails (key, template, user_id, recipient, params, due_at, created_at)
  SELECT ${newKey}, ${template}, users.id, users.email, source.params, ${now}, ${now}
  FROM (${source}) AS source CROSS JOIN users
  WHERE role IN (SELECT value FROM json_each(${JSON.stringify(roles)})) AND email_verified_at IS NOT NULL
    AND disabled_at IS NULL AND ${isSwitchedOn(sql`${template}`)}`;
