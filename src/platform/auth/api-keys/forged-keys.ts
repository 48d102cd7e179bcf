import { LogSampler, logSampler, sentRequestId } from "../../http/log.ts";
import { recordRequest, UNMATCHED } from "../../metrics/record.ts";
import { readSettings, type Secrets } from "../../settings/settings.ts";
import { CredentialCache } from "../record-cache.ts";
import { hashSecret } from "../secrets.ts";
import { isMinted } from "./format.ts";

type Fetch = (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response>;

/** Forged keys per second that the app itself answers and logs. */
const LOGGED_PER_SECOND = 10;

/**
 * Answers a forged API key with a copy of an earlier response of `app`, under the request's own id: in a flood, each costs an
 * HMAC and a Response. Not `async`, which would cost a promise each.
 */
export function refuseForgedKeys(app: Fetch): Fetch {
  const sampler = new LogSampler(LOGGED_PER_SECOND);
  let refusal: { body: string; template: Response } | undefined;

  async function askAndCache(...request: Parameters<Fetch>): Promise<Response> {
    const answer = await app(...request);
    if (answer.status === 401) refusal = { body: await answer.clone().text(), template: new Response(null, answer) };
    return answer;
  }

  return (request, env, ctx) => {
    const key = keyOf(request);
    if (key === undefined || !isForged(key, env)) return app(request, env, ctx);
    if (refusal === undefined) return askAndCache(request, env, ctx);
    if (sampler.sample(Date.now()) !== null) return app(request, env, ctx);
    logSampler.skip();
    const [at, caller] = [Date.now(), "anonymous"];
    recordRequest(
      { env, executionCtx: ctx },
      { caller, route: UNMATCHED, status: 401, at, ms: 0, cache: "none", request },
    );
    refusal.template.headers.set("X-Request-Id", sentRequestId(request.headers) ?? crypto.randomUUID());
    return new Response(refusal.body, refusal.template);
  };
}

/** The API key of a request with a body in its response, as read by authenticate.ts. */
function keyOf({ headers, method, url }: Request): string | undefined {
  if (method === "OPTIONS" || method === "HEAD" || !url.startsWith("/api/", url.indexOf("/", 8))) return undefined;
  return /^Bearer +(sfk_\S*)$/i.exec(headers.get("Authorization") ?? "")?.[1];
}

/** Unreadable settings are reported by the app. */
function isForged(key: string, env: Env): boolean {
  try {
    return hashIfMinted(key, readSettings(env).apiKeySecrets) === undefined;
  } catch {
    return false;
  }
}

const hashes = new CredentialCache<string>();

/** The hash of a key minted under one of `secrets`. Undefined for other keys. */
export function hashIfMinted(key: string, secrets: Secrets): string | undefined {
  const known = hashes.get(secrets, key);
  if (known !== undefined) return known;
  return isMinted(key, secrets) ? hashes.set(secrets, key, hashSecret(key)) : undefined;
}
