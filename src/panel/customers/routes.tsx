import { type Context, Hono } from "hono";
import * as z from "zod";
import { eraseCustomer, keepCustomer } from "../../accounts/personal-data/erasure.ts";
import { exportCustomer } from "../../accounts/personal-data/export.ts";
import { toExport } from "../../accounts/personal-data/schemas.ts";
import { CustomerCreate, createCustomer, inviteCustomer } from "../../accounts/users/added.ts";
import { changeUser, requireAccount } from "../../accounts/users/admin.ts";
import { creditWallet } from "../../accounts/users/credit.ts";
import { notesOnCustomers } from "../../accounts/users/notes.ts";
import { type AccountRow, UserUpdate, WalletCredit } from "../../accounts/users/schemas.ts";
import { endAccountSessions } from "../../accounts/users/sessions/end.ts";
import { listSessions } from "../../accounts/users/sessions/sessions.ts";
import { removeTwoFactor } from "../../accounts/users/two-factor/enrol.ts";
import { requireFound } from "../../domain/errors.ts";
import { IdParam, IdText } from "../../domain/fields.ts";
import { formatAmount } from "../../domain/money.ts";
import { accountScopeOf, writeContextOf } from "../../platform/auth/caller.ts";
import { administer, administrators } from "../../platform/auth/gates.ts";
import { sendInBackground } from "../../platform/email/send.ts";
import { validate } from "../../platform/http/validate.ts";
import { once } from "../../platform/idempotency/once.ts";
import { Sessions } from "../account/account-page.tsx";
import { redirectWithFlash } from "../flash.ts";
import { kindsOf } from "../forms/conversion.ts";
import { type Failed, formFor } from "../forms/inputs.ts";
import { AllFields } from "../kit/fields.tsx";
import { NewPage, PageHeader } from "../kit/page-parts.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { recordPages, rowForms } from "../record-pages.ts";
import { customerPage } from "./detail-page.tsx";
import { accountInputs, addedInputs, creditInputs, noteInputs } from "./inputs.ts";
import { customersPage } from "./list-page.tsx";

/** The message after saving: a proposed address waits for its owner. */
const savedWords = ({ name, email, proposedEmail }: AccountRow, change: UserUpdate): string =>
  change.email !== undefined && change.email === proposedEmail
    ? `${name} was saved. A link to approve ${proposedEmail} was sent to ${email}.`
    : `${name} was saved.`;

const targetOf = (c: Context<PanelEnv>, id: number) => ({ id, scope: accountScopeOf(c.var.caller) });

export const customers = recordPages("/customers", {
  reads: administer("users:read"),
  writes: administer("users:write"),
  listPage: customersPage,
  newPage: addPage,
  rowPage: customerPage,
  create: async (c, sent) => {
    const added = sent.read(CustomerCreate, kindsOf(addedInputs));
    const { id, name } = await once(c, added, (ctx) => createCustomer(ctx, added));
    sendInBackground(c);
    const done = added.invite ? "was added and invited" : "was added";
    return redirectWithFlash(c, `/admin/customers/${id}`, `${name} ${done}.`);
  },
  forms: {
    "": async (c, id, sent) => {
      const change = sent.readChange(UserUpdate, kindsOf(accountInputs));
      const user = await changeUser(writeContextOf(c), { id, change, ifMatch: sent.ifMatch });
      sendInBackground(c);
      return savedWords(user, change);
    },
    "/invite": async (c, id) => {
      const { email } = await inviteCustomer(writeContextOf(c), id);
      sendInBackground(c);
      return `An invitation is on its way to ${email}.`;
    },
    "/notes": async (c, id, sent) => {
      const note = sent.read(notesOnCustomers.schema, kindsOf(noteInputs));
      await once(c, note, (ctx) => notesOnCustomers.create(ctx, { id, note }));
      return "The note was added.";
    },
  },
});

export const customerWallets = rowForms("/customers/:id", administer("payments:write"), customerPage, {
  "/credit": async (c, id, sent) => {
    const credit = sent.read(WalletCredit, kindsOf(creditInputs));
    const { balanceAfter } = await once(c, credit, (ctx) => creditWallet(ctx, { target: targetOf(c, id), ...credit }));
    return `The wallet now holds ${formatAmount(balanceAfter ?? 0)}.`;
  },
});

function addPage(c: Context<PanelEnv>, failed: Failed | null) {
  const form = formFor(failed, "/admin/customers", { inputs: addedInputs });
  return page(
    c,
    "Add customer",
    <NewPage form={form} button="Add customer">
      <input type="hidden" name="once" value={crypto.randomUUID()} />
      <AllFields form={form} />
    </NewPage>,
  );
}

/** Export and erasure of a customer's personal data, and recovery of a lost second factor. */
export const customerData = rowForms("/customers/:id", administrators, customerPage, {
  "/erase": async (c, id) => {
    await eraseCustomer(writeContextOf(c), id);
    sendInBackground(c);
    return "The account will be erased in seven days.";
  },
  "/restore": async (c, id) => {
    await keepCustomer(writeContextOf(c), id);
    return "The erasure was cancelled.";
  },
  "/two-factor/remove": async (c, id) => {
    await removeTwoFactor(writeContextOf(c), id);
    sendInBackground(c);
    return "The second factor was removed.";
  },
}).get("/customers/:id/export", administrators, validate("param", IdParam), async (c) => {
  const { id } = c.req.valid("param");
  const data = await requireFound(exportCustomer(writeContextOf(c), id), `User ${id}`);
  c.header("Content-Disposition", `attachment; filename="customer-${id}.json"`);
  return c.json(toExport(data, c.var.settings.currency, Date.now()));
});

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
    return redirectWithFlash(c, sessionsPath(id), "All sessions of the account have ended.");
  })
  .post("/customers/:id/sessions/:sessionId/end", administer("users:write"), validate("param", OneParam), async (c) => {
    const { id, sessionId } = c.req.valid("param");
    await requireAccount(c.var.db, { id, scope: accountScopeOf(c.var.caller) });
    await endAccountSessions(writeContextOf(c), { userId: id, id: sessionId });
    return redirectWithFlash(c, sessionsPath(id), "The session has ended.");
  });

const sessionsPath = (id: number): string => `/admin/customers/${id}/sessions`;
