import * as z from "zod";
import { Email } from "../../../domain/contact.ts";
import { line, Timestamp } from "../../../domain/fields.ts";
import { toRecord } from "../../../domain/record.ts";
import { isStaff, roleGuide } from "../../../platform/auth/roles.ts";
import { type Role, roles, type staffInvitations, type users } from "../../../platform/db/schema.ts";
import { LinkToken } from "../email-address/link-tokens.ts";
import { MAX_NAME } from "../fields.ts";
import { NewPassword } from "../sign-in/schemas.ts";

const staffRoles: Role[] = roles.filter(isStaff);

const StaffRole = z.enum(staffRoles).describe(roleGuide(staffRoles));

export const StaffInvitationCreate = z
  .strictObject({ email: Email, role: StaffRole })
  .meta({ id: "StaffInvitationCreate" });
export type StaffInvitationCreate = z.output<typeof StaffInvitationCreate>;

/** An invitation without its link. */
export type Invitation = Omit<typeof staffInvitations.$inferSelect, "hash">;

/** An invitation with its link, if the inviter has to pass it on. */
export type IssuedInvitation = Invitation & { url: string | null };

export type StaffRow = Pick<
  typeof users.$inferSelect,
  "id" | "name" | "email" | "role" | "lastSeenAt" | "disabledAt" | "createdAt"
> & { hasTwoFactor: boolean };

/** A member of staff in the list. */
export const StaffMember = z
  .object({
    id: z.int(),
    name: z.string(),
    email: z.string(),
    role: StaffRole,
    two_factor_enabled: z.boolean().describe("True if signing in requires a code"),
    last_seen_at: Timestamp.nullable().describe(
      "Time at which a session was last opened or continued, exact to about ten minutes. Null if the person never signed in",
    ),
    disabled_at: Timestamp.nullable().describe("Time of the deactivation. Null for active staff"),
    created_at: Timestamp,
  })
  .meta({ id: "StaffMember" });

export const toStaffMember = (row: StaffRow): z.output<typeof StaffMember> =>
  toRecord(StaffMember, row, {
    two_factor_enabled: row.hasTwoFactor,
  });

const invitationShape = {
  id: z.int(),
  email: z.string(),
  role: StaffRole,
  sent: z.boolean().describe("True if the link was sent by e-mail. False if it was returned to the inviter"),
  expires_at: Timestamp.describe("Time at which the link stops working. Resend the invitation to get a new link"),
  created_at: Timestamp,
};

export const StaffInvitation = z.object(invitationShape).meta({ id: "StaffInvitation" });

export const IssuedStaffInvitation = z
  .object({
    ...invitationShape,
    url: z
      .string()
      .nullable()
      .describe(
        "Link to pass on, shown only once. Null if it was sent by e-mail, which happens whenever the shop can send e-mails",
      ),
  })
  .meta({ id: "IssuedStaffInvitation" });

export const toStaffInvitation = (row: Invitation): z.output<typeof StaffInvitation> =>
  toRecord(StaffInvitation, row, {
    sent: row.isSent,
  });

/** Input of an invited person without a proven account. */
export const NewStaffAccount = z.strictObject({ token: LinkToken, name: line(MAX_NAME), password: NewPassword });
export type NewStaffAccount = z.output<typeof NewStaffAccount>;

/** Input of an invited person with an existing account. */
export const ProvenStaffAccount = z.strictObject({ token: LinkToken, password: z.string().min(1).max(128) });
export type ProvenStaffAccount = z.output<typeof ProvenStaffAccount>;
