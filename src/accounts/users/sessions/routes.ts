import { Hono } from "hono";
import { notFound } from "../../../domain/errors.ts";
import type { AppEnv } from "../../../platform/auth/app-env.ts";
import { allowUser } from "../../../platform/auth/gates.ts";
import { writeContextOf } from "../../../platform/auth/write-context.ts";
import { list, noContent } from "../../../platform/http/envelope.ts";
import { PageQuery, pageOf } from "../../../platform/http/pagination.ts";
import { answersNothing, lists } from "../../../platform/http/route-description.ts";
import { validate } from "../../../platform/http/validate.ts";
import { closeOtherSessions, closeSession } from "./end.ts";
import { AccountSession, listSessions, SessionParam, toAccountSession } from "./sessions.ts";

export const sessionRoutes = new Hono<AppEnv>()
  .get(
    "/account/sessions",
    allowUser,
    validate("query", PageQuery),
    lists("listYourSessions", "List your sessions", AccountSession),
    async (c) => {
      const query = c.req.valid("query");
      const { caller, db } = c.var;
      const { rows, totalItems, totalIsExact } = await listSessions(db, caller.id, query);
      const data = rows.map((row) => toAccountSession(row, caller.sessionId));
      return list(c, "Sessions", data, pageOf(query, totalItems, totalIsExact));
    },
  )
  .delete(
    "/account/sessions",
    allowUser,
    answersNothing("endYourOtherSessions", "End all your other sessions"),
    async (c) => {
      await closeOtherSessions(writeContextOf(c));
      return noContent(c);
    },
  )
  .delete(
    "/account/sessions/:id",
    allowUser,
    validate("param", SessionParam),
    answersNothing("endSessionOfYours", "End one of your sessions"),
    async (c) => {
      const { id } = c.req.valid("param");
      const ended = await closeSession(writeContextOf(c), { userId: c.var.caller.id, id });
      if (!ended) throw notFound("The session");
      return noContent(c);
    },
  );
