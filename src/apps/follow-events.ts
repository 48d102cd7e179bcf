import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../auth/app-env.ts";
import { inBackground } from "../http/background.ts";
import { logFault } from "../http/log.ts";
import { nudgeForNewEvents } from "../webhooks/nudge.ts";

/** Who makes something of events, each from where it left off, so that it may be run at any time and as often as wanted. */
const followers: Record<string, (env: Env) => Promise<unknown>> = {
  "nudge webhooks": nudgeForNewEvents,
};

/** Under load a run serves all who wrote meanwhile: the next one waits as long, in milliseconds. */
const PAUSE_MS = 200;

/** No run goes on for longer, since the request that it was begun by ends; the schedule does what is left. */
const LONGEST_MS = 20_000;

let startedAt: number | null = null;
let askedAgain = false;

/** Runs the followers: now, or after the run that is under way in this isolate. */
export async function followEvents(env: Env): Promise<void> {
  const now = Date.now();
  askedAgain = true;
  if (startedAt !== null && now - startedAt < LONGEST_MS) return;
  startedAt = now;
  while (askedAgain && Date.now() - now < LONGEST_MS) {
    askedAgain = false;
    await runFollowers(env);
    if (askedAgain) await scheduler.wait(PAUSE_MS);
  }
  startedAt = null;
}

async function runFollowers(env: Env): Promise<void> {
  for (const [what, run] of Object.entries(followers)) {
    await run(env).catch((error: unknown) => logFault(`could not ${what}`, error));
  }
}

/** Lets followers know, after the answer, that a request may have written events. */
export const followWrites = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.req.method === "GET" || c.req.method === "HEAD" || c.res.status >= 400) return;
  inBackground(c, "follow events", followEvents(c.env));
});
