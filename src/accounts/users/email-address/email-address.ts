import { eq, type SQL, sql } from "drizzle-orm";
import { badRequest, fieldError } from "../../../domain/errors.ts";
import { auditEntry } from "../../../platform/audit/audit.ts";
import type { AuthorContext, WriteContext } from "../../../platform/auth/caller.ts";
import { runAll } from "../../../platform/db/client.ts";
import { linkTokens, users } from "../../../platform/db/schema.ts";
import { translateViolations, updateRows, versionAfter } from "../../../platform/db/statements.ts";
import { queueEmail } from "../../../platform/email/emails.ts";
import type { AccountContext } from "../account-context.ts";
import { endSessions } from "../sessions/sessions.ts";
import { NO_PASSWORD } from "../sign-in/passwords.ts";
import { deleteFactorSince } from "../two-factor/two-factor.ts";
import {
  type AccountLink,
  addressIsStill,
  endAddressChange,
  endLinks,
  linkInserts,
  newAccountLink,
  usedMeanwhile,
  useLink,
} from "./link-tokens.ts";

const refused = () => badRequest(fieldError("email", "email_taken", "is already registered"));

/** Error for an address that belongs to another account, or that another account may still revert to. */
export const emailTaken = { "users.email": refused, email_reserved: refused };

const refusals = { ...emailTaken, ...usedMeanwhile };

/** An account whose address changes. */
type AddressHolder = Pick<AccountLink["user"], "id" | "email" | "emailVerifiedAt">;

/** Statements that send a link to verify an account's address. */
export function verification(ctx: LinkContext, { userId, email }: { userId: number | SQL; email: string }): SQL[] {
  const link = newAccountLink("verify_email", ctx.author.now);
  const sent = { template: "email_verification", params: {}, userId, link } as const;
  return [...linkInserts(ctx, { link, userId, email }), queueEmail(ctx, sent)];
}

type LinkContext = Pick<WriteContext, "settings" | "author">;

/** Statements that store a new address and send it a link. The account keeps its current address until the link is used. */
export function requestedChange(ctx: LinkContext, { userId, email }: { userId: number; email: string }): SQL[] {
  const link = newAccountLink("change_email", ctx.author.now);
  const sent = { template: "email_change", params: {}, userId, to: email, link } as const;
  return [
    updateRows(users, { pendingEmail: email }, eq(users.id, userId)),
    ...linkInserts(ctx, { link, userId, email }),
    queueEmail(ctx, sent),
  ];
}

/**
 * Statements that notify an account's previous address of the change, with a link to revert it. An unverified address is not
 * notified, because it may belong to a stranger, who must not get the account.
 */
function announcement(ctx: ClientContext, { user, newEmail }: Move): SQL[] {
  if (user.emailVerifiedAt === null) return [];
  const { now } = ctx.author;
  const link = newAccountLink("revert_email", now);
  const { id: userId, email } = user;
  const params = { at: now, ...ctx.client, newEmail };
  return [
    ...linkInserts(ctx, { link, userId, email }),
    queueEmail(ctx, { template: "email_changed", params, userId, to: email, link }),
  ];
}

type ClientContext = LinkContext & Pick<AccountContext, "client">;

type Move = { user: AddressHolder; newEmail: string };

/** Statements that cancel pending requests for a new password or address, which may be an intruder's. */
export const endRequests = (userId: number): SQL[] => [
  endLinks(userId, "reset_password"),
  endLinks(userId, "change_email"),
  endLinks(userId, "approve_email"),
  endAddressChange(userId),
];

/** Statements that ask an account's current address to approve a new one. */
export function proposedChange(ctx: LinkContext, { userId, newEmail }: { userId: number; newEmail: string }): SQL[] {
  const link = newAccountLink("approve_email", ctx.author.now);
  const sent = { template: "email_proposed", params: { newEmail }, userId, link } as const;
  return [...linkInserts(ctx, { link, userId, email: newEmail }), queueEmail(ctx, sent)];
}

