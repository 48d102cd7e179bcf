import { asc, desc, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import { refuseReservedDomain } from "../../../domain/contact.ts";
import { badRequest, fieldError, requireFound } from "../../../domain/errors.ts";
import { DAY_MS, HOUR_MS } from "../../../domain/time.ts";
import {
  type AuditedTable,
  applyChange,
  applyCreation,
  applyDeletion,
} from "../../../platform/administration/write-queries.ts";
import { requireFresh, type UserCaller, type WriteContext } from "../../../platform/auth/caller.ts";
import { limitAccount } from "../../../platform/auth/gates.ts";
import { isStaff, roleWords } from "../../../platform/auth/roles.ts";
import { hashSecret, randomToken } from "../../../platform/auth/secrets.ts";
import { type Database, runAll } from "../../../platform/db/client.ts";
import { jsonRow } from "../../../platform/db/json.ts";
import { type PageOf, readPage } from "../../../platform/db/page.ts";
import { roles, staffInvitations, users } from "../../../platform/db/schema.ts";
import { queueEmail } from "../../../platform/email/emails.ts";
import { canSend } from "../../../platform/email/mailer.ts";
import type { PageQuery } from "../../../platform/http/pagination.ts";
import { erasureRefusals } from "../admin.ts";
import { findUserByEmail } from "../users.ts";
import type { Invitation, IssuedInvitation, StaffInvitationCreate, StaffRow } from "./schemas.ts";

const { hash: _, ...columns } = getTableColumns(staffInvitations);

const LIFETIME_MS = 72 * HOUR_MS;

const alreadyInvited = () =>
  badRequest(fieldError("email", "already_invited", "has an invitation. Resend it, or revoke it first"));

const auditedInvitations: AuditedTable<Invitation, Pick<Invitation, "email" | "role">> = {
  table: staffInvitations,
  name: "staff_invitations",
  subject: "staff_invitation",
  json: jsonRow<Invitation>(columns),
  audited: ({ email, role }) => ({ email, role }),
  refusals: { "staff_invitations.email": alreadyInvited },
};

export function listInvitations(db: Database, query: PageQuery) {
  const rows = db.select(columns).from(staffInvitations).orderBy(asc(staffInvitations.id));
  return readPage(db, query, rows, staffInvitations, undefined);
}

const requireInvitation = (db: Database, id: number): Promise<Invitation> =>
  requireFound(db.select(columns).from(staffInvitations).where(eq(staffInvitations.id, id)).get(), `Invitation ${id}`);

type InvitingContext = WriteContext<UserCaller>;

/**
 * A new link for an address: columns of its invitation, and either the statement that sends it or, if the shop cannot
 * send e-mails, the link itself. Never both: a sent link proves that its reader owns the address, and a displayed one
 * does not. `origin` is the panel's address if the deployment does not name it.
 */
function issueLink(
  { env, settings, author }: InvitingContext,
  { email, role, origin }: StaffInvitationCreate & { origin: string },
) {
  const token = randomToken("sfl_");
  const expiresAt = author.now + LIFETIME_MS;
  const { panelUrl } = settings.email;
  const isSent = panelUrl !== null && canSend(env, settings.email);
  const url = `${panelUrl === null ? origin : new URL(panelUrl).origin}/account/invitation?token=${token}`;
  const params = { role: roleWords[role].label, about: roleWords[role].about };
  const sent = {
    template: "staff_invitation",
    params,
    userId: sql`NULL`,
    to: email,
    link: { token, expiresAt },
  } as const;
  return {
    columns: { hash: hashSecret(token), isSent, expiresAt },
    statements: isSent ? [queueEmail({ settings, author }, sent)] : [],
    secret: { url: isSent ? null : url },
  };
}

/** Counts an invitation against its inviter and its recipient, so that nobody is flooded. */
async function countInvitation({ env, caller }: InvitingContext, email: string): Promise<void> {
  await limitAccount({ env }, "invitations", `user:${caller.id}`);
  await limitAccount({ env }, "recovery", `invitation:${email}`);
}

/** Invites somebody to become staff. Their account is created, or changed, when they accept. */
export async function inviteStaff(
  ctx: InvitingContext,
  { email, role, origin }: StaffInvitationCreate & { origin: string },
): Promise<IssuedInvitation> {
  const { db, settings, author, caller } = ctx;
  requireFresh(author);
  refuseReservedDomain(settings, email);
  const account = await findUserByEmail(db, email);
  if (account && isStaff(account.role)) throw badRequest(fieldError("email", "already_staff", "belongs to staff"));
  if (account?.eraseAt) throw erasureRefusals.staff_cannot_be_erased();
  if (account?.disabledAt) throw badRequest(fieldError("email", "account_disabled", "belongs to a disabled account"));
  await countInvitation(ctx, email);
  const link = issueLink(ctx, { email, role, origin });
  const invitation = await applyCreation(ctx, {
    target: auditedInvitations,
    row: { email, role, invitedBy: caller.id, ...link.columns },
    where: sql`email = ${email}`,
    state: { email, role },
    statements: () => link.statements,
    secret: link.secret,
  });
  return { ...link.secret, ...invitation };
}

/** Replaces the link of an invitation, which ends the previous one. */
export async function resendInvitation(
  ctx: InvitingContext,
  { id, origin }: { id: number; origin: string },
): Promise<IssuedInvitation> {
  const { db, author, caller } = ctx;
  requireFresh(author);
  const before = await requireInvitation(db, id);
  await countInvitation(ctx, before.email);
  const link = issueLink(ctx, { ...before, origin });
  const change = {
    columns: { ...link.columns, invitedBy: caller.id },
    statements: link.statements,
    secret: link.secret,
    details: { resent: true },
  };
  const target = auditedInvitations;
  const invitation = await applyChange(ctx, { target, action: "resend", before, ifMatch: {}, decide: () => change });
  return { ...link.secret, ...invitation };
}

/** Revokes an invitation: its link stops working. */
export async function revokeInvitation(ctx: InvitingContext, id: number): Promise<void> {
  const before = await requireInvitation(ctx.db, id);
  await applyDeletion(ctx, { target: auditedInvitations, before, ifMatch: {} });
}

/** Days after which an expired invitation is deleted, because it contains an address. */
const KEPT_DAYS = 30;

export const deleteExpiredInvitations = (db: Database, now: number): Promise<void> =>
  runAll(db, [sql`DELETE FROM ${staffInvitations} WHERE ${staffInvitations.expiresAt} <= ${now - KEPT_DAYS * DAY_MS}`]);

const { id, name, email, role, lastSeenAt, disabledAt, createdAt } = users;

const hasTwoFactor: SQL<boolean> =
  sql`EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = users.id AND confirmed_at IS NOT NULL)`.mapWith(Boolean);

/** A condition that uses the index of roles, so that no customer is read. */
const ofStaff = inArray(role, roles.filter(isStaff));

/** Lists staff: active people first, by name. */
export function listStaff(db: Database, query: PageQuery): Promise<PageOf<StaffRow>> {
  const rows = db
    .select({
      id,
      name,
      email,
      role,
      lastSeenAt,
      disabledAt,
      createdAt,
      hasTwoFactor: hasTwoFactor.as("has_two_factor"),
    })
    .from(users)
    .where(ofStaff)
    .orderBy(desc(sql`${disabledAt} IS NULL`), sql`${users.sortName} COLLATE NOCASE`, id);
  return readPage(db, query, rows, users, ofStaff);
}
