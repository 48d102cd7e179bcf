import type { Verification } from "../auth-result.ts";
import type { UserCaller } from "../caller.ts";
import type { AccessClaims } from "../tokens.ts";

/** What a user's limiter knows: the account, and the sessions that ended while their access tokens still run. */
export type UserRecord = { role: UserCaller["role"]; disabledAt: number | null; endedSessions: string[] };

/** Whether the bearer of an access token that verified may still act, given what is known of the account. */
export function verifyUser(
  record: UserRecord | undefined,
  { userId, sessionId, authenticatedAt }: AccessClaims,
): Verification<UserCaller> {
  if (!record) return { valid: false, reason: "The account no longer exists" };
  if (record.disabledAt !== null) return { valid: false, reason: "The account is disabled" };
  if (record.endedSessions.includes(sessionId)) return { valid: false, reason: "The session has ended: log in again" };
  return { valid: true, caller: { kind: "user", id: userId, role: record.role, sessionId, authenticatedAt } };
}
