import type { Hono } from "hono";
import { getPath } from "hono/utils/url";
import type { AppEnv } from "../platform/auth/app-env.ts";
import { onFirstUse } from "../platform/http/on-first-use.ts";

/** The parts of an app that answer a request and that describe its routes. */
type App = Pick<Hono<AppEnv>, "fetch" | "routes">;
type Fetch = (request: Request, env: Env, context: ExecutionContext) => Response | Promise<Response>;

/** An app below a path, by the import that evaluates it. */
type LazyApp = { paths: RegExp; load: () => Promise<App> };

/**
 * Answers each request by the first app whose paths match, or by `otherwise`, which is there from the start. The others are
 * evaluated with their first request: a cold isolate evaluates what it is asked for.
 */
export function byPath(lazyApps: readonly LazyApp[], otherwise: App) {
  const apps = lazyApps.map(({ paths, load }) => ({ paths, app: onFirstUse(load) }));
  const fetch: Fetch = (request, env, context) => {
    const path = getPath(request);
    const lazy = apps.find(({ paths }) => paths.test(path));
    if (!lazy) return otherwise.fetch(request, env, context);
    return lazy.app().then((app) => app.fetch(request, env, context));
  };
  /** The routes of all apps, which evaluates them all. */
  const routes = async () =>
    [otherwise, ...(await Promise.all(apps.map(({ app }) => app())))].flatMap((app) => app.routes);
  return { fetch, routes };
}
