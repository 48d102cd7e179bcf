import type { Hono } from "hono";
import type { Fetch } from "../../apps/by-path.ts";
import { newApi } from "../../apps/new-app.ts";
import { unauthorized } from "../../domain/errors.ts";
import type { AppEnv } from "../../platform/auth/app-env.ts";
import { authenticate, authenticateLateBody, onBehalfOf } from "../../platform/auth/authenticate.ts";
import { jsonBodies, jsonLimit, plainBodies } from "../../platform/http/body-parsing.ts";
import { refuseOtherOrigins, serveMcp } from "../serve.ts";
import { adminServer } from "./server.ts";
import { offeredTools } from "./tools.ts";

/** The endpoint for staff. `fetch` is the Worker's own, which tools call. */
export function adminMcpApp(fetch: Fetch): Hono<AppEnv> {
  const app = newApi();
  app.use(refuseOtherOrigins, authenticate, plainBodies, jsonLimit, jsonBodies, authenticateLateBody);
  app.post("/mcp/admin", async (c) => {
    const { identity } = c.var;
    if (identity.kind === "anonymous")
      throw unauthorized("unauthorized", "Send an API key: Authorization: Bearer <key>");
    const tools = await offeredTools(c.env, identity, c.req.query("groups"));
    const server = adminServer(tools, c.env.VERSION.id, async (path, init) =>
      fetch(onBehalfOf(c, new Request(new URL(path, c.req.url), init)), c.env, c.executionCtx),
    );
    return serveMcp(c, () => server);
  });
  return app;
}
