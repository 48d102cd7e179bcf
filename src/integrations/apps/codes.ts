import { createHash } from "node:crypto";
import { eq, type SQL, sql } from "drizzle-orm";
import { unauthorized } from "../../domain/errors.ts";
import type { AuthorContext } from "../../platform/auth/caller.ts";
import { hashSecret, randomToken, sameSecret } from "../../platform/auth/secrets.ts";
import { type Database, runAll } from "../../platform/db/client.ts";
import { appCodes, apps, sessions } from "../../platform/db/schema.ts";
import { isViolation, precondition, translateViolations, updateRows, violates } from "../../platform/db/statements.ts";
import type { AuthorizationRequest } from "./authorize.ts";
import { authorizationEnded, OAuthError } from "./errors.ts";

/** A code is exchanged by a program, at once. */
export const CODE_MS = 60_000;

type Consent = { request: AuthorizationRequest; appId: number; scopes: string[]; apiKeyId: number | null };

/**
 * Stores the consent that the caller gave in a session, and returns the code that the client exchanges for tokens. The session
 * of a shopper becomes the app's.
 */
export async function insertCode(
  { db, author, caller }: AuthorContext & { caller: { id: number; sessionId: string } },
  { request: { redirectUri, codeChallenge, resource }, ...consent }: Consent,
): Promise<string> {
  const [code, { sessionId }] = [randomToken("sfc_"), caller];
  const { appId, scopes, apiKeyId } = consent;
  const insert = db.insert(appCodes).values({
    hash: hashSecret(code),
    userId: caller.id,
    sessionId,
    ...consent,
    redirectUri,
    codeChallenge,
    resource,
    expiresAt: author.now + CODE_MS,
    createdAt: author.now,
  });
  const writes = [
    precondition(sql`EXISTS (SELECT 1 FROM sessions, apps
      WHERE sessions.id = ${sessionId} AND ended_at IS NULL AND apps.id = ${appId} AND deleted_at IS NULL)`),
    insert.getSQL(),
    ...(apiKeyId === null ? [updateRows(sessions, { appId, scopes, resource }, eq(sessions.id, sessionId))] : []),
  ];
  await translateViolations(runAll(db, writes), {
    row_changed: () => unauthorized("unauthorized", "The session has ended, or the app was blocked. Sign in again"),
  });
  return code;
}

/**
 * Spends a code with the writes of its tokens, unless its session ended or its administrator is none any more. Returns false
 * for a used code.
 */
export async function spendAppCode(
  { db, author }: AuthorContext,
  { hash }: { hash: string },
  writes: readonly SQL[],
): Promise<boolean> {
  try {
    await runAll(db, [
      // A used code is reported as such whatever ended meanwhile, because its tokens end.
      updateRows(appCodes, { spentAt: author.now }, eq(appCodes.hash, hash)),
      precondition(sql`EXISTS (SELECT 1 FROM app_codes JOIN users ON users.id = app_codes.user_id
        JOIN sessions ON sessions.id = session_id WHERE hash = ${hash} AND ended_at IS NULL AND disabled_at IS NULL
        AND (api_key_id IS NULL OR role = 'admin'))`),
      ...writes,
    ]);
    return true;
  } catch (error) {
    if (violates(error, "app_code_is_spent")) return false;
    throw isViolation(error) ? authorizationEnded() : error;
  }
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

type PresentedCode = { clientId: string; redirectUri: string | undefined; verifier: string; now: number };

/** Refuses a code of another client or address, without its verifier, or too late. */
export function requireUsable(
  { code, clientId: owner }: CodeRow,
  { clientId, redirectUri, verifier, now }: PresentedCode,
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
