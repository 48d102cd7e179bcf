import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { forbidden, tooManyRequests, unauthorized } from "../../domain/errors.ts";
import { tokenResourceOf } from "../http/token-resources.ts";
import { countAddress } from "../rate-limit/counting.ts";
import { secondsToReset } from "../rate-limit/limiter.ts";
import { policies } from "../rate-limit/policies.ts";
import { regionOf } from "../rate-limit/regions.ts";
import { readSettings } from "../settings/settings.ts";
import { originOf } from "./api-keys/allowed-callers.ts";
import { hashIfMinted } from "./api-keys/forged-keys.ts";
import { KEY_PREFIX, startOf } from "./api-keys/format.ts";
import { admitApiKey } from "./api-keys/limiter.ts";
import type { AuthResult, Caller } from "./caller.ts";
import { clientAddress } from "./client.ts";
import { type AppEnv, limitAddress } from "./gates.ts";
import { verifyAccessToken } from "./tokens.ts";
import { admitUser } from "./user-limiter.ts";

/** Callers of requests that the Worker makes of itself. Nobody else can hold such a Request. */
const callersOf = new WeakMap<Request, Caller>();

/** Makes a request part of `c`, whose caller is already authenticated and counted. It carries that caller's credential. */
export function onBehalfOf(c: Context<AppEnv>, request: Request): Request {
  for (const name of ["Authorization", "CF-Connecting-IP"]) {
    const value = c.req.header(name);
    if (value !== undefined) request.headers.set(name, value);
  }
  request.headers.set("X-Request-Id", c.get("requestId"));
  callersOf.set(request, c.get("identity"));
  return request;
}

/** True for a request that the Worker makes of itself while it handles another. */
export const isPartOfAnother = (request: Request): boolean => callersOf.has(request);

/** Reads the settings, authenticates the caller and counts the request. Invalid credentials are refused on every route. */
export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
  c.set("settings", readSettings(c.env));
  const known = callersOf.get(c.req.raw);
  if (known) {
    c.set("identity", known);
    return next();
  }
  const credential = bearerOf(c);
  if (credential === undefined) {
    c.set("identity", { kind: "anonymous" });
    return next();
  }
  await identify(c, credential);
  c.set("identifiedAt", Date.now());
  await next();
});

/** Time for a body to arrive before its caller is authenticated again: about the duration of a write. */
export const PROMPT_MS = 250;

/**
 * Reads the body, and authenticates the caller again if it arrived late: otherwise a request could be held open until its
 * session, role or key ended, and then take effect.
 */
export const authenticateLateBody = createMiddleware<AppEnv>(async (c, next) => {
  const identifiedAt = c.get("identifiedAt");
  if (identifiedAt !== undefined && c.req.raw.body !== null) {
    await c.req.arrayBuffer();
    const credential = bearerOf(c);
    if (credential !== undefined && Date.now() - identifiedAt >= PROMPT_MS) await identify(c, credential);
  }
  await next();
});

async function identify(c: Context<AppEnv>, credential: string): Promise<void> {
  const result = await authenticateCredential(c, credential);
  if (!result.valid) {
    // A genuine credential that is no longer valid costs a lookup, so each address has a limit of them.
    await limitAddress(c, "failed-credentials");
    if (result.code) throw forbidden(result.code, result.reason);
    throw unauthorized("invalid_token", result.reason);
  }
  c.set("identity", result.caller);
  if (result.count) c.set("count", result.count);
  if (result.count?.admitted === false) throw tooManyRequests(secondsToReset(result.count));
}

/** Items of a body that count as one request, since they are written together. */
const ITEMS_OF_A_REQUEST = 10;

/**
 * Counts a request by the `items` of its body. Without enough quota none is counted, and the caller waits until all of it is
 * free, because each new attempt would use what has become free.
 */
export const countItems = createMiddleware<AppEnv>(async (c, next) => {
  const { items }: { items: unknown[] } = await c.req.json();
  const more = Math.ceil(items.length / ITEMS_OF_A_REQUEST) - 1;
  const [count, credential] = [c.get("count"), bearerOf(c)];
  if (count && count.remaining < more) throw tooManyRequests(policies[count.policy].seconds);
  for (let n = 0; n < more && credential !== undefined; n++) await identify(c, credential);
  await next();
});

/** The credential of a request, valid or not. */
export function bearerOf(c: Context): string | undefined {
  const header = c.req.header("Authorization");
  if (header === undefined) return undefined;
  const [, credential] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (!credential) throw unauthorized("invalid_token", "The Authorization header must read: Bearer <credential>");
  return credential;
}

/** Forged credentials are refused without I/O, so a flood of them costs next to nothing. */
function authenticateCredential(c: Context<AppEnv>, credential: string): Promise<AuthResult<Caller>> {
  if (!credential.startsWith(KEY_PREFIX)) return authenticateToken(c, credential);
  const hash = hashIfMinted(credential, c.get("settings").apiKeySecrets);
  if (hash === undefined) throw unauthorized("invalid_token", "The API key is not valid");
  const address = c.req.raw.headers.get("CF-Connecting-IP") ?? undefined;
  return admitApiKey(c.env, regionOf(c.req.raw.cf), startOf(credential), {
    hash,
    address,
    origin: originOf(c.req.raw),
    resource: tokenResourceOf(c.req.path),
  });
}

/** Routes that open or renew a session, or are opened from an e-mail. An expired token counts as none there. */
const OPENS_SESSION =
  /^\/api\/v1\/user\/auth\/(signup|login|login\/two-factor|refresh|(forgot|reset)-password|(verify|revert)-email)$/;
const NOBODY: AuthResult<Caller> = { valid: true, caller: { kind: "anonymous" }, count: null };

/**
 * Counts the user and the address, because accounts are free and many of them at one address would multiply the limit.
 */
async function authenticateToken(c: Context<AppEnv>, token: string): Promise<AuthResult<Caller>> {
  const claims = await verifyAccessToken(c.get("settings"), token);
  if (claims === "invalid") throw unauthorized("invalid_token", "The token is not valid");
  const opensSession = OPENS_SESSION.test(c.req.path);
  if (claims === "expired") {
    if (opensSession) return NOBODY;
    throw unauthorized("invalid_token", "The token has expired");
  }
  const { app } = claims;
  if (app && app.resource !== tokenResourceOf(c.req.path))
    throw unauthorized("invalid_token", `The access token is only for ${app.resource}`);
  const [result, address] = await Promise.all([
    admitUser(c.env, claims),
    countAddress(c.env, "user-address", clientAddress(c)),
  ]);
  if (!result.valid) return opensSession ? NOBODY : result;
  const counted = address?.admitted === false ? { ...result, count: address } : result;
  // An app acts for a shopper, and never with the powers that the account has as staff.
  if (!app) return counted;
  const { scopes, clientId } = app;
  return { ...counted, caller: { ...counted.caller, role: "customer", scopes, clientId } };
}
