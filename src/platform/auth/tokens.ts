import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { type TokenResource, tokenResources } from "../../integrations/apps/tables.ts";
import type { Settings } from "../settings/settings.ts";
import { ALGORITHM } from "../settings/signing-keys.ts";
import { CredentialCache } from "./record-cache.ts";
import { isShopperScope, type ShopperScope } from "./scopes.ts";

const AUDIENCE = "storefront-api";

/** Ended sessions are remembered for this time, because their last access token is still valid. */
export const ACCESS_TOKEN_MS = 60 * 60 * 1000;

/** User and session of a token, and the time of the last password or code (epoch milliseconds). */
export type AccessClaims = { userId: number; sessionId: string; authenticatedAt: number };

/** The limits of an app's token. */
export type AppGrant = { resource: TokenResource; scopes: ShopperScope[] };

/** The grant of a token with the client that it was issued to (RFC 9068, section 2.2). */
type IssuedGrant = AppGrant & { clientId: string };

/** The claims of a token. `app` is undefined for the user's own sessions. */
type VerifiedClaims = AccessClaims & { app?: IssuedGrant };

/** Signs an access token for one hour, or until `endsAt`. Returns its expiry in epoch milliseconds, on a full second. */
export async function signAccessToken(
  settings: Settings,
  claims: AccessClaims,
  now = Date.now(),
  endsAt = Number.POSITIVE_INFINITY,
  app?: IssuedGrant,
): Promise<{ token: string; expiresAt: number }> {
  const issuedAt = Math.floor(now / 1000);
  const expiresAt = Math.min(issuedAt + ACCESS_TOKEN_MS / 1000, Math.floor(endsAt / 1000));
  const more = app && { scope: app.scopes.join(" "), client_id: app.clientId };
  const token = await signToken(settings, app?.resource ?? AUDIENCE, claims, { issuedAt, expiresAt }, more);
  return { token, expiresAt: expiresAt * 1000 };
}

const verified = new CredentialCache<{ claims: VerifiedClaims; expiresAt: number }>();

/** Why a token is invalid: expired, or not signed here. */
export type TokenProblem = "expired" | "invalid";

/** The claims of a valid token. No I/O. */
export async function verifyAccessToken(settings: Settings, token: string): Promise<VerifiedClaims | TokenProblem> {
  const known = verified.get(settings, token);
  if (known) return known.expiresAt > Date.now() ? known.claims : "expired";
  const found = await verifyToken(settings, [AUDIENCE, ...tokenResources], token);
  if (typeof found === "string") return found;
  const { payload, ...claims } = found;
  const resource = tokenResources.find((name) => name === payload.aud);
  const scopes = String(payload.scope).split(" ").filter(isShopperScope);
  const app = resource && { resource, scopes, clientId: String(payload.client_id) };
  return verified.set(settings, token, {
    claims: { ...claims, ...(app && { app }) },
    expiresAt: Number(payload.exp) * 1000,
  }).claims;
}

/** The user of a token signed here, even if expired. No I/O. */
export async function issuedTo(settings: Settings, token: string): Promise<number | null> {
  const found = await verifyToken(settings, AUDIENCE, token, new Date(0));
  return typeof found === "string" ? null : found.userId;
}

/** Signs a token for `audience`. Times are epoch seconds. */
export async function signToken(
  settings: Settings,
  audience: string,
  { userId, sessionId, authenticatedAt }: AccessClaims,
  { issuedAt, expiresAt }: { issuedAt: number; expiresAt: number },
  more: Record<string, number | string> = {},
): Promise<string> {
  return new SignJWT({ sid: sessionId, auth_time: Math.floor(authenticatedAt / 1000), ...more })
    .setProtectedHeader({ alg: ALGORITHM, kid: settings.tokenKeys.kid })
    .setIssuer(settings.tokenIssuer)
    .setAudience(audience)
    .setSubject(String(userId))
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(await settings.tokenKeys.privateKey);
}

/** The claims of a valid token for `audience`. No I/O. */
export async function verifyToken(
  settings: Settings,
  audience: string | string[],
  token: string,
  currentDate = new Date(),
): Promise<(AccessClaims & { payload: JWTPayload }) | TokenProblem> {
  try {
    const { payload } = await jwtVerify<{ sid: string; auth_time: number }>(token, settings.tokenKeys.resolve, {
      algorithms: [ALGORITHM],
      issuer: settings.tokenIssuer,
      audience,
      currentDate,
      requiredClaims: ["sub", "sid", "auth_time", "iat", "exp"],
    });
    const authenticatedAt = payload.auth_time * 1000;
    return { userId: Number(payload.sub), sessionId: payload.sid, authenticatedAt, payload };
  } catch (error) {
    return error instanceof errors.JWTExpired ? "expired" : "invalid";
  }
}
