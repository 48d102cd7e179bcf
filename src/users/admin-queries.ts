import { and, desc, eq, getTableColumns, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Entry } from "../audit/entry.ts";
import { auditEntry } from "../audit/queries.ts";
import type { Author } from "../auth/author.ts";
import type { AccountScope, Target } from "../db/account-scope.ts";
import { type Database, requireFirst, writeThenRead } from "../db/client.ts";
import { newestFound } from "../db/full-text.ts";
import { type PageOf, readPage } from "../db/page.ts";
import { nextVersion, unchanged } from "../db/precondition.ts";
import { users } from "../db/schema.ts";
import { translateViolations } from "../db/violation.ts";
import { conflict } from "../errors.ts";
import { limitAndOffset } from "../http/pagination.ts";
import { editedMeanwhile } from "../http/version.ts";
import type { AccountRow, UsersQuery } from "./admin-schemas.ts";
import type { ProfileRow } from "./profile.ts";
import { emailTaken, type UserRow } from "./queries.ts";
import { endSessions } from "./sessions/queries.ts";

const { passwordHash: _, ...columns } = getTableColumns(users);

const orderCount: SQL<number> = sql`(SELECT count(*) FROM orders WHERE user_id = users.id)`;

/** A page of users, newest first, and how many there are, in one round trip. */
export function listUsers(db: Database, query: UsersQuery, scope: AccountScope): Promise<PageOf<ProfileRow>> {
  const { state, search } = query;
  const found = search ? newestFound(sql`users_search`, search) : undefined;
  const role = scope === "everybody" ? query.role : "customer";
  const where = and(
    scope === "customers" && query.role === "admin" ? sql`FALSE` : undefined,
    found && sql`${users.id} IN (${found})`,
    role && eq(users.role, role),
    state && (state === "active" ? isNull : isNotNull)(users.disabledAt),
  );
  const { limit, offset } = limitAndOffset(query);
  const rows = db.select(columns).from(users).where(where).orderBy(desc(users.id)).limit(limit).offset(offset);
  return readPage(db, rows, users, where, found);
}

const selectAccount = (db: Database, { id, scope }: Target) =>
  db
    .select({ ...columns, orderCount })
    .from(users)
    .where(and(eq(users.id, id), scope === "customers" ? eq(users.role, "customer") : undefined));

export const findAccount = (db: Database, target: Target): Promise<AccountRow | undefined> =>
  selectAccount(db, target).get();

/** What an administrator writes: columns, and whether the user's sessions end with it. */
type UserWrite = {
  columns: Partial<{ [Name in Exclude<keyof UserRow, "id" | "walletBalance">]: UserRow[Name] | undefined }>;
  endsSessions: boolean;
};

/** Writes what changed, unless the user was edited since `before` was read. */
export async function updateUser(
  db: Database,
  before: AccountRow,
  { columns, endsSessions }: UserWrite,
  author: Author,
  entry: Entry,
): Promise<AccountRow> {
  const { id } = before;
  const update = db
    .update(users)
    .set({ ...columns, updatedAt: nextVersion(before, author.now) })
    .where(eq(users.id, id));
  const writes = [
    unchanged("users", before),
    update.getSQL(),
    ...(endsSessions ? [endSessions(id, author.now)] : []),
    auditEntry(author, entry, id),
  ];
  return requireFirst(
    await translateViolations(writeThenRead(db, writes, selectAccount(db, { id, scope: "everybody" })), {
      ...emailTaken,
      ...editedMeanwhile,
      last_administrator: () =>
        conflict(
          "last_administrator",
          "This is the last active administrator: make somebody else an administrator first",
        ),
    }),
  );
}
