import { env as isolate } from "cloudflare:workers";
import { createMiddleware } from "hono/factory";
import { nudgeForNewEvents } from "../integrations/webhooks/nudge.ts";
import { authenticate, authenticateLateBody } from "../platform/auth/authenticate.ts";
import type { AppEnv } from "../platform/auth/gates.ts";
import { database } from "../platform/db/client.ts";
import { limited, QueryBudget } from "../platform/db/d1-limits.ts";
import { writeEventEmails } from "../platform/email/follow.ts";
import { inBackground } from "../platform/http/background.ts";
import { jsonBodies, jsonLimit, plainBodies } from "../platform/http/body-parsing.ts";
import { logFault } from "../platform/http/log.ts";
import { coalesced } from "./coalesced.ts";

type Follower = (env: Env) => Promise<unknown>;

const follower = (what: string, run: Follower): Follower =>
  coalesced((env) => run(env).catch((error: unknown) => logFault(`could not ${what}`, error)));

/** Consumers of events. Each continues where it left off, can run at any time, and does not wait for the others. */
const followers: Follower[] = [
  follower("write e-mails of events", writeEventEmails),
  // One run serves several requests, so it uses the bindings of none of them.
  follower("nudge webhooks", () => nudgeForNewEvents(isolate)),
];

/** Runs the followers, each immediately or after its current run in this isolate. */
export const followEvents: Follower = (env) => Promise.all(followers.map((follow) => follow(env)));

/** Queries of followers, beside those of the request itself. */
const MOST_QUERIES = 100;

/** Notifies the followers after the response that the request may have written events. */
export const followWrites = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.req.method === "GET" || c.req.method === "HEAD" || c.res.status >= 400) return;
  // Runs for other requests make their queries as part of this one. The schedule does the rest.
  const DB = limited(c.env.DB, new QueryBudget(MOST_QUERIES));
  inBackground(c, "follow events", followEvents({ ...c.env, DB }));
});

/** Runs before the routes of buyers and their agents: reads credentials and bodies, and follows what routes write. */
export const forBuyers = [
  authenticate,
  plainBodies,
  jsonLimit,
  jsonBodies,
  authenticateLateBody,
  database,
  followWrites,
] as const;
