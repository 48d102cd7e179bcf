import type { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { onBehalfOf } from "../platform/auth/authenticate.ts";
import type { AppEnv } from "../platform/auth/gates.ts";
import type { StoredResource } from "../platform/http/sent-back.ts";

/** Lets a change be compared with the resource at its path, which is read by its own GET, gate included. */
export const readStored = (app: Hono<AppEnv>) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (c.req.method === "PUT") {
      c.set("readStored", async () => {
        const response = await app.fetch(onBehalfOf(c, new Request(c.req.url)), c.env, c.executionCtx);
        if (!response.ok) return response.status === 405 ? undefined : null;
        return { envelope: await response.json<StoredResource["envelope"]>(), etag: response.headers.get("ETag") };
      });
    }
    await next();
  });
