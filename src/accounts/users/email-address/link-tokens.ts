import { and, eq, getTableColumns, gt, isNull, lte, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { badRequest, fieldError } from "../../../domain/errors.ts";
import { HOUR_MS, MINUTE_MS } from "../../../domain/time.ts";
import type { Author } from "../../../platform/auth/caller.ts";
import { hashSecret, randomToken } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/client.ts";
import { type LinkPurpose, linkTokens, users } from "../../../platform/db/schema.ts";
import { insertSelected, precondition, updateRows } from "../../../platform/db/statements.ts";
import { workOffInBulk } from "../../../platform/queues/work-off.ts";

/** Lifetime of a link, by purpose. */
const LIFETIME_MS: Record<LinkPurpose, number> = {
  reset_password: 30 * MINUTE_MS,
  verify_email: 72 * HOUR_MS,
  change_email: 24 * HOUR_MS,
  revert_email: 72 * HOUR_MS,
  approve_email: 72 * HOUR_MS,
  invite_customer: 72 * HOUR_MS,
};

/** A new link token, with its purpose and expiry. */
type NewLink = { token: string; purpose: LinkPurpose; expiresAt: number };

export const newAccountLink = (purpose: LinkPurpose, now: number): NewLink => ({
  token: randomToken("sfl_"),
  purpose,
  expiresAt: now + LIFETIME_MS[purpose],
});

/** Statements that activate a link and end earlier links for the same purpose. */
export const linkInserts = (
  { author }: { author: Pick<Author, "now"> },
  { link: { token, purpose, expiresAt }, userId, email }: { link: NewLink; userId: number | SQL; email: string | SQL },
): SQL[] => [
  // Every previous address keeps its own link to revert to it.
  ...(purpose === "revert_email" ? [] : [endLinks(userId, purpose)]),
  insertSelected(linkTokens, {
    hash: hashSecret(token),
    purpose,
    userId: sql`${userId}`,
    email: sql`${email}`,
    expiresAt,
    createdAt: author.now,
  }),
];

export const endLinks = (userId: number | SQL, purpose: LinkPurpose): SQL =>
  sql`DELETE FROM ${linkTokens} WHERE ${linkTokens.userId} = ${userId} AND ${linkTokens.purpose} = ${purpose}`;

/** Statements that end all links of an account and its pending address change. */
export const endEveryLink = (userId: number | SQL): SQL[] => [
  sql`DELETE FROM ${linkTokens} WHERE ${linkTokens.userId} = ${userId}`,
  endAddressChange(userId),
];

export const endAddressChange = (userId: number | SQL): SQL =>
  updateRows(users, { pendingEmail: null }, sql`${users.id} = ${userId}`);

/** Finds a valid link: its purpose, its address and its account. */
const findLink = (db: Database, token: string, now: number) =>
  db
    .select({
      hash: linkTokens.hash,
      purpose: linkTokens.purpose,
      // Aliased, because the account has a column of that name.
      address: sql<string>`${linkTokens.email}`.as("address"),
      createdAt: sql<number>`${linkTokens.createdAt}`.as("link_created_at"),
      user: getTableColumns(users),
    })
    .from(linkTokens)
    .innerJoin(users, eq(users.id, linkTokens.userId))
    .where(and(eq(linkTokens.hash, hashSecret(token)), gt(linkTokens.expiresAt, now), isNull(users.disabledAt)))
    .get();
export type AccountLink = NonNullable<Awaited<ReturnType<typeof findLink>>>;

/**
 * The first statements of a batch that a link authorizes. They refuse it if the link was used, replaced or ended in the
 * meantime.
 */
export const useLink = ({ author }: { author: Pick<Author, "now"> }, { hash }: Pick<AccountLink, "hash">): SQL[] => [
  precondition(sql`EXISTS (
    SELECT 1 FROM ${linkTokens} WHERE ${linkTokens.hash} = ${hash} AND ${linkTokens.expiresAt} > ${author.now})`),
  sql`DELETE FROM ${linkTokens} WHERE ${linkTokens.hash} = ${hash}`,
];

/** Refuses the batch if the account was disabled or its address is no longer the link's. */
export const addressIsStill = ({ user, address }: Pick<AccountLink, "user" | "address">): SQL =>
  precondition(sql`EXISTS (
    SELECT 1 FROM ${users} WHERE ${users.id} = ${user.id} AND ${users.email} = ${address} AND ${users.disabledAt} IS NULL)`);

export const deleteExpiredLinks = (db: Database, now: number): Promise<void> =>
  workOffInBulk(db, now, { queue: "delete_links", id: linkTokens.hash, where: lte(linkTokens.expiresAt, now) });

/** The token of a link, as sent by e-mail. */
export const LinkToken = z.string().min(1).max(200);

/** One error for links that were used, expired, replaced or never existed, so that it reveals nothing. */
export const linkEnded = () =>
  badRequest(
    fieldError("token", "link_ended", "is not valid. The link was used, has expired, or was replaced by a newer one"),
    "The link no longer works. Request a new one",
  );

/** Error for a batch refused by `useLink`. */
export const usedMeanwhile = { row_changed: linkEnded };

export async function requireLink(
  db: Database,
  token: string,
  purposes: readonly LinkPurpose[],
  now: number,
): Promise<AccountLink> {
  const link = await findLink(db, token, now);
  if (!link || !purposes.includes(link.purpose)) throw linkEnded();
  return link;
}
