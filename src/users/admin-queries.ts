import { and, desc, eq, getTableColumns, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { auditedState } from "../administration/fields.ts";
import type { AuditedTable } from "../administration/write-queries.ts";
import type { AccountScope, Target } from "../db/account-scope.ts";
import type { Database } from "../db/client.ts";
import { newestFound } from "../db/full-text.ts";
import { jsonRow } from "../db/json.ts";
import { type PageOf, readPage } from "../db/page.ts";
import { users } from "../db/schema.ts";
import { conflict } from "../errors.ts";
import { limitAndOffset } from "../http/pagination.ts";
import type { AccountRow, UsersQuery } from "./admin-schemas.ts";
import { emailTaken } from "./email-taken.ts";
import { erasureRefusals } from "./erasure-refusals.ts";
import { userFields } from "./fields.ts";
import type { ProfileRow } from "./profile.ts";

const { passwordHash: _, ...columns } = getTableColumns(users);

const orderCount: SQL<number> = sql`(SELECT count(*) FROM orders WHERE user_id = users.id)`;
const twoFactorSince: SQL<number | null> = sql`(SELECT confirmed_at FROM totp_secrets WHERE user_id = users.id)`;

/** A page of users, newest first, and how many there are, in one round trip. */
export function listUsers(db: Database, query: UsersQuery, scope: AccountScope): Promise<PageOf<ProfileRow>> {
  const { state, search } = query;
  const found = search ? newestFound(sql`users_search`, search) : undefined;
  const role = scope === "everybody" ? query.role : "customer";
  const where = and(
    scope === "customers" && query.role !== undefined && query.role !== "customer" ? sql`FALSE` : undefined,
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
    .select({ ...columns, orderCount, twoFactorSince })
    .from(users)
    .where(and(eq(users.id, id), scope === "customers" ? eq(users.role, "customer") : undefined));

export const findAccount = (db: Database, target: Target): Promise<AccountRow | undefined> =>
  selectAccount(db, target).get();

export const emailNotVerified = () =>
  conflict("email_not_verified", "Nobody has shown yet that this account's e-mail address is theirs");

export const auditedUsers: AuditedTable<AccountRow, ProfileRow> = {
  table: users,
  name: "users",
  subject: "user",
  json: jsonRow<AccountRow>(columns, { orderCount, twoFactorSince }),
  audited: ({ disabledAt, ...user }) => auditedState(userFields, { ...user, disabled: disabledAt !== null }),
  refusals: {
    ...emailTaken,
    ...erasureRefusals,
    email_not_verified: emailNotVerified,
    last_administrator: () =>
      conflict(
        "last_administrator",
        "This is the last active administrator: make somebody else an administrator first",
      ),
  },
};

export const setPassword = (id: number, hash: string): SQL =>
  sql`UPDATE users SET password_hash = ${hash} WHERE id = ${id}`;
