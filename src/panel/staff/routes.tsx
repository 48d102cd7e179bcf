import { type Context, Hono } from "hono";
import { changeUser } from "../../accounts/users/admin.ts";
import { UserUpdate } from "../../accounts/users/schemas.ts";
import { type IssuedInvitation, StaffInvitationCreate } from "../../accounts/users/staff/schemas.ts";
import { inviteStaff, resendInvitation, revokeInvitation } from "../../accounts/users/staff/staff.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administrators } from "../../platform/auth/gates.ts";
import { isStaff, roleWords } from "../../platform/auth/roles.ts";
import { sendInBackground } from "../../platform/email/send.ts";
import { once } from "../../platform/idempotency/once.ts";
import { redirectWithFlash } from "../flash.ts";
import { submitForm } from "../forms/attempt.ts";
import { flagKind } from "../forms/kinds.ts";
import { type PanelEnv, page } from "../page.tsx";
import { recordPages, rowForms } from "../record-pages.ts";
import { InvitationLinkPage, inviteKinds, invitePage, memberPage, roleKinds, STAFF, staffPage } from "./pages.tsx";

export const staffPages = new Hono<PanelEnv>()
  .get("/staff/invite", administrators, (c) => invitePage(c, null))
  .post(
    "/staff/invitations",
    administrators,
    submitForm(invitePage, async (c, sent) => {
      const invitation = sent.read(StaffInvitationCreate, inviteKinds);
      return issued(c, await once(c, invitation, (ctx) => inviteStaff(ctx, { ...invitation, origin: originOf(c) })));
    }),
  )
  .get("/staff/invitations/:id", administrators, (c) => c.redirect(STAFF, 303))
  .route(
    "/",
    rowForms("/staff/invitations/:id", administrators, (c, _, failed) => staffPage(c, failed), {
      "/resend": async (c, id) => issued(c, await resendInvitation(writeContextOf(c), { id, origin: originOf(c) })),
      "/revoke": async (c, id) => {
        await revokeInvitation(writeContextOf(c), id);
        return redirectWithFlash(c, STAFF, "The invitation was revoked.");
      },
    }),
  )
  .route(
    "/",
    recordPages("/staff", {
      reads: administrators,
      writes: administrators,
      listPage: staffPage,
      rowPage: memberPage,
      forms: {
        "": async (c, id, sent) => {
          const change = sent.readChange(UserUpdate, roleKinds);
          const user = await changeUser(writeContextOf(c), { id, change, ifMatch: sent.ifMatch });
          if (isStaff(user.role)) return `${user.name} is now ${roleWords[user.role].label}.`;
          return redirectWithFlash(c, STAFF, `${user.name} has left the staff and keeps the account as a customer.`);
        },
        "/deactivate": async (c, id, { values }) => {
          const revokesKeys = flagKind(values.revoke_api_keys ?? []) === true;
          const change = { disabled: true, ...(revokesKeys && { revoke_api_keys: true as const }) };
          const user = await changeUser(writeContextOf(c), { id, change, ifMatch: {} });
          return redirectWithFlash(c, STAFF, `${user.name} was deactivated and is signed out everywhere.`);
        },
        "/reactivate": async (c, id) => {
          const user = await changeUser(writeContextOf(c), { id, change: { disabled: false }, ifMatch: {} });
          return `${user.name} can sign in again.`;
        },
      },
    }),
  );

const originOf = (c: Context<PanelEnv>): string => new URL(c.req.url).origin;

/** The page after an invitation, with its link if the shop could not send it. */
function issued(c: Context<PanelEnv>, invitation: IssuedInvitation) {
  sendInBackground(c);
  if (invitation.url !== null) return page(c, "Invitation created", <InvitationLinkPage {...invitation} />);
  return redirectWithFlash(c, STAFF, `An invitation is on its way to ${invitation.email}.`);
}
