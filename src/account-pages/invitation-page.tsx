import type { Context } from "hono";
import { accountContextOf } from "../accounts/users/account-context.ts";
import { LinkTokenBody } from "../accounts/users/email-address/links.ts";
import { MAX_NAME } from "../accounts/users/fields.ts";
import {
  acceptAsNew,
  acceptAsOwner,
  findInvitation,
  needsPassword,
  type OpenedInvitation,
  requireOpened,
} from "../accounts/users/staff/accept.ts";
import { NewStaffAccount, ProvenStaffAccount } from "../accounts/users/staff/schemas.ts";
import { redirectWithFlash } from "../panel/flash.ts";
import { type Failed, type FormInputs, formFor } from "../panel/forms/inputs.ts";
import { text } from "../panel/forms/kinds.ts";
import type { SentForm } from "../panel/forms/read-form.ts";
import { writeSession } from "../panel/session/session.ts";
import { newPasswordInputs } from "../panel/session/sign-in-page.tsx";
import { beginSession, SESSION_S } from "../panel/session/token.ts";
import { type AppEnv, limitAddress } from "../platform/auth/gates.ts";
import { roleWords } from "../platform/auth/roles.ts";
import { donePage, linkPage, ownPasswordInputs } from "./pages.tsx";

const newInputs = {
  name: { as: "text", label: "Your name", autocomplete: "name", required: true, maxlength: MAX_NAME },
  password: { ...newPasswordInputs.password, label: "Password" },
} satisfies FormInputs;

/** The page of an invitation to the staff: an explanation, and the form that accepts it. */
export async function invitationPage(c: Context<AppEnv>, failed: Failed | null): Promise<Response> {
  if (!failed) await limitAddress(c, "anonymous");
  const token = failed?.values.token?.[0] ?? c.req.query("token") ?? "";
  const invitation = await findInvitation(c.var.db, token, Date.now());
  if (!invitation) return endedPage(c);
  const isOwner = needsPassword(invitation);
  return linkPage(c, {
    form: formFor(failed, c.req.path, { inputs: isOwner ? ownPasswordInputs : newInputs }),
    sign: "mail",
    token,
    title: `Join the staff of ${c.var.shopName}`,
    text: wordsOf(invitation, isOwner),
    button: "Accept the invitation",
    after: isOwner ? (
      <p>
        <a href="/account/forgot?from=panel">Forgot your password?</a>
      </p>
    ) : undefined,
  });
}

const wordsOf = ({ email, role }: OpenedInvitation, isOwner: boolean) => (
  <>
    You are invited as <strong>{roleWords[role].label}</strong>, and will sign in as <strong>{email}</strong>.{" "}
    <span class="muted">{roleWords[role].about}</span>{" "}
    {isOwner && "This address already has an account. Enter its password to continue. Its sessions will end."}
  </>
);

function endedPage(c: Context<AppEnv>): Promise<Response> {
  c.status(404);
  const next = `It was used, has expired, or was replaced by a newer one. Ask ${c.var.shopName} to send you a new one.`;
  return donePage(c, "This invitation no longer works", next, null, "mail");
}

/** Accepts an invitation. A new member of staff is signed in, and the owner of an existing account signs in. */
export async function acceptInvitation(c: Context<AppEnv>, sent: SentForm): Promise<Response> {
  const ctx = accountContextOf({ env: c.env, req: c.req, var: { ...c.var, caller: { kind: "anonymous" } } });
  const { token } = sent.read(LinkTokenBody, { token: text });
  const invitation = await requireOpened(c.var.db, token, ctx.author.now);
  if (needsPassword(invitation)) {
    await acceptAsOwner(ctx, invitation, sent.read(ProvenStaffAccount, { token: text, password: text }));
    return redirectWithFlash(c, "/admin/sign-in", "You are now a member of the staff. Sign in with your password.");
  }
  const fields = sent.read(NewStaffAccount, { token: text, name: text, password: text });
  const { user, session } = await acceptAsNew(ctx, invitation, { ...fields, lifetimeMs: SESSION_S * 1000 });
  const claims = { userId: user.id, sessionId: session.id, authenticatedAt: session.now };
  await writeSession(c, beginSession(claims, session.now));
  return redirectWithFlash(c, "/admin", `Welcome, ${user.name}.`);
}
