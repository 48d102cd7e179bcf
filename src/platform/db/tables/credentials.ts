import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
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

const userId = () =>
  integer("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

/** The second factor of an account: what its authenticator app computes codes from. */
export const totpSecrets = sqliteTable(
  "totp_secrets",
  {
    userId: userId().primaryKey(),
    /** Encrypted; see users/two-factor/totp.ts. */
    sealed: text().notNull(),
    /** Which of the deployment's secrets encrypts it. */
    sealedUnder: text("sealed_under").notNull(),
    /** Null until a first code has shown that an app knows it. */
    confirmedAt: integer("confirmed_at"),
    /** The time step of the latest code that was used: it is spent, and so are those before it. */
    lastStep: integer("last_step").notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [index("totp_secrets_by_secret").on(table.sealedUnder)],
);

/** Codes for whoever has lost the app, each good for once. */
export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    userId: userId(),
    /** SHA-256 of the code, hex. */
    hash: text().notNull(),
    usedAt: integer("used_at"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
);

/** How many codes may be tried for one password that was right. */
export const CHALLENGE_ATTEMPTS = 15;

/** Logins whose password was right and whose code is still to come. */
export const loginChallenges = sqliteTable(
  "login_challenges",
  {
    /** SHA-256 of the challenge, hex. */
    hash: text().primaryKey(),
    userId: userId(),
    attempts: integer().notNull().default(0),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    check("challenge_attempts_within_limit", sql.raw(`"attempts" <= ${CHALLENGE_ATTEMPTS}`)),
    index("login_challenges_by_user").on(table.userId),
    index("login_challenges_by_expiry").on(table.expiresAt),
  ],
);
