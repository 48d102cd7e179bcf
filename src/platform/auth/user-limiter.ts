import { and, eq, gt, sql } from "drizzle-orm";
import { sessions, users } from "../../accounts/users/tables.ts";
import { connect, type Database } from "../db/client.ts";
import { json } from "../db/json.ts";
import { askLimiter, notifyLimiter } from "../rate-limit/ask-limiter.ts";
import { Limiter } from "../rate-limit/limiter.ts";
import type { AuthResult, UserCaller, Verification } from "./caller.ts";
import { RecordCache } from "./record-cache.ts";
import { ACCESS_TOKEN_MS, type AccessClaims } from "./tokens.ts";

/** One object per user. It knows the account and its ended sessions, and counts the user's requests. */
export class UserLimiter extends Limiter {
  #record = new RecordCache<UserRecord | undefined>();

  async admit(claims: AccessClaims): Promise<AuthResult<UserCaller>> {
    const verification = await this.verify(claims);
    return verification.valid ? { ...verification, count: this.count("user") } : verification;
  }

  /** Verifies the claims of an access token without counting the request. */
  async verify(claims: AccessClaims): Promise<Verification<UserCaller>> {
    return verifyUser(
      await this.#record.get(() => findUserRecord(connect(this.env.DB), claims.userId, Date.now())),
      claims,
    );
  }

  /** The account or a session changed: the next request reads it again. */
  forget(): void {
    this.#record.forget();
  }
}

const limiterOf = (env: Env, userId: number) => env.USER_LIMITER.getByName(String(userId));

/**
 * Authenticates and counts a user's request. If the limiter is unavailable, the account is looked up and the request not
 * counted.
 */
export async function admitUser(env: Env, claims: AccessClaims): Promise<AuthResult<UserCaller>> {
  const result = await askLimiter(
    () => limiterOf(env, claims.userId),
    async (limiter) => await limiter.admit(claims),
  );
  if (result) return result;
  const verification = await lookUp(env, claims);
  return verification.valid ? { ...verification, count: null } : verification;
}

/** Authenticates a request without counting it, for pages. */
export async function authenticateUser(env: Env, claims: AccessClaims): Promise<Verification<UserCaller>> {
  const verification = await askLimiter(
    () => limiterOf(env, claims.userId),
    async (limiter) => await limiter.verify(claims),
  );
  return verification ?? lookUp(env, claims);
}

const lookUp = async (env: Env, claims: AccessClaims): Promise<Verification<UserCaller>> =>
  verifyUser(await findUserRecord(connect(env.DB), claims.userId, Date.now()), claims);

/** Notifies the user's limiter of a change. A lost call only delays it. */
export const forgetUser = (env: Env, userId: number): Promise<void> =>
  notifyLimiter(
    () => limiterOf(env, userId),
    async (limiter) => limiter.forget(),
  );

const findUserRecord = (db: Database, id: number, now: number): Promise<UserRecord | undefined> => {
  const ended = db
    .select({ ids: sql<string>`json_group_array(${sessions.id})` })
    .from(sessions)
    .where(and(eq(sessions.userId, id), gt(sessions.endedAt, now - ACCESS_TOKEN_MS)));
  return db
    .select({
      role: users.role,
      disabledAt: users.disabledAt,
      hasTwoFactor: sql`EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = ${id} AND confirmed_at IS NOT NULL)`
        .mapWith(Boolean)
        .as("has_two_factor"),
      endedSessions: json<string[]>(sql`(${ended})`),
    })
    .from(users)
    .where(eq(users.id, id))
    .get();
};

/** A user limiter's data: the account, and ended sessions whose access tokens are still valid. */
type UserRecord = Pick<UserCaller, "role" | "hasTwoFactor"> & { disabledAt: number | null; endedSessions: string[] };

/** True if the bearer of a verified access token may still act, given the account's record. */
function verifyUser(
  record: UserRecord | undefined,
  { userId, sessionId, authenticatedAt }: AccessClaims,
): Verification<UserCaller> {
  if (!record) return { valid: false, reason: "The account no longer exists" };
  if (record.disabledAt !== null) return { valid: false, reason: "The account is disabled" };
  if (record.endedSessions.includes(sessionId)) return { valid: false, reason: "The session has ended. Sign in again" };
  const { role, hasTwoFactor } = record;
  return { valid: true, caller: { kind: "user", id: userId, role, sessionId, authenticatedAt, hasTwoFactor } };
}
