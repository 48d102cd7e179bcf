import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt } from "./columns.ts";
import { users } from "./users.ts";

export const linkPurposes = [
  "reset_password",
  "verify_email",
  "change_email",
  "revert_email",
  "approve_email",
] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

/** Tokens in links of e-mails: each works once, and its row is deleted by that. */
export const linkTokens = sqliteTable(
  "link_tokens",
  {
    /** SHA-256 of the token, hex. */
    hash: text().primaryKey(),
    purpose: text({ enum: linkPurposes }).notNull(),
    /** Null where somebody asked with an address that no account has: the row is written all the same. */
    userId: integer("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** The address that the link proves, goes back to, or approves. */
    email: text(),
    expiresAt: integer("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index("link_tokens_by_user").on(table.userId, table.purpose),
    index("link_tokens_by_expiry").on(table.expiresAt),
    index("link_tokens_to_revert").on(table.email).where(sql.raw(`purpose = 'revert_email'`)),
  ],
);
