import { desc, eq } from "drizzle-orm";
import type { ApiKeyCaller, UserCaller } from "../auth/caller.ts";
import { endOtherSessions } from "../auth/sessions/queries.ts";
import { emailTaken, type UserRow } from "../auth/users/queries.ts";
import type { Database } from "../db/client.ts";
import { readPage } from "../db/page.ts";
import { versionAfter } from "../db/precondition.ts";
import { transactions, users } from "../db/schema.ts";
import { refusing } from "../db/violation.ts";
import { type PageQuery, slice } from "../http/pagination.ts";

/** Writes what changed. With a new password every session but the one that asks ends, in the same batch. */
export async function updateProfile(
  db: Database,
  { id, sessionId }: UserCaller,
  change: Partial<Pick<UserRow, "name" | "email" | "passwordHash">>,
): Promise<UserRow | undefined> {
  const now = Date.now();
  const update = db
    .update(users)
    .set({ ...change, updatedAt: versionAfter(now) })
    .where(eq(users.id, id))
    .returning();
  const ended = change.passwordHash === undefined ? [] : [endOtherSessions(db, id, sessionId, now)];
  const [rows] = await refusing(db.batch([update, ...ended]), emailTaken);
  return rows[0];
}

/** A user's own transactions; an API key's are those of the orders placed with it. Newest first, in one round trip. */
export function listTransactions(db: Database, caller: UserCaller | ApiKeyCaller, query: PageQuery) {
  const mine = caller.kind === "user" ? eq(transactions.userId, caller.id) : eq(transactions.apiKeyId, caller.id);
  const { limit, offset } = slice(query);
  const rows = db.select().from(transactions).where(mine).orderBy(desc(transactions.id)).limit(limit).offset(offset);
  return readPage(db, rows, transactions, mine);
}
