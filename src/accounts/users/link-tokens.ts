import { and, eq, getTableColumns, gt, isNull, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { HOUR_MS, MINUTE_MS } from "../../domain/durations.ts";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { hashSecret, randomToken } from "../../platform/auth/secrets.ts";
import type { Database } from "../../platform/db/client.ts";
import { DELETED_AT_ONCE } from "../../platform/db/client.ts";
import { type LinkPurpose, linkTokens, users } from "../../platform/db/schema.ts";
import { workOffInBulk } from "../../platform/queues/work-off.ts";

/** Lifetime of a link, by purpose. */
const LIFETIME_MS: Record<LinkPurpose, number> = {
  reset_password: 30 * MINUTE_MS,
  verify_email: 72 * HOUR_MS,
  change_email: 24 * HOUR_MS,
  revert_email: 72 * HOUR_MS,
  approve_email: 72 * HOUR_MS,
};

/** A new link token, with its purpose and expiry. */
type NewLink = { token: string; purpose: LinkPurpose; expiresAt: number };

export const newLink = (purpose: LinkPurpose, now: number): NewLink => ({
  token: randomToken("sfl_"),
  purpose,
  expiresAt: now + LIFETIME_MS[purpose],
});

/** Statements that activate a link and end earlier links for the same purpose. */
export const linkInserts = (
  { token, purpose, expiresAt }: NewLink,
  { userId, email }: { userId: number | SQL; email: string | SQL },
  now: number,
): SQL[] => [
  // Every previous address keeps its own link to revert to it.
  ...(purpose === "revert_email" ? [] : [endLinks(userId, purpose)]),
  sql`INSERT INTO link_tokens (hash, purpose, user_id, email, expires_at, created_at)
    VALUES (${hashSecret(token)}, ${purpose}, ${userId}, ${email}, ${expiresAt}, ${now})`,
];

export const endLinks = (userId: number | SQL, purpose: LinkPurpose): SQL =>
  sql`DELETE FROM link_tokens WHERE user_id = ${userId} AND purpose = ${purpose}`;

/** Statements that end all links of an account and its pending address change. */
export const endEveryLink = (userId: number | SQL): SQL[] => [
  sql`DELETE FROM link_tokens WHERE user_id = ${userId}`,
  sql`UPDATE users SET pending_email = NULL WHERE id = ${userId}`,
];

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
export type Link = NonNullable<Awaited<ReturnType<typeof findLink>>>;

/**
 * The first statements of a batch that a link authorizes. They refuse it if the link was used, replaced or ended in the
 * meantime.
 */
export const useLink = ({ hash }: Pick<Link, "hash">, now: number): SQL[] => [
  sql`INSERT INTO preconditions (holds)
    SELECT EXISTS (SELECT 1 FROM link_tokens WHERE hash = ${hash} AND expires_at > ${now})`,
  sql`DELETE FROM link_tokens WHERE hash = ${hash}`,
];

/** Refuses the batch if the account was disabled or its address is no longer the link's. */
export const addressIsStill = ({ user, address }: Pick<Link, "user" | "address">): SQL => sql`
  INSERT INTO preconditions (holds)
  SELECT EXISTS (SELECT 1 FROM users WHERE id = ${user.id} AND email = ${address} AND disabled_at IS NULL)`;

export const deleteExpiredLinks = (db: Database, now: number): Promise<void> =>
  workOffInBulk(db, now, {
    queue: "delete_links",
    id: sql`link_tokens.hash`,
    atOnce: DELETED_AT_ONCE,
    due: (which) => sql`
      SELECT hash FROM link_tokens WHERE expires_at <= ${now} AND ${which} LIMIT ${DELETED_AT_ONCE}`,
    write: (ids) => sql`DELETE FROM link_tokens WHERE hash IN (${ids}) RETURNING 1`,
  });

/** The token of a link, as sent by e-mail. */
export const LinkToken = z.string().min(1).max(200);

/** One error for links that were used, expired, replaced or never existed, so that it reveals nothing. */
export const linkEnded = () =>
  badRequest(
    fieldError("token", "link_ended", "is not valid: the link was used, has ended, or a newer one was sent"),
    "The link does not work any more: ask for a new one",
  );

/** Error for a batch refused by `useLink`. */
export const usedMeanwhile = { row_changed: linkEnded };

export async function requireLink(
  db: Database,
  token: string,
  purposes: readonly LinkPurpose[],
  now: number,
): Promise<Link> {
  const link = await findLink(db, token, now);
  if (!link || !purposes.includes(link.purpose)) throw linkEnded();
  return link;
}
