import { Hono } from "hono";
import { IdParam, Nothing } from "../../../domain/fields.ts";
import { writeContextOf } from "../../../platform/auth/caller.ts";
import { type AppEnv, administrators } from "../../../platform/auth/gates.ts";
import { sendInBackground } from "../../../platform/email/send.ts";
import { created, list, noContent, ok } from "../../../platform/http/envelope.ts";
import { PageQuery } from "../../../platform/http/pagination.ts";
import { answers, answersNothing, creates, lists } from "../../../platform/http/route-description.ts";
import { validate, validateAll } from "../../../platform/http/validate.ts";
import { idempotent, once } from "../../../platform/idempotency/once.ts";
import {
  type IssuedInvitation,
  IssuedStaffInvitation,
  StaffInvitation,
  StaffInvitationCreate,
  StaffMember,
  toStaffInvitation,
  toStaffMember,
} from "./schemas.ts";
import { inviteStaff, listInvitations, listStaff, resendInvitation, revokeInvitation } from "./staff.ts";

const issued = ({ url, ...invitation }: IssuedInvitation) => ({ ...toStaffInvitation(invitation), url });

export const staffAdmin = new Hono<AppEnv>()
  .get(
    "/staff",
    administrators,
    validate("query", PageQuery),
    lists("listStaff", "List staff", StaffMember),
    async (c) => {
      const page = await listStaff(c.var.db, c.req.valid("query"));
      return list(c, "Staff", page, toStaffMember);
    },
  )
  .get(
    "/staff/invitations",
    administrators,
    validate("query", PageQuery),
    lists("listStaffInvitations", "List staff invitations", StaffInvitation),
    async (c) => {
      const page = await listInvitations(c.var.db, c.req.valid("query"));
      return list(c, "Invitations", page, toStaffInvitation);
    },
  )
  .post(
    "/staff/invitations",
    administrators,
    idempotent,
    validate("json", StaffInvitationCreate),
    creates("inviteStaff", "Invite a member of staff", IssuedStaffInvitation, {
      refuses: {
        400: ["account_disabled", "already_invited", "already_staff"],
        409: ["account_erased", "staff_cannot_be_erased"],
      },
    }),
    async (c) => {
      const sent = c.req.valid("json");
      const { origin } = new URL(c.req.url);
      const invitation = await once(c, sent, (ctx) => inviteStaff(ctx, { ...sent, origin }));
      sendInBackground(c);
      return created(c, "/api/v1/admin/staff/invitations", "Invitation created", issued(invitation));
    },
  )
  .post(
    "/staff/invitations/:id/resend",
    administrators,
    idempotent,
    validateAll({ param: IdParam, json: Nothing }),
    answers("resendStaffInvitation", "Resend an invitation with a new link", IssuedStaffInvitation),
    async (c) => {
      const { id } = c.req.valid("param");
      const { origin } = new URL(c.req.url);
      const invitation = await once(c, null, (ctx) => resendInvitation(ctx, { id, origin }));
      sendInBackground(c);
      return ok(c, "Invitation resent", issued(invitation));
    },
  )
  .delete(
    "/staff/invitations/:id",
    administrators,
    validate("param", IdParam),
    answersNothing("revokeStaffInvitation", "Revoke an invitation"),
    async (c) => {
      await revokeInvitation(writeContextOf(c), c.req.valid("param").id);
      return noContent(c);
    },
  );
