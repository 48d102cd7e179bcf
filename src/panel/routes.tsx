import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { trimTrailingSlash } from "hono/trailing-slash";
import type { PanelEnv } from "./env.ts";
import { overview } from "./overview/routes.tsx";
import { signedIn } from "./session/gate.ts";
import { session } from "./session/routes.tsx";

/** The administrator's pages, below /admin: one line per section. */
export const panel = new Hono<PanelEnv>();

panel.use(trimTrailingSlash(), csrf());
panel.route("/", session);
panel.use(signedIn);

panel.route("/", overview);
