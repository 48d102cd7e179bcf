import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../env.ts";
import { tooManyRequests, unauthorized } from "../errors.ts";
import { countAddress } from "../rate-limit/address-limiter.ts";
import { secondsToReset } from "../rate-limit/headers.ts";
import { KEY_PREFIX, startOf } from "./api-keys/format.ts";
import { admitApiKey } from "./api-keys/limiter.ts";
import { recognise } from "./api-keys/recognise.ts";
import type { Caller } from "./caller.ts";
import { clientAddress } from "./client-address.ts";
import { limitAddress } from "./gates.ts";
import { verifyAccessToken } from "./tokens.ts";
import { admitUser } from "./users/limiter.ts";
import type { Verdict } from "./verdict.ts";

/** Finds out who is asking and counts the request. A credential that is no good is refused on every route. */
export const identify = createMiddleware<AppEnv>(async (c, next) => {
  const credential = bearer(c.req.header("Authorization"));
  if (credential === undefined) {
    c.set("identity", { kind: "anonymous" });
    return next();
  }
  const verdict = await judge(c, credential);
  if (!verdict.valid) {
    // A genuine credential that is no longer good cost a lookup, so an address has only so many of them.
    await limitAddress(c, "failed-credentials");
    throw unauthorized("invalid_token", verdict.reason);
  }
  c.set("identity", verdict.caller);
  if (verdict.count) c.set("count", verdict.count);
  if (verdict.count?.admitted === false) throw tooManyRequests(secondsToReset(verdict.count));
  await next();
});

function bearer(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [, credential] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (!credential) throw unauthorized("invalid_token", "The Authorization header must read: Bearer <credential>");
  return credential;
}

/** What cannot be genuine is refused without any I/O: an attacker who makes up credentials costs next to nothing. */
async function judge(c: Context<AppEnv>, credential: string): Promise<Verdict<Caller>> {
  if (!credential.startsWith(KEY_PREFIX)) return judgeToken(c, credential);
  const hash = recognise(credential, c.var.settings.apiKeySecrets);
  if (hash === undefined) throw unauthorized("invalid_token", "The API key is not valid");
  return admitApiKey(c.env, startOf(credential), hash);
}

/** Where a session begins or goes on. Whoever comes there with the token of one that is over is nobody yet. */
const OPENS_SESSION = /^\/api\/v1\/user\/auth\/(signup|login|refresh)$/;
const NOBODY: Verdict<Caller> = { valid: true, caller: { kind: "anonymous" }, count: null };

/** A user is counted, and so is the address: accounts are free, and many at one address would be as many limits. */
async function judgeToken(c: Context<AppEnv>, token: string): Promise<Verdict<Caller>> {
  const claims = await verifyAccessToken(c.var.settings, token);
  if (claims === "invalid") throw unauthorized("invalid_token", "The token is not valid");
  const opensSession = OPENS_SESSION.test(c.req.path);
  if (claims === "expired") {
    if (opensSession) return NOBODY;
    throw unauthorized("invalid_token", "The token has expired");
  }
  const [verdict, address] = await Promise.all([
    admitUser(c.env, claims),
    countAddress(c.env, "user-address", clientAddress(c)),
  ]);
  if (!verdict.valid) return opensSession ? NOBODY : verdict;
  return address?.admitted === false ? { ...verdict, count: address } : verdict;
}
