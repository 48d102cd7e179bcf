import { lines, sentRequestId } from "../../http/request-log.ts";
import { Trickle } from "../../http/trickle.ts";
import { readSettings } from "../../settings.ts";
import { recognise } from "./recognise.ts";

type Fetch = (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response>;

/** So many made-up keys a second are answered by the app itself, and logged. */
const THROUGH = 10;

/**
 * Answers a made-up API key as `app` has answered one before, but for the request's name: what a flood of them costs is
 * an HMAC and a Response each. Without `async`, which would be a promise each.
 */
export function refusingMadeUpKeys(app: Fetch): Fetch {
  const through = new Trickle(THROUGH);
  let kept: { body: string; answer: Response } | undefined;

  async function askAndKeep(key: string, ...[request, env, ctx]: Parameters<Fetch>): Promise<Response> {
    const answer = await app(request, env, ctx);
    if (answer.status === 401 && isMadeUp(key, env)) {
      kept = { body: await answer.clone().text(), answer: new Response(null, answer) };
    }
    return answer;
  }

  return (request, env, ctx) => {
    const key = keyOf(request);
    if (key === undefined) return app(request, env, ctx);
    if (kept === undefined) return askAndKeep(key, request, env, ctx);
    if (!isMadeUp(key, env) || through.take(Date.now()) !== null) return app(request, env, ctx);
    lines.holdBack();
    kept.answer.headers.set("X-Request-Id", sentRequestId(request.headers) ?? crypto.randomUUID());
    return new Response(kept.body, kept.answer);
  };
}

/** The API key of a request whose answer has a body, read as identify.ts does. */
function keyOf({ headers, method, url }: Request): string | undefined {
  if (method === "OPTIONS" || method === "HEAD" || !url.startsWith("/api/", url.indexOf("/", 8))) return undefined;
  return /^Bearer +(sfk_\S*)$/i.exec(headers.get("Authorization") ?? "")?.[1];
}

const isMadeUp = (key: string, env: Env): boolean => recognise(key, readSettings(env).apiKeySecrets) === undefined;
