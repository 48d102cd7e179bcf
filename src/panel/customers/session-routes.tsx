import { Hono } from "hono";
import * as z from "zod";
import { requireAccount } from "../../accounts/users/admin.ts";
import { endAccountSessions } from "../../accounts/users/sessions/end.ts";
import { listSessions } from "../../accounts/users/sessions/sessions.ts";
import { IdParam, IdText } from "../../domain/fields.ts";
import { authorOf } from "../../platform/auth/author.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { validate } from "../../platform/http/validate.ts";
import { Sessions } from "../account/sessions.tsx";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { PageHeader } from "../kit/page-header.tsx";
import { page } from "../page.tsx";

const OneParam = z.object({ id: IdText, sessionId: z.uuid() });

const LATEST = { page: 1, per_page: 20 };

export const customerSessions = new Hono<PanelEnv>()
  .get("/customers/:id/sessions", administer("users:read"), validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    const [account, sessions] = await Promise.all([
      requireAccount(c.var.db, { id, scope: accountScopeOf(c.var.caller) }),
      listSessions(c.var.db, id, LATEST),
    ]);
    return page(
      c,
      `Sessions of ${account.name}`,
      <>
        <PageHeader title="Sessions" back={{ path: `/admin/customers/${id}`, name: account.name }} />
        <Sessions sessions={sessions} current={null} path={c.req.path} />
      </>,
    );
  })
  .post("/customers/:id/sessions/end", administer("users:write"), validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    await requireAccount(c.var.db, { id, scope: accountScopeOf(c.var.caller) });
    await endAccountSessions(c.env, c.var.db, id, null, authorOf(c));
    return redirectWithFlash(c, pageOf(id), "All sessions of the account have ended.");
  })
  .post("/customers/:id/sessions/:sessionId/end", administer("users:write"), validate("param", OneParam), async (c) => {
    const { id, sessionId } = c.req.valid("param");
    await requireAccount(c.var.db, { id, scope: accountScopeOf(c.var.caller) });
    await endAccountSessions(c.env, c.var.db, id, sessionId, authorOf(c));
    return redirectWithFlash(c, pageOf(id), "The session has ended.");
  });

const pageOf = (id: number): string => `/admin/customers/${id}/sessions`;
