import { Hono } from "hono";
import * as z from "zod";
import { eraseCustomer, keepCustomer } from "../../accounts/personal-data/erasure.ts";
import { exportCustomer } from "../../accounts/personal-data/export.ts";
import { toExport } from "../../accounts/personal-data/schemas.ts";
import { requireAccount } from "../../accounts/users/admin.ts";
import { endAccountSessions } from "../../accounts/users/sessions/end.ts";
import { listSessions } from "../../accounts/users/sessions/sessions.ts";
import { removeTwoFactor } from "../../accounts/users/two-factor/enrol.ts";
import { notFound } from "../../domain/errors.ts";
import { IdParam, IdText } from "../../domain/fields.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { administer, administrators } from "../../platform/auth/gates.ts";
import { writeContextOf } from "../../platform/auth/write-context.ts";
import { sendInBackground } from "../../platform/email/send.ts";
import { validate } from "../../platform/http/validate.ts";
import { Sessions } from "../account/account-page.tsx";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { submitRow } from "../forms/attempt.ts";
import { PageHeader } from "../kit/page-parts.tsx";
import { page } from "../page.tsx";
import { customerPage } from "./routes.tsx";

/** Export and erasure of a customer's personal data. */
export const customerData = new Hono<PanelEnv>()
  .get("/customers/:id/export", administrators, validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    const data = await exportCustomer(writeContextOf(c), id);
    if (!data) throw notFound(`User ${id}`);
    c.header("Content-Disposition", `attachment; filename="customer-${id}.json"`);
    return c.json(toExport(data, c.var.settings.currency, Date.now()));
  })
  .post(
    "/customers/:id/erase",
    administrators,
    submitRow(customerPage, async (c, id) => {
      await eraseCustomer(writeContextOf(c), id);
      sendInBackground(c);
      return redirectWithFlash(c, `/admin/customers/${id}`, "The account will be erased in seven days.");
    }),
  )
  .post(
    "/customers/:id/restore",
    administrators,
    submitRow(customerPage, async (c, id) => {
      await keepCustomer(writeContextOf(c), id);
      return redirectWithFlash(c, `/admin/customers/${id}`, "The erasure was cancelled.");
    }),
  );

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
    await endAccountSessions(writeContextOf(c), { userId: id, id: null });
    return redirectWithFlash(c, pageOf(id), "All sessions of the account have ended.");
  })
  .post("/customers/:id/sessions/:sessionId/end", administer("users:write"), validate("param", OneParam), async (c) => {
    const { id, sessionId } = c.req.valid("param");
    await requireAccount(c.var.db, { id, scope: accountScopeOf(c.var.caller) });
    await endAccountSessions(writeContextOf(c), { userId: id, id: sessionId });
    return redirectWithFlash(c, pageOf(id), "The session has ended.");
  });

const pageOf = (id: number): string => `/admin/customers/${id}/sessions`;

export const customerTwoFactor = new Hono<PanelEnv>().post(
  "/customers/:id/two-factor/remove",
  administrators,
  submitRow(customerPage, async (c, id) => {
    await removeTwoFactor(writeContextOf(c), id);
    sendInBackground(c);
    return redirectWithFlash(c, `/admin/customers/${id}`, "The second factor was removed.");
  }),
);
