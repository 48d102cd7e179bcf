import type { Context, Hono } from "hono";
import { getPath } from "hono/utils/url";
import type { AppEnv } from "../platform/auth/gates.ts";
import { onFirstUse } from "../platform/http/on-first-use.ts";

/** The functions of an app that handle a request and describe its routes. */
type App = Pick<Hono<AppEnv>, "fetch" | "routes">;
export type Fetch = (request: Request, env: Env, context: Context["executionCtx"]) => Response | Promise<Response>;

/**
 * An app below a path, with the import that loads it. `fetch` belongs to all apps together, for an app that calls
 * others.
 */
type LazyApp = { paths: RegExp; load: (fetch: Fetch) => Promise<App> };

/**
 * Routes each request to the first app whose paths match, or to `otherwise`, which is loaded at startup. The others load on
 * their first request, so that a cold isolate evaluates only what it needs.
 */
export function byPath(lazyApps: readonly LazyApp[], otherwise: App) {
  const apps = lazyApps.map(({ paths, load }) => ({ paths, app: onFirstUse(() => load(fetch)) }));
  function fetch(...[request, env, context]: Parameters<Fetch>): ReturnType<Fetch> {
    const path = getPath(request);
    const lazy = apps.find(({ paths }) => paths.test(path));
    if (!lazy) return otherwise.fetch(request, env, context);
    return lazy.app().then((app) => app.fetch(request, env, context));
  }
  /** The routes of all apps. Loads them all. */
  const routes = async () =>
    [otherwise, ...(await Promise.all(apps.map(({ app }) => app())))].flatMap((app) => app.routes);
  return { fetch, routes };
}
