import { type SQL, sql } from "drizzle-orm";
import { auditEntry } from "../../../platform/audit/queries.ts";
import type { Author } from "../../../platform/auth/author.ts";
import { queueEmail } from "../../../platform/email/queries.ts";
import type { Secrets } from "../../../platform/settings/settings.ts";
import { endSessions } from "../sessions/end-queries.ts";
import { deleteFactor } from "./queries.ts";

/** Removes the second factor of somebody else's account, ends every session of it, and tells them. Refused by the rule `row_changed` when there is none. */
export const removeFactor = (secrets: Secrets, userId: number | SQL, author: Author): SQL[] => [
  hasFactor(userId),
  ...deleteFactor(userId),
  endSessions(userId, author.now),
  auditEntry(author, { action: "remove_two_factor", subject: "user", before: null, after: null }, userId),
  // From where is not the account's to know: it was a member of staff.
  queueEmail(
    secrets,
    { template: "two_factor_removed", params: { at: author.now, address: null, userAgent: null }, userId },
    author.now,
  ),
];

const hasFactor = (userId: number | SQL): SQL => sql`
  INSERT INTO preconditions (holds)
  SELECT EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)`;
