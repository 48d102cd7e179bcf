import { and, eq, getTableColumns, gt, isNull, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { hashSecret, randomToken } from "../../platform/auth/secrets.ts";
import type { Database } from "../../platform/db/client.ts";
import { type LinkPurpose, linkTokens, users } from "../../platform/db/schema.ts";
import { workOffInBulk } from "../../platform/queues/work-off.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long a link works. */
const LIFETIME_MS: Record<LinkPurpose, number> = {
  reset_password: 30 * MINUTE_MS,
  verify_email: 72 * HOUR_MS,
  change_email: 24 * HOUR_MS,
  revert_email: 72 * HOUR_MS,
  approve_email: 72 * HOUR_MS,
};

/** A token that was made for a link, and what a batch says of it. */
type NewLink = { token: string; purpose: LinkPurpose; expiresAt: number };

export const newLink = (purpose: LinkPurpose, now: number): NewLink => ({
  token: randomToken("sfl_"),
  purpose,
  expiresAt: now + LIFETIME_MS[purpose],
});

/** The statements that make a link work, and every earlier one for the same purpose end. */
export const linkInserts = (
  { token, purpose, expiresAt }: NewLink,
  { userId, email }: { userId: number | SQL; email: string | SQL },
  now: number,
): SQL[] => [
  // Each address that an account had can go back to itself.
  ...(purpose === "revert_email" ? [] : [endLinks(userId, purpose)]),
  sql`INSERT INTO link_tokens (hash, purpose, user_id, email, expires_at, created_at)
    VALUES (${hashSecret(token)}, ${purpose}, ${userId}, ${email}, ${expiresAt}, ${now})`,
];

export const endLinks = (userId: number | SQL, purpose: LinkPurpose): SQL =>
  sql`DELETE FROM link_tokens WHERE user_id = ${userId} AND purpose = ${purpose}`;

/** The statements that end every link of an account, and what it waited for. */
export const endEveryLink = (userId: number | SQL): SQL[] => [
  sql`DELETE FROM link_tokens WHERE user_id = ${userId}`,
  sql`UPDATE users SET pending_email = NULL WHERE id = ${userId}`,
];

/** A link that works: what it is for, the address that it is about, and the account. */
const findLink = (db: Database, token: string, now: number) =>
  db
    .select({
      hash: linkTokens.hash,
      purpose: linkTokens.purpose,
      // Named apart from the account's columns.
      address: sql<string>`${linkTokens.email}`.as("address"),
      createdAt: sql<number>`${linkTokens.createdAt}`.as("link_created_at"),
      user: getTableColumns(users),
    })
    .from(linkTokens)
    .innerJoin(users, eq(users.id, linkTokens.userId))
    .where(and(eq(linkTokens.hash, hashSecret(token)), gt(linkTokens.expiresAt, now), isNull(users.disabledAt)))
    .get();
export type Link = NonNullable<Awaited<ReturnType<typeof findLink>>>;

/** The first statements of the batch that a link is for: they refuse it when the link was used, replaced or ended meanwhile. */
export const useLink = ({ hash }: Pick<Link, "hash">, now: number): SQL[] => [
  sql`INSERT INTO preconditions (holds)
    SELECT EXISTS (SELECT 1 FROM link_tokens WHERE hash = ${hash} AND expires_at > ${now})`,
  sql`DELETE FROM link_tokens WHERE hash = ${hash}`,
];

/** Refuses the batch when the account is disabled by now, or has another address than this. */
export const addressIsStill = ({ user, address }: Pick<Link, "user" | "address">): SQL => sql`
  INSERT INTO preconditions (holds)
  SELECT EXISTS (SELECT 1 FROM users WHERE id = ${user.id} AND email = ${address} AND disabled_at IS NULL)`;

/** How many rows one statement deletes. */
const DELETED_AT_ONCE = 1000;

export const deleteExpiredLinks = (db: Database, now: number): Promise<void> =>
  workOffInBulk(db, now, {
    queue: "delete_links",
    id: sql`link_tokens.hash`,
    atOnce: DELETED_AT_ONCE,
    due: (which) => sql`
      SELECT hash FROM link_tokens WHERE expires_at <= ${now} AND ${which} LIMIT ${DELETED_AT_ONCE}`,
    write: (ids) => sql`DELETE FROM link_tokens WHERE hash IN (${ids}) RETURNING 1`,
  });

/** The token of a link, as an e-mail carries it. */
export const LinkToken = z.string().min(1).max(200);

/** One that was used, has ended, was replaced by a newer one or never was: whoever asks is told the same. */
export const linkEnded = () =>
  badRequest(
    fieldError("token", "link_ended", "is not valid: the link was used, has ended, or a newer one was sent"),
    "The link does not work any more: ask for a new one",
  );

/** The refusal of a batch by `useLink`. */
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
