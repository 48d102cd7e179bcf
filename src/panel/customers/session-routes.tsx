import { Hono } from "hono";
import * as z from "zod";
import { accountScopeOf } from "../../auth/account-scope.ts";
import { authorOf } from "../../auth/author.ts";
import { administer } from "../../auth/gates.ts";
import { IdParam, IdText } from "../../domain/fields.ts";
import { validate } from "../../http/validate.ts";
import { endAccountSessions } from "../../users/sessions/end.ts";
import { listSessions } from "../../users/sessions/queries.ts";
import { requireAccount } from "../../users/write.ts";
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
