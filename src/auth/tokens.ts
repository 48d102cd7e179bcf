import { createLocalJWKSet, importJWK, type JSONWebKeySet, type JWK, jwtVerify, SignJWT } from "jose";
import type { Settings } from "../settings.ts";

const ALGORITHM = "EdDSA";
const AUDIENCE = "storefront-api";

/** An ended session has to be remembered as long: its last access token still runs. */
export const ACCESS_TOKEN_MS = 60 * 60 * 1000;

/** Whose token it is and which session it belongs to. */
export type AccessClaims = { userId: number; sessionId: string };

/** The signing keys of the installation: Ed25519, the newest signs, every one verifies. */
export type TokenKeys = {
  kid: string;
  privateKey: Promise<CryptoKey | Uint8Array>;
  published: JSONWebKeySet;
  resolve: ReturnType<typeof createLocalJWKSet>;
};

/** Reads private JWKs, newest first. */
export function readTokenKeys(privateKeys: readonly [PrivateJwk, ...PrivateJwk[]]): TokenKeys {
  const published = {
    keys: privateKeys.map(({ kty, crv, x, kid }) => ({ kty, crv, x, kid, use: "sig", alg: ALGORITHM })),
  };
  const [newest] = privateKeys;
  return {
    kid: newest.kid,
    privateKey: importJWK(newest, ALGORITHM),
    published,
    resolve: createLocalJWKSet(published),
  };
}

export type PrivateJwk = JWK & { kty: "OKP"; crv: "Ed25519"; x: string; d: string; kid: string };

/** An access token for one hour, and the moment it expires (epoch milliseconds, on a full second). */
export async function signAccessToken(
  settings: Settings,
  { userId, sessionId }: AccessClaims,
  now = Date.now(),
): Promise<{ token: string; expiresAt: number }> {
  const issuedAt = Math.floor(now / 1000);
  const expires = issuedAt + ACCESS_TOKEN_MS / 1000;
  const token = await new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: ALGORITHM, kid: settings.tokenKeys.kid })
    .setIssuer(settings.tokenIssuer)
    .setAudience(AUDIENCE)
    .setSubject(String(userId))
    .setIssuedAt(issuedAt)
    .setExpirationTime(expires)
    .sign(await settings.tokenKeys.privateKey);
  return { token, expiresAt: expires * 1000 };
}

/** The claims of a token that was signed here and still runs, else null. No I/O. */
export async function verifyAccessToken(settings: Settings, token: string): Promise<AccessClaims | null> {
  try {
    const { payload } = await jwtVerify<{ sid: string }>(token, settings.tokenKeys.resolve, {
      algorithms: [ALGORITHM],
      issuer: settings.tokenIssuer,
      audience: AUDIENCE,
      requiredClaims: ["sub", "sid", "iat", "exp"],
    });
    return { userId: Number(payload.sub), sessionId: payload.sid };
  } catch {
    return null;
  }
}
