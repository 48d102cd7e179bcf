import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { unauthorized } from "../../domain/errors.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import { hashSecret, randomToken, sameSecret } from "../../platform/auth/secrets.ts";
import { type Database, runAll } from "../../platform/db/client.ts";
import { appCodes, apps } from "../../platform/db/schema.ts";
import { precondition, translateViolations } from "../../platform/db/statements.ts";
import type { AuthorizationRequest } from "./authorize.ts";
import { OAuthError } from "./errors.ts";

/** A code is exchanged by a program, at once. */
const CODE_MS = 60_000;

type Consent = { request: AuthorizationRequest; appId: number; scopes: string[]; apiKeyId: number | null };

/** Condition that a session is still open. A new password ends the sessions that the former one opened. */
const isOpen = (sessionId: string) =>
  precondition(sql`EXISTS (SELECT 1 FROM sessions WHERE id = ${sessionId} AND ended_at IS NULL)`);

/**
 * Stores the consent of the caller in an open session, and returns the code that the client exchanges for tokens. A new password
 * deletes the codes that exist, and the check of the session refuses those that would be stored after it.
 */
export async function insertCode(
  { db, author, caller }: Pick<WriteContext, "db" | "author"> & { caller: { id: number; sessionId: string } },
  { request: { redirectUri, codeChallenge, resource }, ...consent }: Consent,
): Promise<string> {
  const code = randomToken("sfc_");
  const insert = db.insert(appCodes).values({
    hash: hashSecret(code),
    userId: caller.id,
    ...consent,
    redirectUri,
    codeChallenge,
    resource,
    expiresAt: author.now + CODE_MS,
    createdAt: author.now,
  });
  const written = runAll(db, [isOpen(caller.sessionId), insert.getSQL()]);
  await translateViolations(written, {
    row_changed: () => unauthorized("unauthorized", "The session has ended. Sign in again"),
  });
  return code;
}

export type CodeRow = NonNullable<Awaited<ReturnType<typeof findCode>>>;

export const findCode = (db: Database, code: string) =>
  db
    .select({ code: appCodes, clientId: apps.clientId })
    .from(appCodes)
    .innerJoin(apps, eq(apps.id, appCodes.appId))
    .where(eq(appCodes.hash, hashSecret(code)))
    .get();

/** A verifier, which is compared with the challenge (RFC 7636, sections 4.1 and 4.6). */
const VERIFIER = /^[\w.~-]{43,128}$/;

/** Refuses a code of another client or address, without its verifier, or too late. */
export function requireUsable(
  { code, clientId: owner }: CodeRow,
  {
    clientId,
    redirectUri,
    verifier,
    now,
  }: { clientId: string; redirectUri: string | undefined; verifier: string; now: number },
): void {
  const computed = createHash("sha256").update(verifier).digest("base64url");
  const isProven = VERIFIER.test(verifier) && sameSecret(computed, code.codeChallenge);
  const isFor = owner === clientId && (redirectUri ?? code.redirectUri) === code.redirectUri;
  if (!isFor || !isProven) {
    throw new OAuthError("invalid_grant", "The code is not for this client, redirect_uri or code_verifier");
  }
  // A used code is reported as such, however late, because its tokens end.
  if (code.spentAt === null && code.expiresAt <= now) throw new OAuthError("invalid_grant", "The code has expired");
}
