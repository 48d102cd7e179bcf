import { Hono } from "hono";
import { notFound } from "../../errors.ts";
import { validate } from "../../http/validate.ts";
import { findUser } from "../../users/queries.ts";
import { closeOtherSessions, closeSession } from "../../users/sessions/end.ts";
import { listSessions } from "../../users/sessions/queries.ts";
import { SessionParam } from "../../users/sessions/schemas.ts";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { page } from "../page.tsx";
import { AccountPage } from "./page.tsx";
import { ACCOUNT } from "./path.ts";

const LATEST = { page: 1, per_page: 20 };

export const account = new Hono<PanelEnv>()
  .get("/account", async (c) => {
    const { caller, db } = c.var;
    const [user, sessions] = await Promise.all([findUser(db, caller.id), listSessions(db, caller.id, LATEST)]);
    if (!user) throw notFound("The account");
    return page(c, "Your account", <AccountPage user={user} sessions={sessions} current={caller.sessionId} />);
  })
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
