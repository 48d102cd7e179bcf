import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { languages } from "../../domain/language.ts";
import { apps, tokenResources } from "../../integrations/apps/tables.ts";
import {
  createdAt,
  flag,
  foldedWordsColumn,
  foreignId,
  id,
  isFolded,
  sortNameColumn,
  updatedAt,
} from "../../platform/db/columns.ts";

export const roles = ["customer", "viewer", "catalogue", "packer", "support", "admin"] as const;
export type Role = (typeof roles)[number];

export const users = sqliteTable(
  "users",
  {
    id: id(),
    /** Lower case. */
    email: text().notNull().unique(),
    /** Time at which the owner verified the address. Null until then. */
    emailVerifiedAt: integer("email_verified_at"),
    /** Time at which an earlier address was verified, if the current one was set without proof. */
    formerlyVerifiedAt: integer("formerly_verified_at"),
    /** Address that replaces `email` once confirmed. */
    pendingEmail: text("pending_email"),
    name: text().notNull(),
    foldedWords: foldedWordsColumn(),
    sortName: sortNameColumn(),
    /** A PHC string; see auth/passwords.ts. */
    passwordHash: text("password_hash").notNull(),
    role: text({ enum: roles }).notNull(),
    /** Written only by the ledger's trigger: the sum of the user's wallet transactions. */
    walletBalance: integer("wallet_balance").notNull().default(0),
    /** Number of paid orders that were not cancelled, and their totals less refunds. Written by triggers of orders only. */
    orderCount: integer("order_count").notNull().default(0),
    spent: integer().notNull().default(0),
    /** End of the lock on spending after an administrator changed the e-mail address. */
    walletLockedUntil: integer("wallet_locked_until"),
    disabledAt: integer("disabled_at"),
    /** Id in another system, set by programs. */
    externalId: text("external_id"),
    phone: text(),
    /** Language of e-mails to the account. Null for the shop's. */
    language: text({ enum: languages }),
    company: text(),
    acceptsMarketing: flag("accepts_marketing").notNull().default(false),
    /** Reason for tax exemption, such as a VAT number. Null if taxed. */
    taxExemptReason: text("tax_exempt_reason"),
    /** Names of the tags, so that no customer is read with their rows of `customer_tags`. */
    tags: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    metadata: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    /** Time of the requested erasure. It can be undone until then. */
    eraseAt: integer("erase_at"),
    erasedAt: integer("erased_at"),
    /** Time at which a member of staff last used a session. Null for customers. */
    lastSeenAt: integer("last_seen_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    isFolded("user_words_are_folded", `"name"`),
    check("wallet_not_negative", sql.raw(`"wallet_balance" >= 0`)),
    uniqueIndex("users_by_external_id").on(table.externalId).where(sql.raw("external_id IS NOT NULL")),
    index("users_by_name").on(sql`sort_name COLLATE NOCASE`, table.id),
    index("users_by_role_and_name").on(table.role, sql`sort_name COLLATE NOCASE`, table.id),
    index("users_by_spent").on(table.role, table.spent, table.id),
    index("users_by_order_count").on(table.role, table.orderCount, table.id),
    index("users_by_creation").on(table.createdAt, table.id),
    index("users_by_update").on(table.updatedAt),
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
    userId: foreignId("user_id", () => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    /** Time of the last use. */
    lastUsedAt: integer("last_used_at").notNull().default(0),
    /** Address and software of the last use. */
    address: text(),
    userAgent: text("user_agent"),
    /** Time of the last password or code in the session, if after its start. */
    authenticatedAt: integer("authenticated_at"),
    /** True if the session was opened with a second factor. */
    twoFactor: flag("two_factor").notNull().default(false),
    endedAt: integer("ended_at"),
    /** The app that uses the session on the shopper's behalf. Null for the shopper's own. */
    appId: integer("app_id").references(() => apps.id),
    /** The scopes that the shopper gave the app, and the resource that its tokens are for. */
    scopes: text({ mode: "json" }).$type<string[]>(),
    resource: text({ enum: tokenResources }),
  },
  (table) => [
    index("sessions_by_user").on(table.userId, table.endedAt, table.lastUsedAt, table.id),
    index("sessions_by_end").on(table.endedAt),
    index("sessions_by_app").on(table.appId).where(sql.raw("app_id IS NOT NULL")),
  ],
);

/** Invitations to become staff that nobody has accepted yet. */
export const staffInvitations = sqliteTable(
  "staff_invitations",
  {
    id: id(),
    /** Lower case. */
    email: text().notNull().unique(),
    role: text({ enum: roles }).notNull(),
    /** SHA-256 of the link's token, hex. */
    hash: text().notNull().unique(),
    /** True if the link was sent by e-mail, false if it was shown to the inviter. */
    isSent: flag("is_sent").notNull(),
    invitedBy: foreignId("invited_by", () => users.id),
    expiresAt: integer("expires_at").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    check("invitation_is_of_staff", sql.raw(`"role" <> 'customer'`)),
    index("staff_invitations_by_inviter").on(table.invitedBy),
    index("staff_invitations_by_expiry").on(table.expiresAt),
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
    /** The token that this one replaced. */
    parentHash: text("parent_hash").references((): AnySQLiteColumn => refreshTokens.hash, { onDelete: "set null" }),
  },
  (table) => [
    uniqueIndex("refresh_tokens_parent").on(table.parentHash),
    index("refresh_tokens_by_session").on(table.sessionId),
    index("refresh_tokens_by_expiry").on(table.expiresAt),
  ],
);

/** Money moved by staff, written in the same batch. */
export const staffSpending = sqliteTable(
  "staff_spending",
  {
    id: id(),
    /** "user:7". */
    actor: text().notNull(),
    /** Minor units, in either direction. */
    amount: integer().notNull(),
    /** Limit for 24 hours at that time. Null for administrators. */
    dayLimit: integer("day_limit"),
    sessionId: text("session_id"),
    /** Time of the last password or code in the session. */
    authenticatedAt: integer("authenticated_at"),
    /** Amount the session may move since then. Null while authentication is recent. */
    sessionLimit: integer("session_limit"),
    createdAt: createdAt(),
  },
  (table) => [
    check("spending_not_negative", sql.raw(`"amount" >= 0`)),
    index("staff_spending_by_actor").on(table.actor, table.createdAt),
    index("staff_spending_by_session").on(table.sessionId, table.createdAt),
  ],
);

/** Internal notes of staff on customers. */
export const userNotes = sqliteTable(
  "user_notes",
  {
    id: id(),
    userId: foreignId("user_id", () => users.id, { onDelete: "cascade" }),
    text: text().notNull(),
    /** "user:7" or "api_key:3". */
    author: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("user_notes_by_user").on(table.userId, table.id)],
);

/** The address book of an account. Orders keep copies of its addresses. */
export const addresses = sqliteTable(
  "addresses",
  {
    id: id(),
    userId: foreignId("user_id", () => users.id, { onDelete: "cascade" }),
    name: text().notNull(),
    company: text(),
    address: text().notNull(),
    address2: text(),
    city: text().notNull(),
    region: text(),
    zip: text(),
    /** ISO 3166-1, two letters. */
    country: text(),
    phone: text(),
    vat_id: text(),
    /** The default address; at most one per account. */
    isDefault: flag("is_default").notNull().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("addresses_by_user").on(table.userId, table.id),
    uniqueIndex("addresses_one_default").on(table.userId).where(sql.raw("is_default = 1")),
  ],
);

export type AddressRow = typeof addresses.$inferSelect;

/** A tag as first typed. Other spellings of its folded name mean the same tag. */
export const tags = sqliteTable("tags", {
  id: id(),
  name: text().notNull().unique(),
  foldedName: text("folded_name").notNull().unique(),
  /** Number of customers with the tag. Written only by triggers. */
  customers: integer().notNull().default(0),
});

/** The customers of each tag, for lists of them. Written only by triggers, from `users.tags`. Staff have none. */
export const customerTags = sqliteTable(
  "customer_tags",
  {
    tagId: foreignId("tag_id", () => tags.id),
    userId: foreignId("user_id", () => users.id, { onDelete: "cascade" }),
  },
  (table) => [primaryKey({ columns: [table.tagId, table.userId] }), index("customer_tags_by_user").on(table.userId)],
);
