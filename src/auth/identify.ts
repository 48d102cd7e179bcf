import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../env.ts";
import { tooManyRequests, unauthorized } from "../errors.ts";
import { secondsToReset } from "../rate-limit/headers.ts";
import type { Settings } from "../settings.ts";
import { KEY_PREFIX, startOf } from "./api-keys/format.ts";
import { admitApiKey } from "./api-keys/limiter.ts";
import { recognise } from "./api-keys/recognise.ts";
import type { Caller } from "./caller.ts";
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
  const verdict = await judge(c.env, c.get("settings"), credential);
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
async function judge(env: Env, settings: Settings, credential: string): Promise<Verdict<Caller>> {
  if (credential.startsWith(KEY_PREFIX)) {
    const hash = recognise(credential, settings.apiKeySecrets);
    if (hash === undefined) throw unauthorized("invalid_token", "The API key is not valid");
    return admitApiKey(env, startOf(credential), hash);
  }
  const claims = await verifyAccessToken(settings, credential);
  if (!claims) throw unauthorized("invalid_token", "The token is not valid or has expired");
  return admitUser(env, claims);
}
