import { Hono } from "hono";
import { closeOtherSessions, closeSession } from "../../accounts/users/sessions/end.ts";
import { SessionParam } from "../../accounts/users/sessions/schemas.ts";
import { notFound } from "../../domain/errors.ts";
import { validate } from "../../platform/http/validate.ts";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { accountPage } from "./account-page.tsx";
import { ACCOUNT } from "./path.ts";

export const account = new Hono<PanelEnv>()
  .get("/account", (c) => accountPage(c, null))
  .post("/account/sessions/end", async (c) => {
    const { caller, db } = c.var;
    await closeOtherSessions(c.env, db, caller.id, caller.sessionId);
    return redirectWithFlash(c, ACCOUNT, "All your other sessions have ended.");
  })
  .post("/account/sessions/:id/end", validate("param", SessionParam), async (c) => {
    const ended = await closeSession(c.env, c.var.db, c.var.caller.id, c.req.valid("param").id);
    if (!ended) throw notFound("The session");
    return redirectWithFlash(c, ACCOUNT, "The session has ended.");
  });
