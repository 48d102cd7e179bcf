import { jwtVerify, SignJWT } from "jose";
import { fieldError, forbidden } from "../../domain/errors.ts";
import { type Caller, callerName } from "../../platform/auth/caller.ts";
import type { Secrets } from "../../platform/settings/settings.ts";

/** A link is used right away, or asked for again. */
export const LINK_MS = 10 * 60 * 1000;

const AUDIENCE = "download";

/** Whom a link was made for, in which session, which content it opens, and on which package. `id` is what a download is counted by. */
export type Link = {
  id: string;
  holder: string;
  fileId: number;
  version: number;
  packageId: number | null;
  sessionId: string | null;
};

export const newLink = (caller: Caller, file: { id: number; version: number }, packageId: number | null): Link => ({
  id: crypto.randomUUID(),
  holder: callerName(caller),
  fileId: file.id,
  version: file.version,
  packageId,
  sessionId: caller.kind === "user" ? caller.sessionId : null,
});

/** Signs a link under the newest secret. `expiresAt` is epoch milliseconds. */
export const signLink = (
  secrets: Secrets,
  { id, holder, fileId, version, packageId, sessionId }: Link,
  expiresAt: number,
): Promise<string> =>
  new SignJWT({ file: fileId, version, package: packageId, sid: sessionId })
    .setProtectedHeader({ alg: "HS256" })
    .setAudience(AUDIENCE)
    .setSubject(holder)
    .setJti(id)
    .setExpirationTime(new Date(expiresAt))
    .sign(bytesOf(secrets[0]));

/** Reads a link that was signed here and still runs. Whoever shows a credential with it has to be the one it was made for. */
export async function openLink(secrets: Secrets, token: string, caller: Caller): Promise<Link> {
  for (const secret of secrets) {
    const link = await verify(token, secret);
    if (!link) continue;
    if (caller.kind === "anonymous" || callerName(caller) === link.holder) return link;
    throw notYours();
  }
  throw forbidden(
    "invalid_link",
    "The link is not valid or has expired: ask for a new one",
    fieldError("token", "invalid_link", "is not valid or has expired"),
  );
}

const notYours = () =>
  forbidden(
    "link_not_yours",
    "The link was made for another account or API key: ask for one with this credential, or follow it without one",
    fieldError("token", "link_not_yours", "was made for another account or API key"),
  );

type Claims = { jti: string; sub: string; file: number; version: number; package: number | null; sid: string | null };

async function verify(token: string, secret: string): Promise<Link | null> {
  try {
    const { payload } = await jwtVerify<Claims>(token, bytesOf(secret), {
      algorithms: ["HS256"],
      audience: AUDIENCE,
      requiredClaims: ["exp", "jti", "sub", "file", "version"],
    });
    const { jti, sub, file, version } = payload;
    return { id: jti, holder: sub, fileId: file, version, packageId: payload.package, sessionId: payload.sid };
  } catch {
    return null;
  }
}

const bytesOf = (secret: string): Uint8Array => new TextEncoder().encode(secret);
