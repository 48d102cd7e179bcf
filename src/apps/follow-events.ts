import { env as isolate } from "cloudflare:workers";
import { createMiddleware } from "hono/factory";
import { nudgeForNewEvents } from "../integrations/webhooks/nudge.ts";
import type { AppEnv } from "../platform/auth/app-env.ts";
import { writeEventEmails } from "../platform/email/follow.ts";
import { inBackground } from "../platform/http/background.ts";
import { logFault } from "../platform/http/log.ts";
import { coalesced } from "./coalesced.ts";

type Follower = (env: Env) => Promise<unknown>;

const follower = (what: string, run: Follower): Follower =>
  coalesced((env) => run(env).catch((error: unknown) => logFault(`could not ${what}`, error)));

/**
 * Who makes something of events, each from where it left off, so that it may be run at any time and as often as wanted. None
 * waits for another.
 */
const followers: Follower[] = [
  follower("write e-mails of events", writeEventEmails),
  // A run serves several requests: it takes the bindings of none of them.
  follower("nudge webhooks", () => nudgeForNewEvents(isolate)),
];

/** Runs the followers: each now, or after the run of it that is under way in this isolate. */
export const followEvents: Follower = (env) => Promise.all(followers.map((follow) => follow(env)));

/** Lets followers know, after the answer, that a request may have written events. */
export const followWrites = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.req.method === "GET" || c.req.method === "HEAD" || c.res.status >= 400) return;
  inBackground(c, "follow events", followEvents(c.env));
});