/** Statements after a change to an unconfirmed address: the new address has to be verified, and the old one is notified. */
export const movedAddress = (ctx: ClientContext, { user, newEmail }: Move): SQL[] => [
  ...announcement(ctx, { user, newEmail }),
  ...verification(ctx, { userId: user.id, email: newEmail }),
  ...endRequests(user.id),
  updateRows(
    users,
    {
      formerlyVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${users.formerlyVerifiedAt})`,
      emailVerifiedAt: null,
    },
    eq(users.id, user.id),
  ),
];

type UsingContext = ClientContext & Pick<WriteContext, "db">;

/** Uses the link by which the current address of an account approves a new one proposed by the shop. */
export function approveAddress(ctx: UsingContext, { user, address, ...link }: AccountLink): Promise<void> {
  const moved = { email: address, updatedAt: versionAfter(ctx.author.now) };
  return translateViolations(
    runAll(ctx.db, [
      ...useLink(ctx, link),
      addressIsStill({ user, address: user.email }),
      updateRows(users, moved, eq(users.id, user.id)),
      ...movedAddress(ctx, { user, newEmail: address }),
      movedEntry(ctx, { user, newEmail: address }),
    ]),
    refusals,
  );
}

/** Uses the link sent after sign-up. `ends` are statements that reset what an unknown person may have set. */
export const verifyAddress = (ctx: AuthorContext, { link, ends }: { link: AccountLink; ends: SQL[] }): Promise<void> =>
  translateViolations(
    runAll(ctx.db, [
      ...useLink(ctx, link),
      addressIsStill(link),
      ...ends,
      updateRows(
        users,
        { emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${ctx.author.now})` },
        eq(users.id, link.user.id),
      ),
    ]),
    refusals,
  );

/** Statements that send a link to set a new password. */
export function passwordLink(ctx: LinkContext, { userId, email }: { userId: number; email: string }): SQL[] {
  const link = newAccountLink("reset_password", ctx.author.now);
  const sent = { template: "password_reset", params: {}, userId, link } as const;
  return [...linkInserts(ctx, { link, userId, email }), queueEmail(ctx, sent)];
}

/** Uses the link sent to a new address, which becomes the account's. A verified old address is notified. */
export function confirmAddress(
  ctx: UsingContext,
  { link: { user, address, ...link }, ends }: { link: AccountLink; ends: SQL[] },
): Promise<void> {
  const { now } = ctx.author;
  const confirmed = { email: address, pendingEmail: null, emailVerifiedAt: now, updatedAt: versionAfter(now) };
  return translateViolations(
    runAll(ctx.db, [
      ...useLink(ctx, link),
      addressIsStill({ user, address: user.email }),
      ...announcement(ctx, { user, newEmail: address }),
      updateRows(users, confirmed, eq(users.id, user.id)),
      endLinks(user.id, "verify_email"),
      endLinks(user.id, "reset_password"),
      endLinks(user.id, "approve_email"),
      ...ends,
      movedEntry(ctx, { user, newEmail: address }),
    ]),
    refusals,
  );
}

/** Audits a change of address, by which an erasure finds the former ones. */
const movedEntry = ({ author }: Pick<WriteContext, "author">, { user: { id, email }, newEmail }: Move): SQL =>
  auditEntry(
    { author: { ...author, actor: `user:${id}` } },
    { action: "update", subject: "user", id, before: { email }, after: { email: newEmail } },
  );

/**
 * Uses the link sent to an account's previous address and restores that address. Whoever took the account knew its password
 * and may be signed in, so the password and all sessions end, and the address gets a link to set a new password.
 */
export function revertAddress(
  ctx: Pick<WriteContext, "db" | "settings" | "author">,
  { user, address, ...link }: AccountLink,
): Promise<void> {
  const { now } = ctx.author;
  const userId = user.id;
  const { purpose, createdAt } = linkTokens;
  const reverted = {
    email: address,
    pendingEmail: null,
    emailVerifiedAt: now,
    // An erasure requested by an intruder was announced only to the intruder's own address, so it is undone.
    eraseAt: null,
    passwordHash: NO_PASSWORD,
    updatedAt: versionAfter(now),
  };
  return translateViolations(
    runAll(ctx.db, [
      ...useLink(ctx, link),
      // Any addresses set since then are the intruder's.
      sql`DELETE FROM ${linkTokens} WHERE ${linkTokens.userId} = ${userId}
        AND (${purpose} <> 'revert_email' OR ${createdAt} >= ${link.createdAt})`,
      updateRows(users, reverted, eq(users.id, userId)),
      endSessions(ctx, userId),
      ...deleteFactorSince(userId, link.createdAt),
      ...passwordLink(ctx, { userId, email: address }),
      movedEntry(ctx, { user, newEmail: address }),
    ]),
    refusals,
  );
}
