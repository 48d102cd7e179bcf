import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, flag, foldedWordsColumn, id, isFolded, updatedAt } from "./columns.ts";

export const roles = ["customer", "viewer", "catalogue", "support", "admin"] as const;
export type Role = (typeof roles)[number];

export const users = sqliteTable(
  "users",
  {
    id: id(),
    /** Lower case. */
    email: text().notNull().unique(),
    /** When its owner showed that e-mails reach them; null until then. */
    emailVerifiedAt: integer("email_verified_at"),
    /** When an earlier address of the account was verified, if it got the present one without a proof. */
    formerlyVerifiedAt: integer("formerly_verified_at"),
    /** The address that waits to be confirmed before it takes the place of `email`. */
    pendingEmail: text("pending_email"),
    name: text().notNull(),
    foldedWords: foldedWordsColumn(),
    /** A PHC string; see auth/passwords.ts. */
    passwordHash: text("password_hash").notNull(),
    role: text({ enum: roles }).notNull(),
    /** Written by the ledger's trigger alone: always the sum of the user's wallet transactions. */
    walletBalance: integer("wallet_balance").notNull().default(0),
    /** Until when nothing is taken from the wallet, since an administrator gave the account another e-mail address. */
    walletLockedUntil: integer("wallet_locked_until"),
    disabledAt: integer("disabled_at"),
    phone: text(),
    company: text(),
    acceptsMarketing: flag("accepts_marketing").notNull().default(false),
    /** Why no tax is taken of their orders, such as a VAT number; null where it is. */
    taxExemptReason: text("tax_exempt_reason"),
    metadata: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    /** When its personal data is erased, if its owner asked for it; until then that can be undone. */
    eraseAt: integer("erase_at"),
    erasedAt: integer("erased_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    isFolded("user_words_are_folded", `"name"`),
    check("wallet_not_negative", sql.raw(`"wallet_balance" >= 0`)),
    index("users_by_name").on(sql`name COLLATE NOCASE`, table.id),
    index("users_by_role_and_name").on(table.role, sql`name COLLATE NOCASE`, table.id),
    index("users_by_creation").on(table.createdAt, table.id),
    index("users_by_role").on(table.role, table.id, table.disabledAt),
    index("users_to_erase").on(table.eraseAt).where(sql.raw(`erase_at IS NOT NULL AND erased_at IS NULL`)),
    index("users_disabled").on(table.id).where(sql.raw(`disabled_at IS NOT NULL`)),
  ],
);

export const sessions = sqliteTable(
  "sessions",
  {
    /** The `sid` of the session's access tokens. */
    id: text().primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    /** When it was opened, or refreshed last. */
    lastUsedAt: integer("last_used_at").notNull().default(0),
    /** From where, and by what software, it was used then. */
    address: text(),
    userAgent: text("user_agent"),
    /** When its user last showed a password or code in it, if that was after it was opened. */
    authenticatedAt: integer("authenticated_at"),
    /** Whether a code of the second factor opened it. */
    twoFactor: flag("two_factor").notNull().default(false),
    endedAt: integer("ended_at"),
  },
  (table) => [
    index("sessions_by_user").on(table.userId, table.endedAt, table.lastUsedAt, table.id),
    index("sessions_by_end").on(table.endedAt),
  ],
);

export const refreshTokens = sqliteTable(
  "refresh_tokens",
  {
    /** SHA-256 of the token, hex. */
    hash: text().primaryKey(),
    sessionId: text("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    expiresAt: integer("expires_at").notNull(),
    spentAt: integer("spent_at"),
    createdAt: createdAt(),
    /** The token that it took the place of. */
    parentHash: text("parent_hash").references((): AnySQLiteColumn => refreshTokens.hash, { onDelete: "set null" }),
  },
  (table) => [
    uniqueIndex("refresh_tokens_parent").on(table.parentHash),
    index("refresh_tokens_by_session").on(table.sessionId),
    index("refresh_tokens_by_expiry").on(table.expiresAt),
  ],
);

/** Money that staff moved, in the batch that moved it. */
export const staffSpending = sqliteTable(
  "staff_spending",
  {
    id: id(),
    /** "user:7". */
    actor: text().notNull(),
    /** Minor units, whichever way they went. */
    amount: integer().notNull(),
    /** What they may move in 24 hours, as of that moment; null for administrators. */
    dayLimit: integer("day_limit"),
    sessionId: text("session_id"),
    /** When a password or code was last shown in the session. */
    authenticatedAt: integer("authenticated_at"),
    /** What the session may move since then; null while the password or code was shown lately. */
    sessionLimit: integer("session_limit"),
    createdAt: createdAt(),
  },
  (table) => [
    check("spending_not_negative", sql.raw(`"amount" >= 0`)),
    index("staff_spending_by_actor").on(table.actor, table.createdAt),
    index("staff_spending_by_session").on(table.sessionId, table.createdAt),
  ],
);
